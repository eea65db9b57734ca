// deno-lint-ignore no-control-regex -- colours may precede the first character
const LINE_START = /^((?:[^\S\n]|\u001b\[[\d;]*m)*):(?=:)/gm;
const ANYWHERE = /##(?=[\w.-]{0,30}\[)/g;

/**
 * Text for a build log with nothing in it that a build server would take for a command: lines that begin with `::`
 * (GitHub), and `##vso[`, `##[`, `##teamcity[` anywhere (Azure, GitHub, TeamCity). These signs become their escapes, as
 * control characters do. Texts from descriptions and traffic are safe by themselves (`plainText()`); this is for whole
 * lines, which may break in the middle of a word.
 *
 * @example
 * ```ts
 * import { withoutCommands } from "./without_commands.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(withoutCommands("Shop::API\n::error::x\n"), "Shop::API\n\\u003a:error::x\n");
 * ```
 */
export function withoutCommands(text: string): string {
  const safe = text.includes("::") ? text.replace(LINE_START, "$1\\u003a") : text;
  return safe.includes("##") ? safe.replace(ANYWHERE, "#\\u0023") : safe;
}

/** The same for a piece of JSON, whose texts stay the same. */
export function jsonWithoutCommands(json: string): string {
  // Outside of texts JSON has no such sign, and its lines do not begin with colons.
  return json.includes("##") ? json.replaceAll("##", "#\\u0023") : json;
}
