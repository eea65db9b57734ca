import type { Finding } from "../../map/results.ts";
import { findingIdentity } from "../finding_identity.ts";
import type { Crossing } from "./crossing.ts";

/**
 * The findings that the baseline lacks. Rules of requests are paired as gaps are: one that was moved in the description
 * is the same rule.
 *
 * @param back Finds what the report has in the baseline.
 */
export function newFindings(
  findings: readonly Finding[],
  base: readonly Finding[],
  back: Crossing,
): Finding[] {
  const known = new Set(base.map(findingIdentity));
  return findings.filter((finding) => !known.has(findingIdentity(asInBaseline(finding, back))));
}

/** A finding with the names and pointers of the baseline's description. */
function asInBaseline(finding: Finding, back: Crossing): Finding {
  const { method, path } = finding;
  const before = back.counterpart({ kind: "operation_uncovered", method, path });
  if (before === undefined) return finding;
  const named = { ...finding, method: before.gap.method, path: before.gap.path };
  if (named.kind !== "keyword_not_enforced") return named;
  const { location, parameter, schema_path } = named;
  const of = { method, path, location, parameter };
  if (named.missing === true) {
    const bearer = back.counterpart({ kind: "parameter_uncovered", ...of })?.gap;
    return bearer !== undefined && "parameter" in bearer
      ? { ...named, location: bearer.location, parameter: bearer.parameter }
      : named;
  }
  const rule = back.counterpart({ kind: "keyword_uncovered", ...of, schema_path, state: "invalid" })
    ?.gap;
  return rule?.kind === "keyword_uncovered"
    ? {
      ...named,
      location: rule.location,
      parameter: rule.parameter,
      schema_path: rule.schema_path,
    }
    : named;
}
