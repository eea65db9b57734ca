/**
 * A text as one word of a POSIX shell, quoted where it has to be.
 *
 * @example
 * ```ts
 * import { shellWord } from "./shell_word.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(shellWord("openapi.yaml"), "openapi.yaml");
 * assert.equal(shellWord("GET /users/{id}"), "'GET /users/{id}'");
 * ```
 */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuotation(text);
}

/** A text in single quotation marks, in which a shell changes nothing. */
export function shellQuotation(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
