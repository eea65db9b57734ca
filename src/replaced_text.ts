/** What recorders call it where they leave a value out. */
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

/** By the first character, up to `{`: 1 where it may begin one, 2 where the next one then is a capital too. */
const BEGINNINGS: Uint8Array = Uint8Array.from({ length: 124 }, (_, code) => {
  const character = String.fromCharCode(code);
  return "[<{(*_".includes(character) ? 1 : "FRS".includes(character) ? 2 : 0;
});

/**
 * Whether a text is what a recorder writes in the place of a value that may be secret: `[Filtered]` of Schemathesis,
 * `<API_KEY>` by the convention of Ruby VCR, `REDACTED` as users of vcrpy have it. Only a text as a whole is: one that
 * merely contains such a word may have been sent. Nearly all others are told apart by their first character.
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
  const beginning = BEGINNINGS[text.charCodeAt(0)];
  if (beginning === 0 || beginning === undefined) return false;
  if (beginning === 2 && text.charCodeAt(1) > 90) return false;
  return text.length <= LONGEST && (MARKED.test(text) || NAMED.test(text));
}
