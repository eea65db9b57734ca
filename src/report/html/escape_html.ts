const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "#": "&#35;",
};
// A command to build servers, wherever it occurs: `##vso[`.
const SPECIAL = /[&<>"']|(?<=#)#(?=[\w.-]{0,30}\[)/g;

/**
 * Makes any text safe as the content of an element and within a quoted attribute.
 *
 * @example
 * ```ts
 * import { escapeHtml } from "./escape_html.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(escapeHtml(`<b title="x">`), "&lt;b title=&quot;x&quot;&gt;");
 * ```
 */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? "");
}
