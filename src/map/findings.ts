import type { CoveredOperation } from "./coverage.ts";
import type { Evidence } from "./evidence.ts";
import { countedKeywords, requiredRule } from "./enforcement.ts";
import type { Finding } from "./results.ts";

/** The contradictions between an operation and its description that traffic has shown (semantics, section 11). */
export function addFindings(operation: CoveredOperation, found: Finding[]): void {
  const { hits, plan: { model: { method, path } } } = operation;
  if (hits === undefined || operation.excluded !== undefined) return;
  const of = { method, path };
  const evidence = hits.evidence.list();
  const shown = ({ count, firstAt, example }: Pick<Evidence, "count" | "firstAt" | "example">) => ({
    count,
    first_at: firstAt === Infinity ? null : firstAt,
    example,
  });
  const accepted = evidence.filter(({ kind }) => kind === "accepted");
  if (accepted.length > 0) {
    operation.parameters.forEach((covered, parameter) => {
      const { plan } = covered;
      const own = new Map(
        accepted.filter((one) => one.parameter === parameter).map((one) => [one.detail, one]),
      );
      if (own.size === 0 || covered.excluded !== undefined) return;
      const { location, name } = plan.model;
      const required = requiredRule(plan);
      const paths = countedKeywords(covered).map(({ schema_path }) => schema_path);
      for (const schema_path of required === undefined ? paths : [required, ...paths]) {
        const one = own.get(schema_path);
        if (one === undefined) continue;
        const where = { ...of, location, parameter: name, schema_path };
        found.push({ kind: "keyword_not_enforced", ...where, ...shown(one) });
      }
    });
  }
  const byStatus = (kind: Evidence["kind"]) =>
    evidence.filter((one) => one.kind === kind)
      .sort((a, b) => Number(a.detail) - Number(b.detail));
  for (const kind of ["valid_request_refused", "undocumented_status"] as const) {
    for (const one of byStatus(kind)) {
      found.push({ kind, ...of, status_code: one.detail, ...shown(one) });
    }
  }
  for (const [media_type, count] of hits.undocumentedBodies.list()) {
    found.push({
      kind: "undocumented_body",
      ...of,
      media_type,
      count,
      first_at: null,
      example: null,
    });
  }
  for (const one of byStatus("server_error")) {
    const valid = hits.evidence.get("server_error_valid", -1, one.detail)?.count ?? 0;
    found.push({ kind: "server_error", ...of, status_code: one.detail, valid, ...shown(one) });
  }
}
