import type { ParameterPlan } from "./parameter_plan.ts";
import type { ResponseModel } from "../openapi/model.ts";

/** The index of a status's response: its code, else its range, else `default`; else -1 (semantics, section 7). */
export function documentedResponse(responses: readonly ResponseModel[], status: number): number {
  const code = String(status);
  for (const key of [code, `${code.charAt(0)}XX`, "DEFAULT"]) {
    const index = responses.findIndex(({ status_code }) => status_code.toUpperCase() === key);
    if (index >= 0) return index;
  }
  return -1;
}

/** Everything that bodies and headers of a documented response can show. */
export interface ResponsePlan {
  /** Its media types; in Swagger 2.0 one for all that the operation produces. */
  readonly mediaTypes: readonly ParameterPlan[];
  readonly headers: readonly ParameterPlan[];
  /** Both, the media types first: the order in which hits have them. */
  readonly parts: readonly ParameterPlan[];
}

/** True if a response to a method can have a body (RFC 9110, section 6.4.1). */
export function mayHaveBody(method: string, status: string): boolean {
  return method !== "HEAD" && !/^(?:1..|204|205|304)$/.test(status);
}
