import { plainText } from "../text/plain_text.ts";
import { cutText } from "../text/text_width.ts";

/** The length up to which a text is shown, in columns. */
const WIDEST = 100;
/** Characters that stay literal within a code span, in a table too. */
const PLAIN_CODE = /^[^`|\\\s]([^`|\\]*[^`|\\\s])?$/;
/** Characters that Markdown, HTML or the formulas, emoji and links of code hosts may act on. */
const ACTIVE = /[\\`*_{}[\]<>#+|~&@:$=^!"']/g;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * Text as code, on one line and safe anywhere in Markdown, in table cells too.
 *
 * @example
 * ```ts
 * import { markdownCode } from "./markdown_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(markdownCode("/users/{id}"), "`/users/{id}`");
 * assert.equal(markdownCode("a|`b`"), "<code>a&#124;&#96;b&#96;</code>");
 * ```
 */
export function markdownCode(text: string): string {
  const plain = cutText(plainText(text), WIDEST);
  if (PLAIN_CODE.test(plain)) return `\`${plain}\``;
  return `<code>${plain.replace(ASCII_PUNCTUATION, entity)}</code>`;
}

/**
 * Text as text, on one line and safe anywhere in Markdown: nothing in it is markup, links to anything or notifies anybody.
 *
 * @param widest How much of it is shown, in columns.
 * @example
 * ```ts
 * import { markdownText } from "./markdown_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(markdownText("Shop API"), "Shop API");
 * assert.equal(markdownText("<b> @all"), "&#60;b&#62; &#64;<!-- -->all");
 * ```
 */
export function markdownText(text: string, widest: number = WIDEST): string {
  return cutText(plainText(text), widest)
    .replace(ACTIVE, (character) => {
      // Code hosts look for names and numbers in the text that comes out, so an entity alone would not stop them.
      return entity(character) + (character === "@" || character === "#" ? "<!-- -->" : "");
    })
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}&#46;`);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
