/** The words that recorders use where they leave a value out. */
const WORDS = "filtered|redacted|scrubbed|sanitized|masked|hidden|removed";

/** One of the words in brackets of any kind, in any case. */
const MARKED = new RegExp(
  `^(?:\\[(?:${WORDS})\\]|<(?:${WORDS})>|\\{(?:${WORDS})\\}|\\((?:${WORDS})\\)|` +
    `\\*+(?:${WORDS})\\*+|_+(?:${WORDS})_+)$`,
  "i",
);
/** A name in capitals in angle brackets, by the convention of Ruby VCR, or a word that says it by itself. */
const NAMED = /^(?:<[A-Z][A-Z\d]*(?:[ _-][A-Z\d]+)*>|FILTERED|REDACTED|SCRUBBED|SANITIZED)$/;

/** Longer texts are none. */
const LONGEST = 64;

/** The code of the last character by that of the first, up to `{`; 0 if none begins so. */
const ENDINGS: Uint8Array = new Uint8Array(124);
for (const pair of ["[]", "<>", "{}", "()", "**", "__", "FD", "RD", "SD"]) {
  ENDINGS[pair.charCodeAt(0)] = pair.charCodeAt(1);
}

/**
 * True if a text is what a recorder writes in the place of a value that may be secret: `[Filtered]` of Schemathesis,
 * `<API_KEY>` by the convention of Ruby VCR, `REDACTED` as users of vcrpy have it. Only a text as a whole is: one that
 * merely contains such a word may have been sent. Nearly all others are told apart by their first and last character.
 *
 * @example
 * ```ts
 * import { isReplacedText } from "./replaced_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.ok(isReplacedText("[Filtered]") && isReplacedText("<API_KEY>") && isReplacedText("REDACTED"));
 * assert.ok(!isReplacedText("Redacted by Ann") && !isReplacedText("<b>"));
 * ```
 */
export function isReplacedText(text: string): boolean {
  const ending = ENDINGS[text.charCodeAt(0)];
  if (ending === 0 || ending === undefined) return false;
  const { length } = text;
  return text.charCodeAt(length - 1) === ending && length <= LONGEST &&
    (MARKED.test(text) || NAMED.test(text));
}
