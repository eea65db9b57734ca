const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g;

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  b: "\b",
  f: "\f",
};

/**
 * Undoes the escapes that servers put into quoted fields of their logs: `\x22` (nginx, Apache), `\"` and `\n` (Apache),
 * `\u001b` (nginx with `escape=json`). A byte beyond ASCII becomes a percent escape, which is how a URL would have it.
 *
 * @example
 * ```ts
 * import { unescapeLogged } from "./log_escapes.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(unescapeLogged('GET /a?q=\\x22b\\" HTTP/1.1'), 'GET /a?q="b" HTTP/1.1');
 * assert.equal(unescapeLogged("GET /caf\\xC3\\xA9 HTTP/1.1"), "GET /caf%C3%A9 HTTP/1.1");
 * ```
 */
export function unescapeLogged(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (_, byte?: string, unit?: string, other = "") => {
    if (byte !== undefined) {
      const code = parseInt(byte, 16);
      return code < 0x80 ? String.fromCharCode(code) : `%${byte.toUpperCase()}`;
    }
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    return LETTERS[other] ?? other;
  });
}

/**
 * The index of the quote that ends a quoted field; -1 if none does. A quote after a backslash belongs to the field.
 *
 * @param start The index after the quote that begins it.
 */
export function endOfQuoted(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, start: number, index: number): boolean {
  let backslashes = 0;
  while (index - backslashes > start && text.charCodeAt(index - backslashes - 1) === 0x5c) {
    backslashes++;
  }
  return backslashes % 2 === 1;
}
