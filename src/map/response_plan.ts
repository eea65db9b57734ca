import type { ParameterPlan } from "./parameter_plan.ts";
import type { ResponseModel } from "../openapi/model.ts";

/** Returns the index of the response for a status: by code, by range, or `default`; else -1 (semantics, section 7). */
export function documentedResponse(responses: readonly ResponseModel[], status: number): number {
  const code = String(status);
  for (const key of [code, `${code.charAt(0)}XX`, "DEFAULT"]) {
    const index = responses.findIndex(({ status_code }) => status_code.toUpperCase() === key);
    if (index >= 0) return index;
  }
  return -1;
}

export interface ResponsePlan {
  /** Its media types; in Swagger 2.0, a single one for all that the operation produces. */
  readonly mediaTypes: readonly ParameterPlan[];
  readonly headers: readonly ParameterPlan[];
  /** Media types, then headers. Hits have the same order. */
  readonly parts: readonly ParameterPlan[];
}

/** True if a response to this method may have a body (RFC 9110, section 6.4.1). */
export function mayHaveBody(method: string, status: string): boolean {
  return method !== "HEAD" && !/^(?:1..|204|205|304)$/.test(status);
}
