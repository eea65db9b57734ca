/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { PageParameter } from "../../page_data.ts";
import { exclusionOf, keywordsOf, type Model, type Operation } from "../model/model.ts";
import { type Spot, spotName } from "../model/spot.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { Bar } from "../parts/bar.tsx";
import { CoveredBy } from "../parts/covered_by.tsx";
import { ExclusionNote } from "../parts/exclusion_note.tsx";
import { LineLink } from "../parts/line_link.tsx";
import { ParameterName } from "../parts/names.tsx";
import { RequestLink } from "../parts/request_link.tsx";
import { RuleFlags } from "../parts/rule_flags.tsx";
import type { SourceState } from "../parts/use_source.ts";
import { ExampleTable } from "./example_table.tsx";
import { SchemaTree } from "./schema_tree.tsx";

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly parameter: PageParameter;
  readonly index: number;
  readonly open: boolean;
  /** Where in this parameter the address leads; null where it leads elsewhere. */
  readonly spot: Spot | null;
  readonly source: SourceState;
  readonly onlyMissing: boolean;
  readonly onToggle: () => void;
}

/** How many of the keywords that count were seen both ways, one way, or not at all. */
function tally(model: Model, parameter: PageParameter): { full: number; partial: number } {
  let [full, partial] = [0, 0];
  for (const { valid, invalid, satisfiability, exclusion } of keywordsOf(model.data, parameter)) {
    if (satisfiability !== "Normal" || exclusion !== null || valid + invalid === 0) continue;
    if (valid > 0 && invalid > 0) full += 1;
    else partial += 1;
  }
  return { full, partial };
}

function notes(parameter: PageParameter): string[] {
  const { malformed, not_recorded, unsupported, location } = parameter;
  return [
    ...(unsupported ? ["This media type isn't decoded, so its keywords don't count"] : []),
    ...(malformed > 0 ? [`${formatAmount(malformed, "body", "bodies")} couldn't be parsed`] : []),
    ...(not_recorded > 0
      ? [
        location === "path"
          ? `${formatAmount(not_recorded, "value")} not visible in the traffic`
          : `${formatAmount(not_recorded, "body", "bodies")} missing or cut in the recording`,
      ]
      : []),
  ];
}

function KeywordSummary(
  { model, parameter }: { readonly model: Model; readonly parameter: PageParameter },
): JSX.Element | null {
  const total = parameter.keyword_total;
  if (parameter.measured === false) return <span class="muted">not measured</span>;
  if (parameter.excluded !== undefined) return <span class="muted">excluded</span>;
  if (parameter.unsupported) return <span class="muted">not decoded</span>;
  if (total === 0) return <span class="muted">no keywords</span>;
  if (parameter.hits === 0) return <span class="muted">{formatAmount(total, "keyword")}</span>;
  const { full, partial } = tally(model, parameter);
  return (
    <span class="parameter-measure">
      <span class="counts">
        {formatNumber(full)} full, {formatNumber(partial)} partial of{"  "}
        {formatAmount(total, "keyword")}
      </span>
      <Bar full={full} partial={partial} total={total} />
    </span>
  );
}

function Details(props: Props): JSX.Element {
  const { model, operation, parameter, index, onlyMissing, spot, source } = props;
  const pointer = model.data.texts[parameter.schema_path] ?? "";
  const remarks = notes(parameter);
  return (
    <div class="parameter-details">
      <p class="muted small">
        <code>
          <bdi>{pointer}</bdi>
        </code>
        {source instanceof Object
          ? (
            <>
              {" · line "}
              <LineLink
                operation={operation}
                position={source.positionOf(pointer)}
                what={parameter.parameter}
              />
            </>
          )
          : null}
      </p>
      <ExclusionNote exclusion={exclusionOf(model.data, parameter)} />
      <CoveredBy model={model} lists={[["", parameter.covered_by ?? []]]} />
      {remarks.length === 0 ? null : (
        <ul class="remarks">
          {remarks.map((remark) => <li key={remark}>{remark}</li>)}
        </ul>
      )}
      {parameter.hits === 0
        ? (
          <p class="calm">
            {neverSent(parameter)}
            {parameter.measured === false || parameter.excluded !== undefined ? null : (
              <RequestLink
                model={model}
                operation={operation}
                at={spotName("parameter", index)}
                subject={parameter.parameter}
              />
            )}
          </p>
        )
        : (
          <>
            <SchemaTree
              model={model}
              operation={operation}
              parameter={parameter}
              index={index}
              source={source}
              onlyMissing={onlyMissing}
              target={spot?.kind === "keyword" ? spot.row : null}
            />
            <ExampleTable
              model={model}
              operation={operation}
              parameter={parameter}
              index={index}
              source={source}
              onlyMissing={onlyMissing}
              target={spot?.kind === "example" ? spot.row : null}
            />
          </>
        )}
    </div>
  );
}

function neverSent({ measured, excluded, keyword_total }: PageParameter): string {
  if (measured === false) return "Not visible in this traffic, so nothing of it counts.";
  if (excluded !== undefined) return "Never sent.";
  return `Never sent: ${formatAmount(keyword_total, "keyword")} not covered.`;
}

/** Whether it was sent, in two words. */
function sentText({ measured, hits }: PageParameter): string {
  if (measured === false) return "not visible";
  return hits === 0 ? "never sent" : formatAmount(hits, "hit");
}

function parameterClass({ hits, excluded, measured }: PageParameter): string {
  if (measured === false) return " parameter-excluded";
  if (excluded !== undefined) return " parameter-excluded";
  return hits === 0 ? " parameter-never" : "";
}

/** One parameter: a line that opens to its keywords and examples. */
export function ParameterSection(props: Props): JSX.Element {
  const { model, parameter, index, open, spot, onToggle } = props;
  const id = spotName("parameter", index);
  const target = spot?.kind === "parameter";
  return (
    <section
      class={`parameter${parameterClass(parameter)}${target ? " target" : ""}`}
      aria-labelledby={id}
    >
      <h3>
        <button type="button" id={id} aria-expanded={open} onClick={onToggle}>
          <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
            <path d="M5.5 2.5 11 8l-5.5 5.5" class="mark-ring" />
          </svg>
          <span class="parameter-title">
            <ParameterName parameter={parameter} />
            {parameter.required ? <span class="flag">required</span> : null}
            <RuleFlags answers={parameter.missing} fault="missing" />
            {notes(parameter).length > 0 ? <span class="flag flag-alert">note</span> : null}
          </span>
          <span class="parameter-hits">
            {sentText(parameter)}
          </span>
          <KeywordSummary model={model} parameter={parameter} />
        </button>
      </h3>
      {open ? <Details {...props} /> : null}
    </section>
  );
}
