import { maskText } from "./mask_text.ts";
import { isTokenLike, type NameKind } from "./secret_names.ts";

/** The start of a cell, with its content up to a separator; a quoted cell goes on to its closing quote. */
const QUOTED_REST = /(?:[^"]|"")*/y;
const PLAIN_REST = /[^,;\t\r\n]*/y;

/**
 * Masks the columns of CSV whose heading, in the first row, is a secret name. Cells are separated by commas, semicolons
 * or tabs.
 *
 * @param kindOf The certainty of a heading.
 *
 * @example
 * ```ts
 * import { redactCsv } from "./redact_csv.ts";
 * import { nameKind } from "./secret_names.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(redactCsv("user,password\nada,Lovelace1\n", nameKind), "user,password\nada,Aaaaaaaa1\n");
 * ```
 */
export function redactCsv(text: string, kindOf: (name: string) => NameKind): string {
  const kinds: NameKind[] = [];
  let separator: string | undefined;
  let isHeading = true;
  let column = 0;
  let redacted = "";
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const isQuoted = text[at] === '"';
    const from = isQuoted ? at + 1 : at;
    const rest = isQuoted ? QUOTED_REST : PLAIN_REST;
    rest.lastIndex = from;
    let to = from + (rest.exec(text)?.[0].length ?? 0);
    // Other separators than that of the first row are text.
    while (!isQuoted && separator !== undefined && isOther(text[to], separator)) {
      PLAIN_REST.lastIndex = to + 1;
      to += 1 + (PLAIN_REST.exec(text)?.[0].length ?? 0);
    }
    const cell = text.slice(from, to);
    if (isHeading) kinds.push(kindOf(cell.trim()));
    else if (kinds[column] === "secret" || (kinds[column] === "perhaps" && isTokenLike(cell))) {
      redacted += text.slice(copied, from) + maskText(cell);
      copied = to;
    }
    at = to + (isQuoted ? 1 : 0);
    // What follows a closing quote belongs to no cell.
    while (at < text.length && !/[,;\t\r\n]/.test(text.charAt(at))) at++;
    if (/[\r\n]/.test(text.charAt(at))) {
      if (isHeading && !kinds.some((kind) => kind !== "harmless")) return text;
      isHeading = false;
      column = 0;
      at += text.startsWith("\r\n", at) ? 2 : 1;
    } else {
      if (isHeading) separator ??= text[at];
      column++;
      at++;
    }
  }
  return redacted + text.slice(copied);
}

function isOther(sign: string | undefined, separator: string): boolean {
  return sign !== undefined && sign !== separator && /[,;\t]/.test(sign);
}
