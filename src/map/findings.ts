import { append } from "../values/collections.ts";
import type { AccessMatrix } from "./access.ts";
import { type CoveredOperation, coveredOperations } from "./coverage.ts";
import { type CoveragePlan, documentedResponse } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { Evidence, EvidenceExample } from "./evidence.ts";
import type { OperationHits } from "./operation_hits.ts";
import { countedKeywords, requiredRule } from "./enforcement.ts";
import type { Finding, FindingBase, FindingExample } from "./results.ts";
import { type ParameterPlan, requiredPointer } from "./parameter_plan.ts";
import { coveredResponse, type CoveredResponsePart } from "./response_coverage.ts";

type AddFinding = (details: FindingDetails, item: FindingEvidence, mediaType?: string) => void;

type FindingDetails = DetailsOf<Finding>;
type DetailsOf<Kind> = Kind extends FindingBase ? Omit<Kind, keyof FindingBase> : never;

interface FindingEvidence extends Pick<Evidence, "count" | "firstAt"> {
  readonly example?: EvidenceExample | undefined;
}

/** Matches the shape of a body with a string in place of a value of another type, as `typeName()` writes it. */
const COERCIBLE = /"string \((?:integer|number|boolean)\)"/;

/** Returns the contradictions between the API and its description that traffic revealed, in document order. */
export function findings(
  plan: CoveragePlan,
  hits: Hits,
  exclusions?: Exclusions,
  access?: AccessMatrix,
): Finding[] {
  const findings: Finding[] = [];
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    addFindings(operation, findings, access);
  }
  return findings;
}

/** Adds the contradictions between an operation and its description that traffic revealed (semantics, section 11). */
export function addFindings(
  operation: CoveredOperation,
  findings: Finding[],
  access?: AccessMatrix,
): void {
  const { hits, credentials, plan: { model: { method, path } } } = operation;
  if (hits === undefined || operation.excluded !== undefined) return;
  const add: AddFinding = ({ kind, ...details }, { count, firstAt, example }, mediaType) => {
    findings.push({
      kind,
      method,
      path,
      ...details,
      count,
      first_at: firstAt === Infinity ? null : firstAt,
      example: example === undefined ? null : findingExample(method, example, mediaType),
    } as Finding);
  };
  const evidence = hits.evidence.list();
  const accepted = evidence.filter(({ kind }) => kind === "accepted");
  if (accepted.length > 0) {
    // `required` of the body is one rule, although each of its media types has evidence about it.
    const listedPaths = new Set<string>();
    operation.parameters.forEach((covered, parameter) => {
      const { plan } = covered;
      const evidenceByPath = new Map(
        accepted.filter((item) => item.parameter === parameter).map((item) => [item.detail, item]),
      );
      if (evidenceByPath.size === 0 || covered.excluded !== undefined) return;
      const { location, name } = plan.model;
      const required = requiredRule(plan);
      const paths = countedKeywords(covered).map(({ schema_path }) => schema_path);
      for (const schema_path of required === undefined ? paths : [required, ...paths]) {
        const item = evidenceByPath.get(schema_path);
        if (item === undefined || listedPaths.has(schema_path)) continue;
        if (schema_path === required) listedPaths.add(schema_path);
        const coercible = schema_path.endsWith("/type") && location === "body" &&
          COERCIBLE.test(item.example.request?.text.shape ?? "");
        add({
          kind: "keyword_not_enforced",
          location,
          parameter: name,
          schema_path,
          ...(schema_path === required && { missing: true }),
          ...(coercible && { coercible }),
        }, item);
      }
    });
  }
  if (credentials?.notRequired !== undefined) {
    add({ kind: "credentials_not_required" }, credentials.notRequired);
  }
  append(findings, access?.findings(operation.plan.index) ?? []);
  const byStatus = (kind: Evidence["kind"]) =>
    evidence.filter((item) => item.kind === kind)
      .sort((a, b) => Number(a.detail) - Number(b.detail));
  for (const item of byStatus("valid_request_refused")) {
    add({ kind: "valid_request_refused", status_code: item.detail }, item);
  }
  const undocumented = [...hits.undocumentedResponses].sort(([a], [b]) => Number(a) - Number(b));
  for (const [status_code, { hits: count }] of undocumented) {
    // Hits files of older versions have only the count.
    const { firstAt, example } = hits.evidence.get("undocumented_status", -1, status_code) ??
      { firstAt: Infinity, example: { status_code: Number(status_code) } };
    add({ kind: "undocumented_status", status_code }, { count, firstAt, example });
  }
  for (const { mediaType, hits: count, firstAt, example } of hits.undocumentedBodies.list()) {
    add({ kind: "undocumented_body", media_type: mediaType }, { count, firstAt, example });
  }
  addResponseFindings(operation, hits, add);
  for (const item of byStatus("server_error")) {
    const valid = hits.evidence.get("server_error_valid", -1, item.detail)?.count ?? 0;
    add({ kind: "server_error", status_code: item.detail, valid }, item);
  }
  const responseCount = countResponses(hits);
  if (responseCount > 0 && hits.succeeded === 0) {
    const firstAt = hits.firstAt ?? Infinity;
    const example = hits.evidence.get("failed", -1, "")?.example;
    add({ kind: "never_succeeded" }, { count: responseCount, firstAt, example });
  }
}

function countResponses({ responses, undocumentedResponses }: OperationHits): number {
  let count = 0;
  for (const response of responses) count += response?.hits ?? 0;
  for (const { hits } of undocumentedResponses.values()) count += hits;
  return count;
}

function addResponseFindings(
  operation: CoveredOperation,
  hits: OperationHits,
  add: AddFinding,
): void {
  const { excludedResponses, plan: { model: { responses } } } = operation;
  responses.forEach(({ status_code }, index) => {
    const isHit = (hits.responses[index]?.parts.length ?? 0) > 0;
    if (!isHit || excludedResponses[index] !== undefined) return;
    const { mediaTypes, headers } = coveredResponse(operation, index);
    for (const part of [...mediaTypes, ...headers]) {
      for (const violation of listViolations(part)) {
        const { location, name } = part.plan.model;
        add(
          {
            kind: "response_violates_schema",
            status_code,
            ...(location === "header" ? { header: name } : { media_type: name }),
            schema_path: violation.detail,
            ...violationFlags(part.plan, violation.detail),
          },
          violation,
          location === "header" ? undefined : name,
        );
      }
    }
  });
  for (
    const { status, mediaType, hits: count, firstAt, example } of hits.undocumentedResponseBodies
      .list()
  ) {
    const index = documentedResponse(responses, Number(status));
    if (index < 0 || excludedResponses[index] !== undefined) continue;
    const documentsBodies = (operation.plan.response(index)?.mediaTypes.length ?? 0) > 0;
    const kind = documentsBodies ? "undocumented_media_type" : "undocumented_body";
    const details = { kind, status_code: status, media_type: mediaType } as const;
    add(details, { count, firstAt, example }, mediaType);
  }
}

/** Returns the violations in a part of a response, in the order of their pointers and without excluded keywords. */
function listViolations({ hits, excluded }: CoveredResponsePart): readonly Evidence[] {
  return hits?.violations.list().filter(({ detail }) => !excluded.has(detail)) ?? [];
}

function violationFlags(
  plan: ParameterPlan,
  path: string,
): { readonly missing?: true; readonly malformed?: true } {
  if (path === plan.schema_path) return { malformed: true };
  return plan.model.required && path === requiredPointer(plan.model) ? { missing: true } : {};
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
