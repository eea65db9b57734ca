import type { Gap } from "../../map/results.ts";
import { keywordWording, responseWording } from "../wording/gap_wording.ts";
import { keywordPlace } from "../wording/keyword_place.ts";
import { keywordText } from "../html/keyword_text.ts";
import { plainText } from "./plain_text.ts";
import { cutText } from "./text_width.ts";

/** The length up to which an example's value is shown, in columns. */
const VALUE_WIDTH = 60;

/**
 * The text after an operation's name: what is missing and what to send. Nothing in it acts on a terminal.
 *
 * @param valueOf What a keyword says in the description, by its schema path; without it there is less advice.
 *
 * @example
 * ```ts
 * import { gapText } from "./gap_text.ts";
 * import assert from "node:assert/strict";
 *
 * const of = { method: "GET", path: "/users", location: "query", parameter: "limit" } as const;
 * assert.equal(gapText({ kind: "parameter_uncovered", ...of }), "query limit was never sent");
 * assert.equal(
 *   gapText({ kind: "keyword_uncovered", ...of, schema_path: "/a/schema/maximum", state: "invalid" }, () => 100),
 *   "maximum of query limit never failed: send more than 100",
 * );
 * ```
 */
export function gapText(gap: Gap, valueOf?: (schema_path: string) => unknown): string {
  switch (gap.kind) {
    case "operation_uncovered":
      return "was never called";
    case "parameter_uncovered":
      return `${parameterName(gap)} was never sent`;
    case "keyword_uncovered": {
      const keyword = gap.schema_path.slice(gap.schema_path.lastIndexOf("/") + 1);
      const text = keywordText(valueOf?.(gap.schema_path)) ?? null;
      const place = `${plainText(keywordPlace(gap.schema_path))} of ${parameterName(gap)}`;
      return `${place} ${plainText(keywordWording(keyword, text, gap.state))}`;
    }
    case "example_uncovered": {
      const value = cutText(plainText(JSON.stringify(gap.value)), VALUE_WIDTH);
      return `the example ${value} of ${parameterName(gap)} was never used`;
    }
    case "response_uncovered":
      return `response ${plainText(gap.status_code)} ${responseWording(gap.status_code)}`;
  }
}

function parameterName(gap: { readonly location: string; readonly parameter: string }): string {
  return `${gap.location.replace("_", " ")} ${plainText(gap.parameter)}`;
}
