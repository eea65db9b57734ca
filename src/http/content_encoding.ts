import {
  decodeBrotli,
  decodeDeflate,
  decodeGzip,
  decodeZstd,
  DecodingFailure,
  type FailureCode,
} from "./content_decoders.ts";

/** The most bytes that decoding produces by default: 64 MiB. */
export const DEFAULT_LIMIT: number = 64 * 1024 * 1024;

type Decoder = (bytes: Uint8Array, limit: number) => Uint8Array;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["identity", (bytes) => bytes],
  ["gzip", decodeGzip],
  ["x-gzip", decodeGzip],
  ["deflate", decodeDeflate],
  ["br", decodeBrotli],
  ["zstd", decodeZstd],
]);

/** A body whose Content-Encoding cannot be undone. */
export class ContentEncodingError extends TypeError {
  /** The reason: the encoding is unknown or has no decoder here, or the data is broken, incomplete, or more than the limit. */
  readonly code: "unknown_encoding" | FailureCode;
  /** The encoding at fault, in lower case. */
  readonly encoding: string;

  constructor(
    sentence: string,
    details: { code: ContentEncodingError["code"]; encoding: string; cause?: unknown },
  ) {
    super(sentence, { cause: details.cause });
    this.name = "ContentEncodingError";
    this.code = details.code;
    this.encoding = details.encoding;
  }
}

function encodingNames(contentEncoding: string): string[] {
  return contentEncoding.split(",").map((name) => name.trim().toLowerCase()).filter((name) =>
    name !== ""
  );
}

function explain(failure: DecodingFailure, encoding: string, limit: number): string {
  const begin = `Cannot undo the Content-Encoding ${encoding}: `;
  switch (failure.code) {
    case "truncated":
      return `${begin}the body ends too early.`;
    case "too_large":
      return `${begin}the body would be larger than the limit of ${limit} bytes.`;
    case "no_decoder":
      return `${begin}this platform has no decoder for it.`;
    case "corrupt":
      return `${begin}the body is corrupt${failure.message === "" ? "" : ` (${failure.message})`}.`;
  }
}

/**
 * Undoes what a Content-Encoding header names (RFC 9110, section 8.4): `gzip`, `x-gzip`, `deflate`, `br`,
 * `zstd`, `identity`, or several of them, the last one first. An empty body stays empty, as that of the
 * response to a HEAD request does.
 */
export function decodeContent(
  bytes: Uint8Array,
  contentEncoding: string,
  limit: number = DEFAULT_LIMIT,
): Uint8Array {
  let content = bytes;
  for (const encoding of encodingNames(contentEncoding).reverse()) {
    const decode = DECODERS.get(encoding);
    if (decode === undefined) {
      throw new ContentEncodingError(
        `Cannot undo the Content-Encoding ${JSON.stringify(encoding)}: ` +
          `the encodings that covtool knows are ${[...DECODERS.keys()].join(", ")}.`,
        { code: "unknown_encoding", encoding },
      );
    }
    if (content.length === 0) continue;
    try {
      content = decode(content, limit);
    } catch (error) {
      if (!(error instanceof DecodingFailure)) throw error;
      const sentence = explain(error, encoding, limit);
      throw new ContentEncodingError(sentence, { code: error.code, encoding, cause: error });
    }
  }
  return content;
}
