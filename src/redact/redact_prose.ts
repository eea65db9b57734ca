import { maskText } from "./mask_text.ts";
import { isTokenLike } from "./secret_names.ts";

/** A part that each of the two has: a quick test before the exact ones. */
const HINT = /assword\s|(?:ass(?:phrase|code)|secret|token|key) (?:is|was|(?:re)?set|changed) /i;
/** The numbers bound what is looked at again for each name. */
const SAID =
  /(?<![\w-])(?:pass(?:word|phrase|code)|(?:access|api|private|secret)[ -]key|secret|token)(?: (?:is|was)(?: now| still)?| (?:(?:is|was) )?(?:set|reset|changed) to) ["'`]?([^\s"'`]{6,200})/gi;
/** What describes a secret: `sha256`, `32-byte`, `8-64`. */
const ABOUT =
  /^(?:(?:aes|argon|base|ed|es|hs|md|oauth|pbkdf|ps|rs|rsa|sha|utf)[-_]?\d|\d+[-–]?(?:bits?|bytes?|char(?:acter)?s?|days?|digits?|hours?|minutes?|seconds?)(?![A-Za-z0-9])|[\d.,–-]+$|https?:)/i;
/** An entry of `.netrc`, in which words follow each other. */
const NETRC =
  /(?<![\w.-])((?:machine\s{1,8}\S{1,255}|default)((?:\s{1,8}(?:login|account)\s{1,8}\S{1,255}){0,2})\s{1,8}password\s{1,8})(\S{1,255})(?=(\s{1,8}(?:login|account)\s)?)/g;

/**
 * Masks passwords and tokens that follow their name as the next word: in sentences ("the password is …"), if they have a
 * digit, and in `.netrc`.
 *
 * @example
 * ```ts
 * import { redactProse } from "./redact_prose.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(redactProse("Your password is hunter2."), "Your password is aaaaaa1.");
 * assert.equal(redactProse("Your password is required."), "Your password is required.");
 * assert.equal(redactProse("machine h login ada password Ab1"), "machine h login ada password Aa1");
 * ```
 */
export function redactProse(text: string): string {
  if (!HINT.test(text)) return text;
  return text.replace(
    SAID,
    (all: string, value: string) =>
      isTokenLike(value) && !ABOUT.test(value) ? masked(all, value) : all,
  )
    .replace(
      NETRC,
      (all: string, start: string, before: string, value: string, after?: string) =>
        before !== "" || after !== undefined ? start + maskText(value) : all,
    );
}

function masked(all: string, value: string): string {
  return all.slice(0, all.length - value.length) + maskText(value);
}
