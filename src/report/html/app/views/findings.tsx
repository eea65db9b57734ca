import type { Finding } from "../../../../map/results.ts";
import { operationName } from "../../../../values/operation_name.ts";
import type { JSX } from "preact";
import type { TestIndexes } from "../../../report.ts";
import { formatTime } from "../../../wording/amounts.ts";
import {
  findingGroups,
  findingHint,
  findingRequest,
  findingWording,
  undeclaredWording,
} from "../../../wording/finding_wording.ts";
import { keywordPlace } from "../../../wording/place_name.ts";
import { findOperation, findRule, type FoundRule, type Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { OperationContext, useModel, useOperation } from "../parts/context.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { Filtered } from "../parts/filters.tsx";
import { Code, LineLink, OperationLink } from "../parts/names.tsx";
import { ShownList, useShown } from "../parts/table.tsx";
import { usePositions } from "../parts/use_source.ts";

function findingTests({ data }: Operation, finding: Finding, rule: FoundRule | null): TestIndexes {
  if (rule !== null) return rule.keyword?.covered_by?.invalid ?? [];
  if (!("status_code" in finding)) return [];
  const response = [...data.undocumented_responses, ...data.responses].find(({ status_code }) =>
    status_code === finding.status_code
  );
  return response?.covered_by ?? [];
}

function Rule({ path, rule }: {
  readonly path: string;
  readonly rule: FoundRule | null;
}): JSX.Element {
  const operation = useOperation();
  const findPosition = usePositions();
  const what = keywordPlace(path);
  const code = <Code text={what} />;
  const position = findPosition(path) ??
    (rule === null ? undefined : findPosition(path.slice(0, path.lastIndexOf("/"))));
  const { at = "" } = rule?.keyword ?? rule?.parameter ?? {};
  return (
    <>
      {rule === null ? code : <a href={routeLink("operation", operation.key, { at })}>{code}</a>}
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
        <p class="small">{findingHint(finding, rule?.keyword?.value ?? null)}</p>
        <CoveredBy lists={[["", findingTests(operation, finding, rule)]]} />
      </li>
    </OperationContext.Provider>
  );
}

function List({ rows, filter }: {
  readonly rows: readonly Finding[];
  readonly filter: string;
}): JSX.Element {
  const shown = useShown(`findings ${filter}`, rows.length);
  return (
    <>
      {findingGroups(rows.slice(0, shown.count)).map(({ kind, findings }) => (
        <section key={kind.kind} class="finding-group">
          <h2>{kind.title}</h2>
          <ul class="rows finding-list">
            {findings.map((finding, index) => <FindingRow key={index} finding={finding} />)}
          </ul>
        </section>
      ))}
      {shown.more}
    </>
  );
}

export function Findings(): JSX.Element {
  const groups = findingGroups(useModel().data.findings);
  return (
    <>
      <h1>Findings</h1>
      <p class="muted">
        Answers that contradict the description, or hint at an error in the API.{" "}
        <a href={routeLink("definitions", "", { at: "findings" })}>How they are found</a>
      </p>
      <Filtered
        noun="finding"
        rows={groups.flatMap(({ findings }) => findings)}
        none="None: nothing contradicts the description."
        label="Kind"
        name="kind"
        kinds={groups.map(({ kind: { kind, title } }) => [kind, title])}
        rowKind={({ kind }) => kind}
        rowText={(finding) => `${operationName(finding)} ${findingWording(finding)}`}
      >
        {(rows, filter) => <List rows={rows} filter={filter} />}
      </Filtered>
      <Undeclared />
    </>
  );
}

function Undeclared(): JSX.Element | null {
  const model = useModel();
  const { undocumented_properties: list = [] } = model.data;
  return list.length === 0 ? null : (
    <section class="finding-group">
      <h2>Undocumented properties</h2>
      <ShownList name="undeclared" style="rows finding-list" rows={list}>
        {(one, index) => {
          const operation = findOperation(model, one);
          return operation === undefined ? null : (
            <li key={index} class="finding">
              <OperationLink operation={operation} />
              <p>
                <bdi>{undeclaredWording(one)}</bdi>
              </p>
            </li>
          );
        }}
      </ShownList>
    </section>
  );
}
