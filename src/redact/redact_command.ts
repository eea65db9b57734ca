import { maskText } from "./mask_text.ts";

/** The user and password of curl; the numbers bound what is looked at again for each letter. */
const USER =
  /(?<![\w-])(?:-[A-Za-z]{0,8}[uU]|--(?:proxy-)?user)(?:[ \t]{1,8}|=)?(?:"([^\s":]{1,200}:)([^"\r\n]+)|'([^\s':]{1,200}:)([^'\r\n]+)|([^\s"':]{1,200}:)([^\s"']+))/g;

/**
 * Masks the password of `curl -u user:password` in text.
 *
 * @example
 * ```ts
 * import { redactCommands } from "./redact_command.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(redactCommands("curl -u ada:Lovelace1 http://h/"), "curl -u ada:Aaaaaaaa1 http://h/");
 * ```
 */
export function redactCommands(text: string): string {
  if (!/\bcurl\b/i.test(text)) return text;
  return text.replace(USER, (all: string, ...groups: (string | undefined)[]) => {
    const quote = groups[0] !== undefined || groups[2] !== undefined;
    const password = (groups[1] ?? groups[3] ?? groups[5]) as string; // one of the three has matched
    // After the port of a URL there is no password.
    if (!quote && /^\/\//.test(password)) return all;
    return all.slice(0, all.length - password.length) + maskText(password);
  });
}
