import type { JSX } from "preact";
import type { Finding } from "../../../../map/results.ts";
import type { TestIndexes } from "../../../report.ts";
import { formatTime } from "../../../wording/amounts.ts";
import { findingHint, findingRequest, findingWording } from "../../../wording/finding_wording.ts";
import { keywordPlace } from "../../../wording/place_name.ts";
import {
  findOperation,
  findRule,
  type FoundRule,
  type Keyword,
  type Operation,
} from "../model/model.ts";
import { routeLink, spotName } from "../model/route.ts";
import { OperationContext, useModel, useOperation } from "./context.ts";
import { CoveredBy } from "./covered_by.tsx";
import { Code, LineLink, OperationLink } from "./names.tsx";
import { usePositions } from "./use_source.ts";

function ruleKeyword(rule: FoundRule | null): Keyword | undefined {
  return rule?.parameter.keywords[rule.row ?? -1];
}

function findingTests(
  { data }: Operation,
  finding: Finding,
  rule: FoundRule | null,
): TestIndexes {
  if (rule !== null) return ruleKeyword(rule)?.covered_by?.invalid ?? [];
  if (!("status_code" in finding)) return [];
  const own = [...data.undocumented_responses, ...data.responses].find(({ status_code }) =>
    status_code === finding.status_code
  );
  return own?.covered_by ?? [];
}

function Rule({ path, rule }: {
  readonly path: string;
  readonly rule: FoundRule | null;
}): JSX.Element {
  const operation = useOperation();
  const positionOf = usePositions();
  const what = keywordPlace(path);
  const position = positionOf(path) ??
    (rule === null ? null : positionOf(path.slice(0, path.lastIndexOf("/"))));
  const spot = rule === null
    ? ""
    : rule.row === null
    ? spotName("parameter", rule.parameter.index)
    : spotName("keyword", rule.parameter.index, rule.row);
  return (
    <>
      {rule === null
        ? <Code text={what} />
        : (
          <a href={routeLink("operation", operation.key, { at: spot })}>
            <Code text={what} />
          </a>
        )}
      <LineLink before=" · line " position={position} what={what} />
    </>
  );
}

function Facts({ finding, rule }: {
  readonly finding: Finding;
  readonly rule: FoundRule | null;
}): JSX.Element | null {
  const { example, first_at } = finding;
  const instance = example?.instance ?? "";
  const request = findingRequest(finding);
  const isRule = rule !== null && finding.kind === "keyword_not_enforced" ||
    finding.kind === "response_violates_schema";
  const facts = [
    isRule ? <Rule key="rule" path={finding.schema_path} rule={rule} /> : null,
    instance === "" ? null : (
      <span key="place">
        at <Code text={instance} />
      </span>
    ),
    request === "" ? null : (
      <span key="request">
        for example <Code text={request} />
      </span>
    ),
    first_at === null ? null : <span key="time">first seen {formatTime(first_at)}</span>,
  ].filter((fact) => fact !== null);
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

export function FindingRow({ finding, within = false }: {
  readonly finding: Finding;
  readonly within?: boolean;
}): JSX.Element | null {
  const model = useModel();
  const operation = findOperation(model, finding);
  if (operation === undefined) return null;
  const rule = findRule(operation, finding);
  return (
    <OperationContext.Provider value={operation}>
      <li class="finding">
        {within ? null : <OperationLink operation={operation} />}
        <p>
          <bdi>{findingWording(finding)}</bdi>
        </p>
        <Facts finding={finding} rule={rule} />
        <p class="small">{findingHint(finding, ruleKeyword(rule)?.value ?? null)}</p>
        <CoveredBy lists={[["", findingTests(operation, finding, rule)]]} />
      </li>
    </OperationContext.Provider>
  );
}
