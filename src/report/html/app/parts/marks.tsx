import type { JSX } from "preact";
import type { Diagnostic } from "../../../../values/diagnostic.ts";
import { coverageLevel, formatNumber } from "../../../wording/amounts.ts";
import type { ReportExclusion, ReportKeyword } from "../../../report.ts";
import { findExclusion, type GapChange } from "../model/model.ts";
import { useModel } from "./context.ts";

const RING = <circle cx="8" cy="8" r="6" class="mark-ring" />;
const SHAPES = {
  full: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.6 8.2 7 10.6l4.4-5" class="mark-tick" />
    </>
  ),
  partial: (
    <>
      {RING}
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </>
  ),
  none: RING,
  excluded: <path d="M3 8h10" class="mark-ring" />,
};

export type MarkState = keyof typeof SHAPES;

/** Shows a state by shape and text, so that it is clear without colour. */
export function StateMark({ state, children }: {
  readonly state: MarkState;
  readonly children?: JSX.Element | string;
}): JSX.Element {
  return (
    <span class={`mark mark-${state}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">{SHAPES[state]}</svg>
      {children === undefined ? null : <span>{children}</span>}
    </span>
  );
}

const SEVERITIES: Readonly<Record<Diagnostic["severity"], string>> = {
  error: "M8 1.5 14.5 8 8 14.5 1.5 8zM8 5v3.6M8 10.6v.8",
  warning: "M8 2 14.6 13.6H1.4zM8 6.2v3.6M8 11.4v.6",
  info: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M8 7.2v4M8 4.6v.8",
};

export function SeverityMark({ severity }: Pick<Diagnostic, "severity">): JSX.Element {
  return (
    <span class={`severity severity-${severity}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={SEVERITIES[severity]} class="mark-ring" />
      </svg>
      <span>{severity}</span>
    </span>
  );
}

export function Chevron(): JSX.Element {
  return (
    <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d="M5.5 2.5 11 8l-5.5 5.5" class="mark-ring" />
    </svg>
  );
}

export function Brand(): JSX.Element {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      {SHAPES.partial}
    </svg>
  );
}

export function levelClass(percent: number | null): string {
  const level = coverageLevel(percent);
  return level === null ? "" : `level-${level}`;
}

/** The width of a bar in percent. Parts that aren't 0 are at least 1% wide. */
function width(part: number, total: number): string {
  return `${part === 0 || total === 0 ? 0 : Math.max(1, 100 * part / total)}%`;
}

/** A bar that repeats the numbers beside it, so it is hidden from screen readers. */
export function Bar({ full, partial = 0, total }: {
  readonly full: number;
  readonly partial?: number;
  readonly total: number;
}): JSX.Element {
  return (
    <span class={total === 0 ? "bar bar-void" : "bar"} aria-hidden="true">
      <span class="bar-full" style={{ width: width(full, total) }} />
      <span class="bar-partial" style={{ width: width(partial, total) }} />
    </span>
  );
}

export function ChangeFlag(
  { change }: { readonly change: GapChange | undefined },
): JSX.Element | null {
  if (change === undefined) return null;
  return change === "new"
    ? <span class="flag flag-alert" title="The baseline covers it.">new gap</span>
    : <span class="flag" title="The baseline does not have it.">added</span>;
}

export function exclusionText({ pattern, reason }: ReportExclusion): string {
  return reason ?? pattern;
}

/** Notes that something is excluded, and why. Renders nothing if it is counted. */
export function ExclusionNote(
  { of }: { readonly of: { readonly excluded?: number } },
): JSX.Element | null {
  const exclusion = findExclusion(useModel().data, of);
  return exclusion === null ? null : (
    <div class="muted small">
      Excluded: <bdi>{exclusionText(exclusion)}</bdi> (<bdi>{exclusion.source}</bdi>)
    </div>
  );
}

/** Flags that show whether the API enforces a rule. Renders nothing if unknown. */
export function RuleFlags({ answers, neverAlone = false, fault = "invalid" }: {
  readonly answers: Pick<ReportKeyword, "refused" | "accepted"> | undefined;
  readonly neverAlone?: boolean;
  readonly fault?: string;
}): JSX.Element | null {
  const { refused = 0, accepted = 0 } = answers ?? {};
  if (refused + accepted === 0 && !neverAlone) return null;
  return (
    <span class="flags rule-flags">
      {refused > 0 && <span class="flag flag-proven">proven: {formatNumber(refused)} refused</span>}
      {accepted > 0 && (
        <span class="flag flag-alert">
          accepted although {fault}: {formatNumber(accepted)}
        </span>
      )}
      {neverAlone ? <span class="flag">never alone</span> : null}
    </span>
  );
}
