import { append } from "../values/collections.ts";
import type { Access } from "./access.ts";
import { type CoveredOperation, coveredOperations } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { Evidence, EvidenceExample } from "./evidence.ts";
import type { OperationHits } from "./operation_hits.ts";
import { countedKeywords, requiredRule } from "./enforcement.ts";
import type { Finding, FindingExample } from "./results.ts";
import { documentedResponse } from "./response_plan.ts";
import { type ParameterPlan, requiredPointer } from "./parameter_plan.ts";
import { coveredResponse, type CoveredResponsePart } from "./response_coverage.ts";

interface ShownEvidence extends Pick<Evidence, "count" | "firstAt"> {
  readonly example?: EvidenceExample | undefined;
}

/** Matches the shape of a body with a string in place of a value of another type, as `typeName()` writes it. */
const COERCIBLE = /"string \((?:integer|number|boolean)\)"/;

/** Returns the contradictions between the API and its description that traffic revealed, in document order. */
export function findings(
  plan: CoveragePlan,
  hits: Hits,
  exclusions?: Exclusions,
  access?: Access,
): Finding[] {
  const found: Finding[] = [];
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    addFindings(operation, found, access);
  }
  return found;
}

/** Adds the contradictions between an operation and its description that traffic revealed (semantics, section 11). */
export function addFindings(operation: CoveredOperation, found: Finding[], access?: Access): void {
  const { hits, credentials, plan: { model: { method, path } } } = operation;
  if (hits === undefined || operation.excluded !== undefined) return;
  const of = { method, path };
  const evidence = hits.evidence.list();
  const shown = (one: ShownEvidence): FindingFacts => shownFacts(method, one);
  const accepted = evidence.filter(({ kind }) => kind === "accepted");
  if (accepted.length > 0) {
    // `required` of the body is one rule, although each of its media types has evidence about it.
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
        const coercible = schema_path.endsWith("/type") && location === "body" &&
          COERCIBLE.test(one.example.request?.text.shape ?? "");
        found.push({
          kind: "keyword_not_enforced",
          ...where,
          ...(coercible && { coercible }),
          ...shown(one),
        });
      }
    });
  }
  if (credentials?.notRequired !== undefined) {
    found.push({ kind: "credentials_not_required", ...of, ...shown(credentials.notRequired) });
  }
  append(found, access?.findings(operation.plan.index) ?? []);
  const byStatus = (kind: Evidence["kind"]) =>
    evidence.filter((one) => one.kind === kind)
      .sort((a, b) => Number(a.detail) - Number(b.detail));
  for (const one of byStatus("valid_request_refused")) {
    found.push({ kind: "valid_request_refused", ...of, status_code: one.detail, ...shown(one) });
  }
  const undocumented = [...hits.undocumented].sort(([a], [b]) => Number(a) - Number(b));
  for (const [status_code, { hits: count }] of undocumented) {
    // Hits files of older versions have only the count.
    const { firstAt, example } = hits.evidence.get("undocumented_status", -1, status_code) ??
      { firstAt: Infinity, example: { status_code: Number(status_code) } };
    const kind = "undocumented_status";
    found.push({ kind, ...of, status_code, ...shown({ count, firstAt, example }) });
  }
  for (const { mediaType, hits: count, firstAt, example } of hits.undocumentedBodies.list()) {
    const facts = shown({ count, firstAt, example });
    found.push({ kind: "undocumented_body", ...of, media_type: mediaType, ...facts });
  }
  addResponseFindings(operation, found);
  for (const one of byStatus("server_error")) {
    const valid = hits.evidence.get("server_error_valid", -1, one.detail)?.count ?? 0;
    found.push({ kind: "server_error", ...of, status_code: one.detail, valid, ...shown(one) });
  }
  const answers = countAnswers(hits);
  if (answers > 0 && hits.succeeded === 0) {
    const firstAt = hits.firstAt ?? Infinity;
    const example = hits.evidence.get("failed", -1, "")?.example;
    const facts = shown({ count: answers, firstAt, example });
    found.push({ kind: "never_succeeded", ...of, ...facts });
  }
}

function countAnswers({ responses, undocumented }: OperationHits): number {
  let answers = 0;
  for (const response of responses) answers += response?.hits ?? 0;
  for (const { hits } of undocumented.values()) answers += hits;
  return answers;
}

type FindingFacts = Pick<Finding, "count" | "first_at" | "example">;

function addResponseFindings(operation: CoveredOperation, found: Finding[]): void {
  const { hits, excludedResponses, plan: { model } } = operation;
  if (hits === undefined) return;
  const { method, path } = model;
  model.responses.forEach(({ status_code }, index) => {
    const isHit = (hits.responses[index]?.parts.length ?? 0) > 0;
    if (!isHit || excludedResponses[index] !== undefined) return;
    const { mediaTypes, headers } = coveredResponse(operation, index);
    for (const part of [...mediaTypes, ...headers]) {
      for (const one of listViolations(part)) {
        const { location, name } = part.plan.model;
        found.push({
          kind: "response_violates_schema",
          method,
          path,
          status_code,
          ...(location === "header" ? { header: name } : { media_type: name }),
          schema_path: one.detail,
          ...howBroken(part.plan, one.detail),
          ...shownFacts(method, one, location === "header" ? undefined : name),
        });
      }
    }
  });
  for (
    const { status, mediaType, hits: count, firstAt, example } of hits.undocumentedAnswers.list()
  ) {
    const index = documentedResponse(model.responses, Number(status));
    if (index < 0 || excludedResponses[index] !== undefined) continue;
    const documents = (operation.plan.response(index)?.mediaTypes.length ?? 0) > 0;
    found.push({
      kind: documents ? "undocumented_media_type" : "undocumented_body",
      method,
      path,
      status_code: status,
      media_type: mediaType,
      ...shownFacts(method, { count, firstAt, example }, mediaType),
    });
  }
}

/** Returns the violations in a part of a response, in the order of their pointers and without excluded keywords. */
function listViolations({ hits, excluded }: CoveredResponsePart): readonly Evidence[] {
  return hits?.violations.list().filter(({ detail }) => !excluded.has(detail)) ?? [];
}

function howBroken(
  plan: ParameterPlan,
  path: string,
): { readonly missing?: true; readonly malformed?: true } {
  if (path === plan.schema_path) return { malformed: true };
  return plan.model.required && path === requiredPointer(plan.model) ? { missing: true } : {};
}

function shownFacts(
  method: string,
  { count, firstAt, example }: ShownEvidence,
  mediaType?: string,
): FindingFacts {
  return {
    count,
    first_at: firstAt === Infinity ? null : firstAt,
    example: example === undefined ? null : findingExample(method, example, mediaType),
  };
}

/** @param mediaType The media type of the response body, if the finding is about one. */
function findingExample(
  method: string,
  { status_code, instance, request }: EvidenceExample,
  mediaType = "",
): FindingExample {
  const text = request?.text;
  return {
    status_code,
    ...(mediaType !== "" && { media_type: mediaType }),
    ...(instance !== undefined && { instance }),
    ...(text !== undefined && {
      request: {
        method,
        url: text.url,
        ...(text.media_type !== undefined && {
          body: {
            media_type: text.media_type,
            ...(text.shape !== undefined && { shape: JSON.parse(text.shape) }),
          },
        }),
      },
    }),
  };
}
