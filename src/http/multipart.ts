import { parseMultipart } from "@remix-run/multipart-parser";
import { findBytes } from "../values/collections.ts";
import { bodyText } from "./body_text.ts";
import { mediaEssence, mediaKind, parseMediaType } from "./media_type.ts";

export interface Part {
  readonly name: string;
  /** `type/subtype` in lower case; undefined if the part has no Content-Type. */
  readonly mediaType: string | undefined;
  /** True for uploads: parts with a file name, and parts of a type that is neither text nor JSON. */
  readonly isFile: boolean;
  readonly bytes: Uint8Array;
  text(): string;
}

const encoder = new TextEncoder();

/** Bodies are in memory already, so limits would gain nothing. */
const NO_LIMITS = {
  maxHeaderSize: Infinity,
  maxFileSize: Infinity,
  maxParts: Infinity,
  maxTotalSize: Infinity,
} as const;

/** Removes the preamble, which may precede the first boundary (RFC 2046, section 5.1.1). */
function withoutPreamble(bytes: Uint8Array, boundary: string): Uint8Array {
  const delimiter = encoder.encode(`\r\n--${boundary}`);
  if (delimiter.subarray(2).every((byte, index) => bytes[index] === byte)) return bytes;
  const start = findBytes(bytes, delimiter);
  return start === -1 ? bytes : bytes.subarray(start + 2);
}

function isFile(filename: string | undefined, essence: string | undefined): boolean {
  if (filename !== undefined) return true;
  if (essence === undefined || essence.startsWith("text/")) return false;
  return mediaKind(essence) !== "json";
}

/** Reads a `multipart/form-data` body (RFC 7578); undefined if a boundary, its end or a part's name is missing. */
export function readMultipart(
  body: Uint8Array | string,
  boundary: string | undefined,
): readonly Part[] | undefined {
  if (boundary === undefined || boundary === "") return undefined;
  const bytes = withoutPreamble(typeof body === "string" ? encoder.encode(body) : body, boundary);
  const parts: Part[] = [];
  try {
    for (const part of parseMultipart(bytes, { boundary, ...NO_LIMITS })) {
      const { name } = part;
      if (name === undefined) return undefined;
      const contentType = part.headers["content-type"];
      const charset = contentType && parseMediaType(contentType).parameters.get("charset");
      const mediaType = contentType === undefined ? undefined : mediaEssence(contentType);
      const content = part.bytes;
      parts.push({
        // Browsers escape these characters (HTML, "multipart/form-data encoding algorithm").
        name: name.replace(/%22|%0D|%0A/gi, decodeURIComponent),
        mediaType,
        isFile: isFile(part.filename, mediaType),
        bytes: content,
        text: () => bodyText(content, charset),
      });
    }
  } catch {
    // Whatever the parser rejects (syntax, names that aren't UTF-8) makes the body malformed.
    return undefined;
  }
  return parts;
}
