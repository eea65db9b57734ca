// What a terminal acts on instead of showing: C0 and C1 controls with DEL, and the characters that
// reorder or hide neighbouring text (bidirectional controls, line separators, zero-width marks, tags).
const UNSAFE =
  // deno-lint-ignore no-control-regex -- finding control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

// Commands to build servers: at the beginning of a line, at the beginning of a word that may be wrapped, or anywhere.
const COMMAND = /(?<=^|\s):(?=:)|(?<=#)#(?=[\w.-]{0,30}\[)|(?<=^|\s)s(?=ection_(?:start|end):)/g;

/**
 * Makes text from a description or from traffic safe to print: whatever a terminal would act on is
 * written as its escape, so that nothing recorded can move the cursor, colour the screen or forge a line. So is what
 * build servers act on in a log (`::error::`, `##vso[…]`, `##teamcity[…]`, `section_start:`).
 *
 * @example
 * ```ts
 * import { plainText } from "./plain_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(plainText("/a\u001b[31m\n"), "/a\\u001b[31m\\n");
 * assert.equal(plainText("::error::x of Shop::API"), "\\u003a:error::x of Shop::API");
 * ```
 */
export function plainText(text: string): string {
  return text.replace(UNSAFE, escaped).replace(COMMAND, escaped);
}

function escaped(character: string): string {
  switch (character) {
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    default: {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
    }
  }
}
