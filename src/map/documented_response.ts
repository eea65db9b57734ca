import type { ResponseModel } from "../openapi/model.ts";

/**
 * The index of the documented response that a status selects: the one with the code, else with its range, else `default`;
 * -1 if there is none (semantics, section 7).
 *
 * @example
 * ```ts
 * import { documentedResponse } from "./documented_response.ts";
 * import assert from "node:assert/strict";
 *
 * const responses = ["200", "4xx", "default"].map((status_code) => ({ status_code, pointer: "" }));
 * assert.equal(documentedResponse(responses, 200), 0);
 * assert.equal(documentedResponse(responses, 404), 1);
 * assert.equal(documentedResponse(responses, 500), 2);
 * ```
 */
export function documentedResponse(responses: readonly ResponseModel[], status: number): number {
  const code = String(status);
  for (const key of [code, `${code.charAt(0)}XX`, "DEFAULT"]) {
    const index = responses.findIndex(({ status_code }) => status_code.toUpperCase() === key);
    if (index >= 0) return index;
  }
  return -1;
}
