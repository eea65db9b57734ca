// What a terminal acts on instead of showing: C0 and C1 controls with DEL, and the characters that
// reorder or hide neighbouring text (bidirectional controls, line separators, zero-width marks, tags).
const UNSAFE =
  // deno-lint-ignore no-control-regex -- finding control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

// Commands to build servers: at the beginning of a line, at the beginning of a word that may be wrapped, or anywhere.
const COMMAND = /(?<=^|\s):(?=:)|(?<=#)#(?=[\w.-]{0,30}\[)|(?<=^|\s)s(?=ection_(?:start|end):)/g;

/** Writes whatever a terminal or a build server would act on as its escape: `::error::`, `##vso[…]`. */
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

// deno-lint-ignore no-control-regex -- colours may precede the first character
const LINE_START = /^((?:[^\S\n]|\u001b\[[\d;]*m)*):(?=:)/gm;
const ANYWHERE = /##(?=[\w.-]{0,30}\[)/g;

/** The same for whole lines that may break within a word: only what build servers act on (GitHub, Azure, TeamCity). */
export function withoutCommands(text: string): string {
  const safe = text.includes("::") ? text.replace(LINE_START, "$1\\u003a") : text;
  return safe.includes("##") ? safe.replace(ANYWHERE, "#\\u0023") : safe;
}

/** The same for a piece of JSON, whose texts stay the same. */
export function jsonWithoutCommands(json: string): string {
  // Outside of texts JSON has no such sign, and its lines do not begin with colons.
  return json.includes("##") ? json.replaceAll("##", "#\\u0023") : json;
}

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
