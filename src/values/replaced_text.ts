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
const MAX_LENGTH = 64;

/** The code of the last character by that of the first, up to `{`; 0 if none begins so. */
const ENDINGS: Uint8Array = new Uint8Array(124);
for (const pair of ["[]", "<>", "{}", "()", "**", "__", "FD", "RD", "SD"]) {
  ENDINGS[pair.charCodeAt(0)] = pair.charCodeAt(1);
}

/** True if a text as a whole is what a recorder writes for a secret: `[Filtered]`, `<API_KEY>`, `REDACTED`. */
export function isReplacedText(text: string): boolean {
  const ending = ENDINGS[text.charCodeAt(0)];
  if (ending === 0 || ending === undefined) return false;
  const { length } = text;
  return text.charCodeAt(length - 1) === ending && length <= MAX_LENGTH &&
    (MARKED.test(text) || NAMED.test(text));
}
