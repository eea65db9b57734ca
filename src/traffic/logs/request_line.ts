/** The method and the target of a request, as its first line has them. */
export interface RequestLine {
  readonly method: string;
  /** A path with its query, as a rule. */
  readonly target: string;
}

/** RFC 9110, section 5.6.2: a token. */
const METHOD = /^[!#$%&'*+.^_`|~\w-]{1,40}$/;

/**
 * Reads the first line of a request, as servers log it: `GET /books?limit=1 HTTP/1.1`. Undefined for what isn't HTTP:
 * `-` for a connection without a request, the bytes of a TLS handshake, noise of scanners.
 *
 * @example
 * ```ts
 * import { readRequestLine } from "./request_line.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(readRequestLine("GET /books?limit=1 HTTP/1.1"), { method: "GET", target: "/books?limit=1" });
 * assert.deepEqual(readRequestLine("GET /books"), { method: "GET", target: "/books" }); // HTTP/0.9
 * assert.equal(readRequestLine("-"), undefined);
 * assert.equal(readRequestLine("\\x16\\x03\\x01"), undefined);
 * ```
 */
export function readRequestLine(text: string): RequestLine | undefined {
  const space = text.indexOf(" ");
  if (space < 1) return undefined;
  const last = text.lastIndexOf(" ");
  const hasVersion = last > space && text.startsWith("HTTP/", last + 1);
  const method = text.slice(0, space);
  const target = text.slice(space + 1, hasVersion ? last : text.length);
  if (target === "" || !(COMMON.has(method) || METHOD.test(method))) return undefined;
  // RFC 1945, section 4.1: without a version there is only GET.
  if (!hasVersion && !(method === "GET" && target.startsWith("/"))) return undefined;
  return { method, target };
}

const COMMON: ReadonlySet<string> = new Set([
  ..."GET HEAD POST PUT PATCH DELETE OPTIONS".split(" "),
]);
