import type { JSX } from "preact";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { type Example, isMissed, keywordState, type Parameter } from "../model/model.ts";
import { type Spot, spotParameter } from "../model/route.ts";
import { useOperation } from "../parts/context.ts";
import { CoveredBy, SeenState } from "../parts/covered_by.tsx";
import { Toggle } from "../parts/filters.tsx";
import { Bar, Chevron, ExclusionNote, RuleFlags } from "../parts/marks.tsx";
import { Code, lineColumn, LineLink, ParameterName, Value } from "../parts/names.tsx";
import { RequestLink } from "../parts/requests.tsx";
import { type Column, numberColumn, Table } from "../parts/table.tsx";
import { changeQuery, useQuery, useSpot } from "../parts/use_route.ts";
import { usePositions } from "../parts/use_source.ts";
import { SchemaTree } from "./schema_tree.tsx";

/** Up to this number of keywords in the operation, all parameters that were sent are initially open. */
const OPEN_LIMIT = 150;

function naturallyOpen(parameters: readonly Parameter[]): ReadonlySet<number> {
  const sent = parameters.flatMap(({ hits }, index) => hits > 0 ? [index] : []);
  const keywords = parameters.reduce((sum, { keyword_total }) => sum + keyword_total, 0);
  return new Set(keywords <= OPEN_LIMIT ? sent : []);
}

/** The open parameters: those that the address lists, otherwise the default ones, and the one with the linked place. */
function openParameters(
  parameters: readonly Parameter[],
  query: string,
  spot: Spot | null,
): Set<number> {
  const open = new Set(
    query === ""
      ? naturallyOpen(parameters)
      : query.split(".").filter((text) => /^\d+$/.test(text)).map(Number),
  );
  const at = spotParameter(spot);
  if (at !== null) open.add(at);
  return open;
}

export function ParameterList(): JSX.Element {
  const { parameters, data: { undocumented_bodies = [] } } = useOperation();
  const open = openParameters(parameters, useQuery("open"), useSpot());
  const toggle = (index: number): void => {
    const list = [...open.symmetricDifference(new Set([index]))]
      .sort((left, right) => left - right);
    // Without an entry in the query, the default applies, so the state with nothing open needs a value.
    changeQuery({ open: list.length === 0 ? "none" : list.join("."), at: "" });
  };
  return (
    <section>
      <div class="section-head">
        <h2>Parameters</h2>
        {parameters.length !== 0 && <Toggle label="Gaps only" name="missing" />}
      </div>
      {undocumented_bodies.map(({ media_type, hits }) => (
        <p key={media_type} class="remarks">
          {formatAmount(hits, "body", "bodies")} sent{" "}
          {media_type === "" ? "without a Content-Type" : (
            <>
              as <Code text={media_type} />
            </>
          )}, which the description doesn't document.
        </p>
      ))}
      {parameters.length === 0 ? <p class="calm">None documented.</p> : (
        <div class="parameters">
          {parameters.map((parameter) => (
            <ParameterSection
              key={parameter.index}
              parameter={parameter}
              open={open.has(parameter.index)}
              onToggle={() => toggle(parameter.index)}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface Props {
  readonly parameter: Parameter;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function ParameterSection({ parameter, open, onToggle }: Props): JSX.Element {
  const id = parameter.at;
  const target = useQuery("at") === id;
  return (
    <section
      class={`parameter${parameterClass(parameter)}${target ? " target" : ""}`}
      aria-labelledby={id}
    >
      <h3>
        <button type="button" id={id} aria-expanded={open} onClick={onToggle}>
          <Chevron />
          <span class="parameter-title">
            <ParameterName parameter={parameter} />
            {parameter.required ? <span class="flag">required</span> : null}
            <RuleFlags
              answers={parameter.excluded === undefined ? parameter.missing : undefined}
              fault="missing"
            />
            {notes(parameter).length > 0 ? <span class="flag flag-alert">note</span> : null}
          </span>
          <span class="parameter-hits">{sentText(parameter)}</span>
          <KeywordSummary parameter={parameter} />
        </button>
      </h3>
      {open ? <Details parameter={parameter} /> : null}
    </section>
  );
}

function parameterClass({ hits, excluded, measured }: Parameter): string {
  if (measured === false || excluded !== undefined) return " parameter-excluded";
  return hits === 0 ? " parameter-never" : "";
}

function sentText({ measured, hits }: Parameter): string {
  if (measured === false) return "not visible";
  return hits === 0 ? "never sent" : formatAmount(hits, "hit");
}

function notes(parameter: Parameter): string[] {
  const { malformed, not_recorded, unsupported, location } = parameter;
  return [
    ...(unsupported ? ["This media type isn't decoded, so its keywords don't count"] : []),
    ...(malformed > 0 ? [`${formatAmount(malformed, "body", "bodies")} couldn't be parsed`] : []),
    ...(not_recorded === 0
      ? []
      : location === "path"
      ? [`${formatAmount(not_recorded, "value")} not visible in the traffic`]
      : [`${formatAmount(not_recorded, "body", "bodies")} missing or cut in the recording`]),
  ];
}

function uncountedText(parameter: Parameter): string | undefined {
  const { measured, excluded, unsupported, keyword_total, hits } = parameter;
  if (measured === false) return "not measured";
  if (excluded !== undefined) return "excluded";
  if (unsupported) return "not decoded";
  if (keyword_total === 0) return "no keywords";
  return hits === 0 ? formatAmount(keyword_total, "keyword") : undefined;
}

function KeywordSummary({ parameter }: Pick<Props, "parameter">): JSX.Element {
  const uncounted = uncountedText(parameter);
  if (uncounted !== undefined) return <span class="muted">{uncounted}</span>;
  const { keyword_total: total } = parameter;
  const states = parameter.keywords.map(keywordState);
  const full = states.filter((state) => state === "full").length;
  const partial = states.filter((state) => state === "partial").length;
  return (
    <span class="parameter-measure">
      <span class="small">
        {formatNumber(full)} full, {formatNumber(partial)} partial of{"  "}
        {formatAmount(total, "keyword")}
      </span>
      <Bar full={full} partial={partial} total={total} />
    </span>
  );
}

function NeverSent({ parameter }: Pick<Props, "parameter">): JSX.Element {
  const { measured, excluded, keyword_total, at, parameter: name } = parameter;
  if (measured === false) {
    return <p class="calm">Not visible in this traffic, so nothing of it counts.</p>;
  }
  if (excluded !== undefined) return <p class="calm">Never sent.</p>;
  return (
    <p class="calm">
      Never sent: {formatAmount(keyword_total, "keyword")} not covered.
      <RequestLink at={at} subject={name} />
    </p>
  );
}

function Classes(
  { parameter: { classes, value_total: total = 0 } }: Pick<Props, "parameter">,
): JSX.Element | null {
  if (total === 0) return null;
  const seen = classes.filter(({ hits }) => hits > 0).length;
  return (
    <p class="muted small">
      Values: {formatNumber(seen)} of {formatAmount(total, "class", "classes")} sent
    </p>
  );
}

function Details({ parameter }: Pick<Props, "parameter">): JSX.Element {
  const findPosition = usePositions();
  const { schema_path: pointer } = parameter;
  const remarks = notes(parameter);
  return (
    <div class="parameter-details">
      <p class="muted small">
        <Code text={pointer} />
        <LineLink before=" · line " position={findPosition(pointer)} what={parameter.parameter} />
      </p>
      <ExclusionNote of={parameter} />
      <CoveredBy lists={[["", parameter.covered_by ?? []]]} />
      {remarks.length === 0 ? null : (
        <ul class="remarks">
          {remarks.map((remark) => <li key={remark}>{remark}</li>)}
        </ul>
      )}
      {parameter.hits > 0
        ? (
          <>
            <Classes parameter={parameter} />
            <SchemaTree parameter={parameter} />
            <Examples parameter={parameter} />
          </>
        )
        : <NeverSent parameter={parameter} />}
    </div>
  );
}

function Examples({ parameter }: Pick<Props, "parameter">): JSX.Element | null {
  const onlyMissing = useQuery("missing") === "1";
  const at = useQuery("at");
  const operation = useOperation();
  const findPosition = usePositions();
  const examples = parameter.examples.filter((one) => !onlyMissing || isMissed(one));
  if (examples.length === 0) return null;
  const isTarget = (example: Example): boolean => example.at === at;
  const name = ({ value }: Example): string => `example ${value.slice(0, 40).toWellFormed()}`;
  const columns: readonly Column<Example>[] = [
    { label: "Example", value: ({ value }) => value, cell: ({ value }) => <Value json={value} /> },
    numberColumn("Hits", ({ hits }) => hits),
    {
      label: "State",
      value: ({ hits, excluded }) => excluded !== undefined ? 2 : hits > 0 ? 1 : 0,
      cell: (example) => (
        <SeenState item={example} word="used">
          <RequestLink at={example.at} subject={name(example)} />
        </SeenState>
      ),
    },
    lineColumn(({ schema_path }) => findPosition(schema_path), name),
  ];
  return (
    <Table
      label={`Examples of ${parameter.location} ${parameter.parameter}`}
      name={`examples ${operation.key} ${parameter.index} ${onlyMissing}`}
      style="examples"
      columns={columns}
      rows={examples}
      rowKey={({ row }) => row}
      attributes={(example) => ({
        id: example.at,
        class: isTarget(example) ? "target" : undefined,
        title: example.schema_path,
        tabIndex: -1,
      })}
      target={isTarget}
    />
  );
}
