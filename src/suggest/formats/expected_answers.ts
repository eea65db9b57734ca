/**
 * The answers that a suggestion expects, in words: `default` is documented for all other statuses, of which a valid
 * request expects one of success, and one that breaks a rule a refusal.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { expectedAnswers } from "./expected_answers.ts";
 *
 * assert.deepEqual(expectedAnswers(["400", "4XX"], false), ["400", "4xx"]);
 * assert.deepEqual(expectedAnswers(["default"], false), ["4xx (documented as default)"]);
 * ```
 */
export function expectedAnswers(expects: readonly string[], isValid: boolean): readonly string[] {
  return expects.map((status) =>
    status === "default"
      ? `${isValid ? "2xx" : "4xx"} (documented as default)`
      : status.replaceAll("X", "x")
  );
}
