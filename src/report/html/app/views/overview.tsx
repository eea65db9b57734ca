import type { ComponentChildren, JSX } from "preact";
import { figureGroups } from "../../../figures.ts";
import {
  capitalized,
  formatAmount,
  formatNumber,
  formatSeconds,
  formatTime,
} from "../../../wording/amounts.ts";
import { findingGroups } from "../../../wording/finding_wording.ts";
import { HALF_NOTE } from "../../../wording/shown_requests.ts";
import { notMeasuredText, tclText } from "../../../wording/summary_wording.ts";
import { baselineText, type ChangeFact, changeFacts } from "../../../wording/verdict_text.ts";
import { errorText, noneCounted } from "../model/model.ts";
import { requestLink } from "../model/gaps.ts";
import { routeLink } from "../model/route.ts";
import { topSuggestions } from "../model/suggestions.ts";
import { useModel } from "../parts/context.ts";
import { Figures, Verdict } from "../parts/figures.tsx";
import { SeverityMark } from "../parts/marks.tsx";
import { breakAtSlashes, Code, Message, OperationLink } from "../parts/names.tsx";
import { MoreRequests, RequestItem } from "../parts/requests.tsx";
import { SuggestionItem } from "../parts/suggestion_list.tsx";
import { Growth } from "./growth.tsx";
import { Heatmap } from "./heatmap.tsx";
import { AssertionsToAdd } from "./noticed.tsx";

/** Suggestions in the overview: few enough to be visible with the percentages without scrolling. */
const TOP = 3;

function Heading(): JSX.Element {
  const { title, schema } = useModel().data;
  const facts = [
    schema.specification,
    ...(schema.version === "" ? [] : [`version ${schema.version}`]),
    ...(schema.base_path === null ? [] : [`base path ${schema.base_path}`]),
  ];
  return (
    <div class="heading">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="muted">
        <bdi>{breakAtSlashes(schema.location)}</bdi>
        {facts.map((fact) => (
          <span key={fact}>
            {" · "}
            <bdi>{fact}</bdi>
          </span>
        ))}
      </p>
    </div>
  );
}

function Coverage(): JSX.Element {
  const { data } = useModel();
  const text = notMeasuredText(data);
  return (
    <>
      <Figures groups={figureGroups(data.summary, data.exclusions !== undefined)} />
      {text === undefined ? null : <p class="muted">{text}.</p>}
    </>
  );
}

const ERRORS = 3;

function ServerErrors(): JSX.Element | null {
  const model = useModel();
  const failing = model.operations.flatMap((operation) => {
    const [worst] = operation.errors;
    return worst === undefined ? [] : [{ operation, worst }];
  }).sort((left, right) =>
    Number(left.worst.isDocumented) - Number(right.worst.isDocumented) ||
    right.worst.hits - left.worst.hits
  );
  if (failing.length === 0) return null;
  const rest = failing.length - ERRORS;
  return (
    <p>
      Server errors in {formatAmount(failing.length, "operation")}:{" "}
      {failing.slice(0, ERRORS).map(({ operation, worst }, index) => (
        <span key={operation.key}>
          {index === 0 ? "" : ", "}
          <OperationLink operation={operation} /> {errorText(worst)}
        </span>
      ))}
      {rest > 0 ? ` and ${formatNumber(rest)} more` : ""}.
    </p>
  );
}

function DoTheseNext(): JSX.Element {
  const model = useModel();
  const requests = model.requests.slice(0, TOP);
  const suggestions = requests.length > 0 ? [] : topSuggestions(model, TOP);
  const isCovered = requests.length === 0 && suggestions.length === 0;
  return (
    <section>
      <h2>Do these next</h2>
      {isCovered ? <p class="calm">Nothing: no gaps are left.</p> : (
        <>
          <ol class="suggestions">
            {requests.map((request) => (
              <RequestItem
                key={requestLink(request)}
                request={request}
              />
            ))}
            {suggestions.map((one, index) => <SuggestionItem key={index} suggestion={one} />)}
          </ol>
          {requests.some(({ data }) => data.halved > 0) ? <p class="muted">{HALF_NOTE}</p> : null}
          {requests.length > 0 ? <MoreRequests /> : null}
          <p>
            <a href={routeLink("gaps")}>All {formatAmount(model.gaps.total, "gap")}</a>
          </p>
        </>
      )}
    </section>
  );
}

function Notices(): JSX.Element | null {
  const model = useModel();
  const { data } = model;
  const groups = findingGroups(data.findings);
  const stale = data.exclusions?.filter((exclusion) => exclusion.stale !== null).length ?? 0;
  const errors = data.diagnostics.filter(({ severity }) => severity === "error").length;
  const isStray = data.traffic.matched === 0 && data.traffic.recorded > 0 &&
    data.suggested_base_path === null && noneCounted(data) === undefined;
  const notices = [
    data.traffic.recorded === 0 && (
      <p key="empty">No traffic was recorded. Record requests while your tests run.</p>
    ),
    isStray && (
      <p key="stray">
        No recorded request matches an operation: all go to another API or version, or their paths
        have a prefix, which <code>--base-path</code> sets.{" "}
        <a href={routeLink("unmatched")}>Unmatched traffic</a>
      </p>
    ),
    data.suggested_base_path !== null && (
      <p key="base">
        Most unmatched requests would match with the base path{" "}
        <Code text={data.suggested_base_path} />.{" "}
        <a href={routeLink("unmatched")}>Unmatched traffic</a>
      </p>
    ),
    model.operations.some(({ errors }) => errors.length > 0) && <ServerErrors key="errors 5xx" />,
    groups.length > 0 && (
      <p key="findings">
        Findings: {groups.map(({ kind, findings }, index) => (
          <span key={kind.kind}>
            {index === 0 ? "" : ", "}
            <a href={routeLink("findings", "", { kind: kind.kind })}>
              {formatAmount(findings.length, ...kind.noun)}
            </a>
          </span>
        ))}.
      </p>
    ),
    stale > 0 && (
      <p key="stale">
        {formatAmount(stale, "exclusion")} {stale === 1 ? "is" : "are"} stale.{" "}
        <a href={routeLink("excluded")}>Excluded</a>
      </p>
    ),
    errors > 0 && (
      <p key="errors">
        {formatAmount(errors, "part")} of the description could not be used.{" "}
        <a href={routeLink("diagnostics", "", { severity: "error" })}>Diagnostics</a>
      </p>
    ),
  ].filter((notice) => notice !== false);
  return notices.length === 0 ? null : <div class="notices">{notices}</div>;
}

export function Overview(): JSX.Element {
  const { data } = useModel();
  const nothing = noneCounted(data);
  return (
    <div class="overview">
      <Heading />
      {nothing === undefined ? null : (
        <div class="notices">
          <p>{nothing}</p>
        </div>
      )}
      <Verdict verdict={data.verdict} />
      <Notices />
      <Coverage />
      <div class="columns">
        <div class="column">
          {nothing === undefined ? <DoTheseNext /> : null}
          <AssertionsToAdd />
          <SinceBaseline />
          {nothing === undefined ? <Heatmap /> : null}
          {nothing === undefined ? <Growth /> : null}
        </div>
        <aside class="column side" aria-label="Traffic">
          <Traffic />
          {nothing === undefined ? <Level /> : null}
          <Slowest />
          <WorstDiagnostics />
        </aside>
      </div>
    </div>
  );
}

const CHANGE_LINKS: Partial<Readonly<Record<ChangeFact["about"], () => string>>> = {
  new_gaps: () => routeLink("gaps", "", { since: "new" }),
  new_findings: () => routeLink("findings"),
  uncovered_additions: () => routeLink("gaps", "", { since: "added" }),
};

function SinceBaseline(): JSX.Element | null {
  const { comparison } = useModel().data;
  if (comparison === undefined) return null;
  return (
    <section>
      <h2>Since the baseline</h2>
      <p class="muted">Compared with the {baselineText(comparison.baseline)}</p>
      <ul class="changes">
        {changeFacts(comparison).map(({ about, text, isNone }) => {
          const link = isNone === true ? undefined : CHANGE_LINKS[about]?.();
          const shown = capitalized(text);
          return (
            <li key={text} class={isNone === true ? "calm" : undefined}>
              {link === undefined ? shown : <a href={link}>{shown}</a>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const DIAGNOSTICS = 4;

const SLOW = 3;

function Fact(
  { name, children }: { readonly name: string; readonly children: ComponentChildren },
): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Traffic(): JSX.Element {
  const { data: { traffic, summary }, operations } = useModel();
  const { first_at, last_at } = traffic;
  const { succeeded } = summary.operations;
  const undocumented = operations.filter(({ undocumented }) => undocumented.length > 0).length;
  return (
    <section>
      <h2>Traffic</h2>
      <dl class="facts">
        <Fact name="Recorded">{formatNumber(traffic.recorded)}</Fact>
        <Fact name="Matched">{formatNumber(traffic.matched)}</Fact>
        <Fact name="Unmatched">
          {traffic.unmatched === 0
            ? "0"
            : <a href={routeLink("unmatched")}>{formatNumber(traffic.unmatched)}</a>}
        </Fact>
        {first_at === null ? null : <Fact name="First">{formatTime(first_at)}</Fact>}
        {first_at === null || last_at === null
          ? null
          : <Fact name="Span">{formatSeconds(last_at - first_at)}</Fact>}
        {typeof succeeded === "number" && (
          <Fact name="Succeeded">{formatAmount(succeeded, "operation")}</Fact>
        )}
        {undocumented === 0 ? null : (
          <Fact name="Undocumented statuses">
            <a href={routeLink("operations", "", { undocumented: "1" })}>
              {formatAmount(undocumented, "operation")}
            </a>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Level(): JSX.Element | null {
  const { summary: { tcl }, tcl_criteria } = useModel().data;
  if (tcl === undefined) return null;
  return (
    <section>
      <h2>Test coverage level</h2>
      <p>
        <a href={routeLink("definitions", "", { at: "tcl" })}>{tclText(tcl, tcl_criteria)}</a>
      </p>
    </section>
  );
}

function Slowest(): JSX.Element | null {
  const model = useModel();
  const timed = model.operations.map((operation) => ({
    operation,
    max: Math.max(0, ...operation.data.responses.map(({ elapsed }) => elapsed?.max ?? 0)),
  })).filter(({ max }) => max > 0).toSorted((left, right) => right.max - left.max).slice(0, SLOW);
  if (timed.length === 0) return null;
  return (
    <section>
      <h2>Slowest</h2>
      <ul class="slowest">
        {timed.map(({ operation, max }) => (
          <li key={operation.key}>
            <OperationLink operation={operation} />
            <span class="muted">{formatSeconds(max)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function WorstDiagnostics(): JSX.Element | null {
  const { diagnostics } = useModel().data;
  if (diagnostics.length === 0) return null;
  const order = ["error", "warning", "info"];
  const worst = diagnostics.toSorted((left, right) =>
    order.indexOf(left.severity) - order.indexOf(right.severity)
  ).slice(0, DIAGNOSTICS);
  return (
    <section>
      <h2>Description</h2>
      <ul class="findings">
        {worst.map(({ severity, message, line }, index) => (
          <li key={index}>
            <SeverityMark severity={severity} />
            <span>
              <Message text={message} />
              {line === null ? null : <span class="muted">{` line ${line}`}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={routeLink("diagnostics")}>{formatAmount(diagnostics.length, "diagnostic")}</a>
      </p>
    </section>
  );
}
