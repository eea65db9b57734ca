import { type CoveredOperation, coveredOperations } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { Evidence } from "./evidence.ts";
import type { OperationHits } from "./operation_hits.ts";
import { countedKeywords, requiredRule } from "./enforcement.ts";
import { addResponseFindings } from "./response_findings.ts";
import type { Finding } from "./results.ts";

type ShownEvidence = Pick<Evidence, "count" | "firstAt"> & Partial<Pick<Evidence, "example">>;

/** The contradictions between the API and its description that traffic has shown, in the order of the document. */
export function findings(plan: CoveragePlan, hits: Hits, exclusions?: Exclusions): Finding[] {
  const found: Finding[] = [];
  for (const operation of coveredOperations(plan, hits, exclusions)) addFindings(operation, found);
  return found;
}

/** The contradictions between an operation and its description that traffic has shown (semantics, section 11). */
export function addFindings(operation: CoveredOperation, found: Finding[]): void {
  const { hits, credentials, plan: { model: { method, path } } } = operation;
  if (hits === undefined || operation.excluded !== undefined) return;
  const of = { method, path };
  const evidence = hits.evidence.list();
  const shown = ({ count, firstAt, example }: ShownEvidence) => ({
    count,
    first_at: firstAt === Infinity ? null : firstAt,
    example: example ?? null,
  });
  const accepted = evidence.filter(({ kind }) => kind === "accepted");
  if (accepted.length > 0) {
    // That there has to be a body is one rule, which each of its media types has evidence of.
    const listed = new Set<string>();
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
        if (one === undefined || listed.has(schema_path)) continue;
        if (schema_path === required) listed.add(schema_path);
        const where = {
          ...of,
          location,
          parameter: name,
          schema_path,
          ...(schema_path === required && { missing: true as const }),
        };
        found.push({ kind: "keyword_not_enforced", ...where, ...shown(one) });
      }
    });
  }
  if (credentials?.notRequired !== undefined) {
    found.push({ kind: "credentials_not_required", ...of, ...shown(credentials.notRequired) });
  }
  const byStatus = (kind: Evidence["kind"]) =>
    evidence.filter((one) => one.kind === kind)
      .sort((a, b) => Number(a.detail) - Number(b.detail));
  for (const one of byStatus("valid_request_refused")) {
    found.push({ kind: "valid_request_refused", ...of, status_code: one.detail, ...shown(one) });
  }
  const undocumented = [...hits.undocumented].sort(([a], [b]) => Number(a) - Number(b));
  for (const [status_code, count] of undocumented) {
    // Hits of older versions have the count alone.
    const { firstAt, example } = hits.evidence.get("undocumented_status", -1, status_code) ??
      { firstAt: Infinity, example: { status_code: Number(status_code) } };
    const kind = "undocumented_status";
    found.push({ kind, ...of, status_code, ...shown({ count, firstAt, example }) });
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
  addResponseFindings(operation, found);
  for (const one of byStatus("server_error")) {
    const valid = hits.evidence.get("server_error_valid", -1, one.detail)?.count ?? 0;
    found.push({ kind: "server_error", ...of, status_code: one.detail, valid, ...shown(one) });
  }
  const answers = answersOf(hits);
  if (answers > 0 && hits.succeeded === 0) {
    const firstAt = hits.firstAt ?? Infinity;
    found.push({ kind: "never_succeeded", ...of, ...shown({ count: answers, firstAt }) });
  }
}

/** The number of responses that came. */
function answersOf({ responses, undocumented }: OperationHits): number {
  let answers = 0;
  for (const response of responses) answers += response?.hits ?? 0;
  for (const count of undocumented.values()) answers += count;
  return answers;
}
