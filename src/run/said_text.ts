import { maskText } from "../redact/mask_text.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { plainText } from "../report/text/plain_text.ts";

const redactor = new Redactor();

/** A user and a password before a host, where what stands before them makes no URL of it. */
const LOGIN = /(?<=^|[\s"'(/])[^\s"'/:@()]{1,200}:[^\s"'/@]{1,200}(?=@[\w[])/g;
/** A name with a value, as in queries and options. */
const NAMED = /([\w.-]{1,100})=([^\s&"'#,;()]+)/g;

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
  return plainText(
    redactor.sentence(text).replace(LOGIN, (login) => maskText(login)).replace(
      NAMED,
      (written, name: string, value: string) =>
        nameKind(name) === "secret" ? `${name}=${maskText(value)}` : written,
    ),
  );
}
