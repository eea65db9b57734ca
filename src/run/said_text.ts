import { Redactor } from "../redact/redactor.ts";
import { plainText } from "../report/text/plain_text.ts";

const redactor = new Redactor();

/**
 * Text of covtool's own for a terminal or a log: without control characters, and without the passwords and tokens of
 * URLs and keys that it quotes.
 *
 * @example
 * ```ts
 * import { saidText } from "./said_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(saidText("Cannot load http://ada:pw1@host/a?token=Abc"), "Cannot load http://aaa:aa1@host/a?token=Aaa");
 * ```
 */
export function saidText(text: string): string {
  return plainText(redactor.sentence(text));
}
