/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Finding } from "../../../../map/results.ts";
import type { TestIndexes } from "../../../report.ts";
import { formatTime } from "../../../wording/amounts.ts";
import { findingHint } from "../../../wording/finding_hint.ts";
import { findingWording } from "../../../wording/finding_wording.ts";
import { keywordPlace } from "../../../wording/keyword_place.ts";
import { keywordAt, type Model, type Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { type FoundRule, ruleOf } from "../model/rule_answers.ts";
import { spotName } from "../model/spot.ts";
import { CoveredBy } from "./covered_by.tsx";
import { LineLink } from "./line_link.tsx";
import { OperationLink } from "./names.tsx";
import type { SourceState } from "./use_source.ts";

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly finding: Finding;
  readonly source: SourceState;
  /** True where the operation is named already. */
  readonly within?: boolean;
}

/** The value of the keyword that a rule is, as the page has it. */
function valueOf(model: Model, rule: FoundRule | null): string | null {
  return rule === null || rule.row === null
    ? null
    : keywordAt(model.data, rule.parameter, rule.row).value;
}

/** The tests whose requests or answers a finding is about, as far as they are told apart. */
function testsOf(
  model: Model,
  { data }: Operation,
  finding: Finding,
  rule: FoundRule | null,
): TestIndexes {
  if (rule !== null) {
    return rule.row === null
      ? []
      : keywordAt(model.data, rule.parameter, rule.row).tests?.invalid ?? [];
  }
  if (!("status_code" in finding)) return [];
  const own = [...data.undocumented_responses, ...data.responses].find(({ status_code }) =>
    status_code === finding.status_code
  );
  return own?.covered_by ?? [];
}

/** The rule that a finding contradicts, as a link, with its line. */
function Rule({ operation, rule, path, source }: {
  readonly operation: Operation;
  readonly rule: FoundRule;
  readonly path: string;
  readonly source: SourceState;
}): JSX.Element {
  const { index, row } = rule;
  const spot = row === null ? spotName("parameter", index) : spotName("keyword", index, row);
  const position = source instanceof Object
    ? source.positionOf(path) ?? source.positionOf(path.slice(0, path.lastIndexOf("/")))
    : null;
  return (
    <>
      <a href={routeLink("operation", operation.key, { at: spot })}>
        <code>
          <bdi>{keywordPlace(path)}</bdi>
        </code>
      </a>
      {position === null ? null : (
        <>
          {" · line "}
          <LineLink operation={operation} position={position} what={keywordPlace(path)} />
        </>
      )}
    </>
  );
}

/** The rule, the place in the value, the status and the time, as far as they are known. */
function Facts({ operation, finding, rule, source }: {
  readonly operation: Operation;
  readonly finding: Finding;
  readonly rule: FoundRule | null;
  readonly source: SourceState;
}): JSX.Element | null {
  const { example, first_at } = finding;
  const facts: JSX.Element[] = [];
  if (rule !== null && finding.kind === "keyword_not_enforced") {
    facts.push(
      <Rule operation={operation} rule={rule} path={finding.schema_path} source={source} />,
    );
  }
  if (finding.kind === "response_violates_schema") {
    const { schema_path } = finding;
    const position = source instanceof Object ? source.positionOf(schema_path) : null;
    facts.push(
      <>
        <code>
          <bdi>{keywordPlace(schema_path)}</bdi>
        </code>
        {position === null ? null : (
          <>
            {" · line "}
            <LineLink
              operation={operation}
              position={position}
              what={keywordPlace(schema_path)}
            />
          </>
        )}
      </>,
    );
  }
  if (example?.instance !== undefined && example.instance !== "") {
    facts.push(
      <>
        at{" "}
        <code>
          <bdi>{example.instance}</bdi>
        </code>
      </>,
    );
  }
  if (first_at !== null) facts.push(<>first seen {formatTime(first_at)}</>);
  return facts.length === 0 ? null : (
    <p class="muted small">
      {facts.map((fact, index) => (
        <span key={index}>
          {index === 0 ? null : " · "}
          {fact}
        </span>
      ))}
    </p>
  );
}

/** One finding: its request line, what was seen, the rule at its line, and how to see it again. */
export function FindingRow(
  { model, operation, finding, source, within = false }: Props,
): JSX.Element {
  const rule = ruleOf(model, operation, finding);
  return (
    <li class="finding">
      {within ? null : <OperationLink operation={operation} />}
      <p>
        <bdi>{findingWording(finding)}</bdi>
      </p>
      <Facts operation={operation} finding={finding} rule={rule} source={source} />
      <p class="small">{findingHint(finding, valueOf(model, rule))}</p>
      <CoveredBy model={model} lists={[["", testsOf(model, operation, finding, rule)]]} />
    </li>
  );
}
