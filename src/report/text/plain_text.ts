// Characters that control a terminal (C0 and C1 controls, DEL), or reorder or hide neighbouring text (bidirectional
// controls, line separators, zero-width marks, tags).
const UNSAFE =
  // deno-lint-ignore no-control-regex -- finding control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu;

// Commands to build servers: at the start of a line, of a word that may be wrapped to a new line, or anywhere.
const COMMAND = /(?<=^|\s):(?=:)|(?<=#)#(?=[\w.-]{0,30}\[)|(?<=^|\s)s(?=ection_(?:start|end):)/g;

/** Escapes all characters and commands that a terminal or a build server would act on: `::error::`, `##vso[…]`. */
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

/** Escapes only commands to build servers (GitHub, Azure, TeamCity), in whole lines that may wrap within a word. */
export function withoutCommands(text: string): string {
  const safe = text.includes("::") ? text.replace(LINE_START, "$1\\u003a") : text;
  return safe.includes("##") ? safe.replace(ANYWHERE, "#\\u0023") : safe;
}

/** Escapes commands to build servers in a piece of JSON, without changing the values of its strings. */
export function jsonWithoutCommands(json: string): string {
  // Outside of strings, JSON has no `#`, and its lines don't start with colons.
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
// Also escapes commands to build servers anywhere in the text: `##vso[`.
const SPECIAL = /[&<>"']|(?<=#)#(?=[\w.-]{0,30}\[)/g;

/** Escapes text for HTML and XML, in the content of elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? "");
}

/** Characters that XML 1.0 forbids even as entities, apart from those that `plainText` escapes. */
const FORBIDDEN = /[\ufffe\uffff]/g;

/** Escapes text for XML 1.0. Control characters, which XML can't contain, become escapes such as `\n`. */
export function xmlText(text: string): string {
  return escapeHtml(
    plainText(text).replace(FORBIDDEN, (character) => {
      return `\\u${character.charCodeAt(0).toString(16)}`;
    }),
  );
}
