import type { ComponentChildren, JSX } from "preact";
import { formatAmount, formatNumber, formatSeconds, formatTime } from "../../../wording/amounts.ts";
import { tclText } from "../../../wording/summary_wording.ts";
import { routeLink } from "../model/route.ts";
import { useModel } from "../parts/context.ts";
import { SeverityMark } from "../parts/marks.tsx";
import { Message, OperationLink } from "../parts/names.tsx";

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
  const model = useModel();
  const { traffic } = model.data;
  const { first_at, last_at } = traffic;
  const { succeeded } = model.data.summary.operations;
  const undocumented =
    model.operations.filter(({ data }) => data.undocumented_responses.length > 0).length;
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
        {typeof succeeded === "number"
          ? <Fact name="Succeeded">{formatAmount(succeeded, "operation")}</Fact>
          : null}
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
  const model = useModel();
  const { summary: { tcl }, tcl_criteria } = model.data;
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

function Findings(): JSX.Element | null {
  const model = useModel();
  const { diagnostics } = model.data;
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

export function TrafficFacts(): JSX.Element {
  return (
    <>
      <Traffic />
      <Level />
      <Slowest />
      <Findings />
    </>
  );
}
