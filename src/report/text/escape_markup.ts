import { plainText } from "./plain_text.ts";

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

/** Makes any text safe as the content of an element and within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? "");
}

/** Characters that XML 1.0 does not allow, not even escaped, in addition to those that `plainText` removes. */
const FORBIDDEN = /[\ufffe\uffff]/g;

/** Makes any text safe in XML 1.0; control characters, which it cannot hold, are written as their escapes. */
export function xmlText(text: string): string {
  return escapeHtml(
    plainText(text).replace(FORBIDDEN, (character) => {
      return `\\u${character.charCodeAt(0).toString(16)}`;
    }),
  );
}
