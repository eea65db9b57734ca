import { mediaEssence, parseMediaType } from "../../http/media_type.ts";
import { decodeBase64 } from "../../http/body_text.ts";
import { type BytesPart, freeBoundary, multipartBytes } from "../../http/write_multipart.ts";
import { type Fields, isFields } from "./fields.ts";

interface RebuiltForm {
  readonly bytes: Uint8Array;
  /** The Content-Type that names its boundary, where that of the request does not. */
  readonly contentType?: string;
}

const encoder = new TextEncoder();
const BOUNDARY = "covtool-form-boundary";

/** Makes a form's body from `postData.params` of a HAR; `length` is how many bytes were sent. */
export function rebuildForm(
  params: readonly unknown[],
  contentType: string,
  length: number | undefined,
): RebuiltForm | undefined {
  const fields: BytesPart[] = [];
  for (const param of params) {
    const field = isFields(param) ? readField(param) : undefined;
    if (field === undefined) return undefined;
    fields.push(field);
  }
  switch (mediaEssence(contentType)) {
    case "application/x-www-form-urlencoded":
      return urlencoded(fields, length);
    case "multipart/form-data":
      return multipart(fields, contentType);
    default:
      return undefined;
  }
}

function readField(param: Fields): BytesPart | undefined {
  const { name, value } = param;
  const fileName = textOrNone(param["fileName"]);
  if (typeof name !== "string" || (fileName !== undefined && value === undefined)) return undefined;
  if (typeof value !== "string" && value !== undefined && value !== null) return undefined;
  const text = value ?? "";
  const bytes = param["encoding"] === "base64" ? decodeBase64(text) : encoder.encode(text);
  if (bytes === undefined) return undefined;
  const mediaType = textOrNone(param["contentType"])?.replaceAll(/[\r\n]+/g, " ");
  return { name, value: bytes, fileName, mediaType };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The bytes that each kind of client leaves unescaped, besides letters, digits, `-`, `.` and `_`. */
const PLAIN = ["*", "~", "*~", "", "!'()*~"] as const;

function urlencoded(
  fields: readonly BytesPart[],
  length: number | undefined,
): RebuiltForm | undefined {
  for (const space of ["+", "%20"]) {
    for (const plain of PLAIN) {
      const escape = (bytes: Uint8Array) => escapeBytes(bytes, plain, space);
      const text = fields.map(({ name, value }) =>
        `${escape(encoder.encode(name))}=${escape(value)}`
      )
        .join("&");
      if (length === undefined || text.length === length) return { bytes: encoder.encode(text) };
    }
  }
  // Some recorders leave the escapes in the values.
  const decoder = new TextDecoder();
  const asIs = fields.map(({ name, value }) => `${name}=${decoder.decode(value)}`).join("&");
  return asIs.length === length ? { bytes: encoder.encode(asIs) } : undefined;
}

function escapeBytes(bytes: Uint8Array, plain: string, space: string): string {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (/[\w.-]/.test(character) || plain.includes(character)) text += character;
    else if (byte === 0x20) text += space;
    else text += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

function multipart(fields: readonly BytesPart[], contentType: string): RebuiltForm {
  const known = parseMediaType(contentType).parameters.get("boundary");
  if (known !== undefined) return { bytes: multipartBytes(fields, known) };
  const boundary = freeBoundary(fields, (attempt) => BOUNDARY + "-".repeat(attempt));
  return {
    bytes: multipartBytes(fields, boundary),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
