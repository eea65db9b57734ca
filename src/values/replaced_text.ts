/** The words that recorders write in place of a value. */
const WORDS = "filtered|redacted|scrubbed|sanitized|masked|hidden|removed";

const MARKED = new RegExp(
  `^(?:\\[(?:${WORDS})\\]|<(?:${WORDS})>|\\{(?:${WORDS})\\}|\\((?:${WORDS})\\)|` +
    `\\*+(?:${WORDS})\\*+|_+(?:${WORDS})_+)$`,
  "i",
);
/** A name in capitals in angle brackets, the convention of Ruby VCR, or a word that is unambiguous without brackets. */
const NAMED = /^(?:<[A-Z][A-Z\d]*(?:[ _-][A-Z\d]+)*>|FILTERED|REDACTED|SCRUBBED|SANITIZED)$/;

const MAX_LENGTH = 64;

/** The last character's code, indexed by the code of the first one (up to `{`); 0 where no replacement begins so. */
const ENDINGS: Uint8Array = new Uint8Array(124);
for (const pair of ["[]", "<>", "{}", "()", "**", "__", "FD", "RD", "SD"]) {
  ENDINGS[pair.charCodeAt(0)] = pair.charCodeAt(1);
}

/** True if the entire text is one that recorders write in place of a secret: `[Filtered]`, `<API_KEY>`, `REDACTED`. */
export function isReplacedText(text: string): boolean {
  const ending = ENDINGS[text.charCodeAt(0)];
  if (ending === 0 || ending === undefined) return false;
  const { length } = text;
  return text.charCodeAt(length - 1) === ending && length <= MAX_LENGTH &&
    (MARKED.test(text) || NAMED.test(text));
}
