import { keywordsHolding } from "../values/keyword_table.ts";
import { isReplacedText } from "../values/replaced_text.ts";

/** Members whose value, with all that is in it, is what clients may send. */
const VALUES = new Set(keywordsHolding("values"));

/**
 * The texts that look as if a recorder had written them and that a description has among its values: there they mean
 * themselves. Looks through everything, so it is meant for the moment when such a text turns up.
 *
 * @param documents The values of a description's documents: trees of JSON.
 *
 * @example
 * ```ts
 * import { documentedTexts } from "./documented_texts.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual([...documentedTexts([{ enum: ["REDACTED", "PLAIN"] }])], ["REDACTED"]);
 * assert.equal(documentedTexts([{ description: "REDACTED" }]).size, 0);
 * ```
 */
export function documentedTexts(documents: Iterable<unknown>): ReadonlySet<string> {
  const texts = new Set<string>();
  const open: (readonly [value: unknown, isSent: boolean])[] = [];
  for (const document of documents) open.push([document, false]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, isSent] = next;
    if (typeof value === "string") {
      if (isSent && isReplacedText(value)) texts.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        open.push([member, isSent || VALUES.has(name)]);
      }
    }
  }
  return texts;
}
