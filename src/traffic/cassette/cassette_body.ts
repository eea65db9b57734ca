import { decodeBase64 } from "../decode/decode_base64.ts";
import { encodeText } from "../decode/encode_text.ts";
import { isFields } from "../decode/fields.ts";

/** A body, or whether there was none, or one that nobody can read any more. */
export type CassetteBody = { readonly content: string | Uint8Array } | "none" | "lost";

/**
 * Reads the body of a message in any of the shapes that cassettes have: text or bytes; an object with `string` or
 * `base64_string` (Ruby VCR, Schemathesis, vcrpy), with `$base64` (the events of Schemathesis), or the state of one of
 * Python's streams (vcrpy).
 *
 * @param wanted What becomes of text that Ruby VCR took out of another charset: the bytes that were sent, or the text.
 *
 * @example
 * ```ts
 * import { cassetteBody } from "./cassette_body.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(cassetteBody({ encoding: "UTF-8", string: "hi" }), { content: "hi" });
 * assert.deepEqual(cassetteBody({ base64_string: "aGk=" }), {
 *   content: new Uint8Array([104, 105]),
 * });
 * assert.equal(cassetteBody({ string: "" }), "none");
 * assert.equal(cassetteBody({ base64_string: "#" }), "lost");
 * ```
 */
export function cassetteBody(value: unknown, wanted: "bytes" | "text" = "bytes"): CassetteBody {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "string") return { content: value };
  // YAML takes unquoted digits for a number.
  if (typeof value === "number" || typeof value === "boolean") return { content: String(value) };
  if (value instanceof Uint8Array) return value.length === 0 ? "none" : { content: value };
  if (!isFields(value)) return "lost";
  if (Array.isArray(value["state"])) return cassetteBody(value["state"][0], wanted);
  // Ruby writes strings of other classes as objects with their text in `str`.
  if (Object.hasOwn(value, "str")) return cassetteBody(value["str"], wanted);
  const base64 = value["base64_string"] ?? value["$base64"];
  if (typeof base64 === "string") {
    const content = decodeBase64(base64);
    if (content === undefined) return "lost";
    return content.length === 0 ? "none" : { content };
  }
  if (!Object.hasOwn(value, "string")) return "lost";
  const body = cassetteBody(value["string"], wanted);
  return wanted === "text" ? body : inCharset(body, value["encoding"]);
}

/** Ruby VCR writes text in UTF-8 and remembers in which charset it was; to Ruby, bytes are in a charset as well. */
function inCharset(body: CassetteBody, charset: unknown): CassetteBody {
  if (body === "none" || body === "lost" || typeof body.content !== "string") return body;
  if (
    typeof charset !== "string" || /^(?:utf-?8|us-ascii|ascii-8bit|binary|none)?$/i.test(charset)
  ) {
    return body;
  }
  return { content: encodeText(body.content, charset) ?? body.content };
}
