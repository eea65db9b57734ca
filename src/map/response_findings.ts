import type { CoveredOperation } from "./coverage.ts";
import { documentedResponse } from "./documented_response.ts";
import type { Evidence } from "./evidence.ts";
import { type ParameterPlan, requiredPointer } from "./parameter_plan.ts";
import { coveredResponse, type CoveredResponsePart } from "./response_coverage.ts";
import type { Finding } from "./results.ts";

type FindingFacts = Pick<Finding, "count" | "first_at" | "example">;

/** The contradictions between responses of an operation and their description, in the order of the document. */
export function addResponseFindings(operation: CoveredOperation, found: Finding[]): void {
  const { hits, excludedResponses, plan: { model } } = operation;
  if (hits === undefined) return;
  const { method, path } = model;
  model.responses.forEach(({ status_code }, index) => {
    const isHit = (hits.responses[index]?.parts.length ?? 0) > 0;
    if (!isHit || excludedResponses[index] !== undefined) return;
    const { mediaTypes, headers } = coveredResponse(operation, index);
    for (const part of [...mediaTypes, ...headers]) {
      for (const one of violationsOf(operation, part)) {
        const { location, name } = part.plan.model;
        found.push({
          kind: "response_violates_schema",
          method,
          path,
          status_code,
          ...(location === "header" ? { header: name } : { media_type: name }),
          schema_path: one.detail,
          ...howBroken(part.plan, one.detail),
          ...factsOf(one, location === "header" ? undefined : name),
        });
      }
    }
  });
  for (const { status, mediaType, hits: count, firstAt } of hits.undocumentedAnswers.list()) {
    const index = documentedResponse(model.responses, Number(status));
    if (index < 0 || excludedResponses[index] !== undefined) continue;
    const documents = (operation.plan.response(index)?.mediaTypes.length ?? 0) > 0;
    found.push({
      kind: documents ? "undocumented_media_type" : "undocumented_body",
      method,
      path,
      status_code: status,
      media_type: mediaType,
      ...factsOf({ count, firstAt, example: { status_code: Number(status) } }, mediaType),
    });
  }
}

/** The rules that a part of a response broke, in the order of their pointers; not those of excluded keywords. */
function violationsOf(
  { exclusions }: CoveredOperation,
  { plan, hits, keywords }: CoveredResponsePart,
): readonly Evidence[] {
  const all = hits?.violations.list() ?? [];
  if (exclusions === undefined || all.length === 0) return all;
  const counted = new Set(keywords.map(({ schema_path }) => schema_path));
  return all.filter(({ detail }) => counted.has(detail) || howBroken(plan, detail) !== NO_KEYWORD);
}

const NO_KEYWORD = {};

function howBroken(
  plan: ParameterPlan,
  path: string,
): { readonly missing?: true; readonly malformed?: true } {
  if (path === plan.schema_path) return { malformed: true };
  return plan.model.required && path === requiredPointer(plan.model)
    ? { missing: true }
    : NO_KEYWORD;
}

function factsOf(
  { count, firstAt, example: { status_code, instance } }: Pick<
    Evidence,
    "count" | "firstAt" | "example"
  >,
  mediaType: string | undefined,
): FindingFacts {
  return {
    count,
    first_at: firstAt === Infinity ? null : firstAt,
    example: {
      status_code,
      ...(mediaType !== undefined && mediaType !== "" && { media_type: mediaType }),
      ...(instance !== undefined && { instance }),
    },
  };
}
