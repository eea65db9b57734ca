import { Redactor } from "../redact/redactor.ts";
import { decodeSegment } from "./split_path.ts";

/** A base path, ready to be compared with requests. */
export interface BasePath {
  /** Scheme, host and port (`https://example.com:8443`, default ports left out); null for a path alone. */
  readonly origin: string | null;
  /** The percent-decoded segments; none for the empty prefix. */
  readonly segments: readonly string[];
}

/**
 * The percent-decoded segments of a base path. Slashes in a row count as one, a trailing one is
 * ignored, and `.` and `..` are resolved, as URLs resolve them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { prefixSegments } from "./base_path.ts";
 *
 * assert.deepEqual(prefixSegments("//api/v%31/"), ["api", "v1"]);
 * assert.deepEqual(prefixSegments("/"), []);
 * ```
 */
export function prefixSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const raw of path.split("/")) {
    const segment = decodeSegment(raw);
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/**
 * Reads the `basePath` option: a path (`/v1`), or a full URL, whose scheme, host and port then count.
 *
 * @throws {TypeError} if the text is neither.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseBasePath } from "./base_path.ts";
 *
 * assert.deepEqual(parseBasePath("https://Example.com:443/v1/"), {
 *   origin: "https://example.com",
 *   segments: ["v1"],
 * });
 * ```
 */
export function parseBasePath(text: string): BasePath {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new TypeError(
      `Cannot use the base path ${JSON.stringify(new Redactor().url(text))}: ${problem}. ` +
        "Give a path such as /v1, or a full URL such as https://example.com/v1.",
      { cause },
    );
  };
  if (/[?#]/.test(text)) return refuse("it has a query or a fragment");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    let url: URL;
    try {
      url = new URL(text);
    } catch (cause) {
      return refuse("it is not a valid URL", cause);
    }
    return { origin: `${url.protocol}//${url.host}`, segments: prefixSegments(url.pathname) };
  }
  if (/^[^/]*:/.test(text)) return refuse("a host needs its scheme");
  return { origin: null, segments: prefixSegments(text) };
}
