import type { Finding } from "../../map/results.ts";
import { formatAmount } from "./amounts.ts";
import { FINDING_KINDS, type FindingKind } from "./finding_wording.ts";

/** Findings of one kind. */
export interface FindingGroup {
  /** Their kind. */
  readonly kind: FindingKind;
  /** Those that more interactions show first, else in the order of the document. */
  readonly findings: readonly Finding[];
}

/**
 * Findings by their kind, the worst kind first.
 *
 * @example
 * ```ts
 * import { findingGroups } from "./finding_groups.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(findingGroups([]), []);
 * ```
 */
export function findingGroups(findings: readonly Finding[] = []): readonly FindingGroup[] {
  return FINDING_KINDS.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind.kind);
    return own.length === 0
      ? []
      : [{ kind, findings: own.toSorted((left, right) => right.count - left.count) }];
  });
}

/** The number of findings of each kind, the worst first: `1 server error, 2 rules not enforced`. */
export function findingCounts(groups: readonly FindingGroup[]): string {
  return groups.map(({ kind, findings }) => formatAmount(findings.length, ...kind.noun)).join(", ");
}
