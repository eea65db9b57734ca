import type { HeadersLike, Interaction } from "../http/interaction.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Writes an interaction as one line of a traffic file, with the line break at its end. A body becomes text where that
 * means the same, else base64.
 *
 * @example
 * ```ts
 * import { interactionLine } from "./interaction_line.ts";
 * import assert from "node:assert/strict";
 *
 * const request = { method: "POST", url: "http://localhost/books", body: new Uint8Array([255]) };
 * assert.equal(
 *   interactionLine({ request, response: { status_code: 201 } }),
 *   '{"request":{"method":"POST","url":"http://localhost/books","body_base64":"/w=="},"response":{"status_code":201}}\n',
 * );
 * ```
 */
export function interactionLine({ request, response, timestamp }: Interaction): string {
  const { method, url, headers, body, body_truncated } = request;
  const fields: Record<string, unknown> = { method, url };
  if (headers !== undefined) fields["headers"] = recordOf(headers);
  if (typeof body === "string") fields["body"] = body;
  else if (body !== undefined && body !== null && body.length > 0) {
    const text = textOf(body, headers);
    if (text === undefined) fields["body_base64"] = base64(body);
    else fields["body"] = text;
  }
  if (body_truncated === true) fields["body_truncated"] = true;
  return JSON.stringify({ request: fields, response, timestamp }) + "\n";
}

/** The text of a body that means the same as its bytes: UTF-8, said to be nothing else, and not compressed. */
function textOf(body: Uint8Array, headers: HeadersLike | undefined): string | undefined {
  for (const [name, value] of headers === undefined ? [] : pairs(headers)) {
    const lower = name.toLowerCase();
    if (lower === "content-encoding") return undefined;
    if (
      lower === "content-type" && /charset\s*=\s*(?!"?utf-?8\b)|^\s*multipart\//i.test(`${value}`)
    ) {
      return undefined;
    }
  }
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function pairs(headers: HeadersLike): Iterable<readonly [string, unknown]> {
  return Symbol.iterator in headers
    ? headers as Iterable<readonly [string, string]>
    : Object.entries(headers);
}

function recordOf(headers: HeadersLike): HeadersLike {
  if (!(Symbol.iterator in headers)) return headers;
  const record: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers as Iterable<readonly [string, string]>) {
    const before = record[name];
    if (before === undefined) record[name] = value;
    else if (typeof before === "string") record[name] = [before, value];
    else before.push(value);
  }
  return record;
}

/** `String.fromCharCode` takes so many arguments everywhere. */
const PIECE = 0x2000;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += PIECE) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + PIECE));
  }
  return btoa(text);
}
