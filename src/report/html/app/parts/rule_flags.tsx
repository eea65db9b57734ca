/** @jsxImportSource preact */
import type { JSX } from "preact";
import { formatNumber } from "../../../wording/amounts.ts";
import type { RuleAnswers } from "../model/rule_answers.ts";

interface Props {
  /** Undefined if no answer tells about the rule. */
  readonly answers: RuleAnswers | undefined;
  /** True to say so. */
  readonly neverAlone?: boolean;
  /** The fault of requests that break the rule (default: `invalid`). */
  readonly fault?: string;
}

/** Flags that say whether the API enforces a rule; nothing where that is unknown. */
export function RuleFlags(
  { answers, neverAlone = false, fault = "invalid" }: Props,
): JSX.Element | null {
  if (answers === undefined && !neverAlone) return null;
  const { refused = 0, accepted = 0 } = answers ?? {};
  return (
    <span class="flags rule-flags">
      {refused === 0
        ? null
        : <span class="flag flag-proven">proven: {formatNumber(refused)} refused</span>}
      {accepted === 0 ? null : (
        <span class="flag flag-alert">
          accepted although {fault}: {formatNumber(accepted)}
        </span>
      )}
      {neverAlone ? <span class="flag">never alone</span> : null}
    </span>
  );
}
