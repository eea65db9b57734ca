import type { Gap } from "../../map/results.ts";
import { keywordPlace } from "./keyword_place.ts";
import { plainText } from "./plain_text.ts";
import { cutText } from "./text_width.ts";

/** How much of an example's value is shown, in columns. */
const VALUE_WIDTH = 60;

/**
 * Says what is missing of an operation, to stand behind its name. Nothing in it acts on a terminal.
 *
 * @example
 * ```ts
 * import { gapText } from "./gap_text.ts";
 * import assert from "node:assert/strict";
 *
 * const of = { method: "GET", path: "/users", location: "query", parameter: "limit" } as const;
 * assert.equal(gapText({ kind: "parameter_uncovered", ...of }), "query limit was never sent");
 * assert.equal(
 *   gapText({ kind: "keyword_uncovered", ...of, schema_path: "/a/schema/maximum", state: "invalid" }),
 *   "maximum of query limit never failed: send a value that breaks it",
 * );
 * ```
 */
export function gapText(gap: Gap): string {
  switch (gap.kind) {
    case "operation_uncovered":
      return "was never called";
    case "parameter_uncovered":
      return `${parameterName(gap)} was never sent`;
    case "keyword_uncovered": {
      const keyword = `${plainText(keywordPlace(gap.schema_path))} of ${parameterName(gap)}`;
      return gap.state === "valid"
        ? `${keyword} never passed: send a value that it is about and that keeps to it`
        : `${keyword} never failed: send a value that breaks it`;
    }
    case "example_uncovered": {
      const value = cutText(plainText(JSON.stringify(gap.value)), VALUE_WIDTH);
      return `the example ${value} of ${parameterName(gap)} was never sent`;
    }
    case "response_uncovered":
      return `the response ${plainText(gap.status_code)} never came`;
  }
}

function parameterName(gap: { readonly location: string; readonly parameter: string }): string {
  return `${gap.location.replace("_", " ")} ${plainText(gap.parameter)}`;
}
