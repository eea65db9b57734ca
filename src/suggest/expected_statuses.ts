/**
 * The documented statuses of an answer: of success, or of a refusal; `default` where neither is documented.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { expectedStatuses } from "./expected_statuses.ts";
 *
 * const documented = ["201", "400", "404", "default"];
 * assert.deepEqual(expectedStatuses(documented, true), ["201"]);
 * assert.deepEqual(expectedStatuses(documented, false), ["400"]);
 * assert.deepEqual(expectedStatuses(["200", "default"], false), ["default"]);
 * ```
 */
export function expectedStatuses(
  documented: readonly string[],
  isValid: boolean,
): readonly string[] {
  const kind = isValid ? /^[23]/ : /^4(?:00|13|14|15|22|31|XX)$/i;
  const found = documented.filter((status) => kind.test(status));
  return found.length > 0 ? found : documented.filter((status) => status === "default");
}
