import { type HeaderLookup, headerLookup } from "./headers.ts";
import type { HeadersLike } from "./interaction.ts";
import { splitQuery, type TextPair } from "./query_string.ts";

/** The text of a request that parameters are decoded from. Each part is read when first asked for. */
export interface RequestText {
  /** The text that each template of the path captured, left to right, still percent-encoded. */
  readonly captures: readonly string[];
  /** The query as it was sent, without `?`. */
  readonly queryText: string;
  /** The pairs of the query. */
  readonly query: readonly TextPair[];
  /** The header fields. */
  readonly headers: HeaderLookup;
  /** The pairs of all Cookie headers; names and values as they were sent. */
  readonly cookies: readonly TextPair[];
}

/** Splits Cookie headers (RFC 6265, section 4.2). */
function splitCookies(fields: readonly string[]): readonly TextPair[] {
  const pairs: TextPair[] = [];
  for (const field of fields) {
    for (const piece of field.split(";")) {
      const equals = piece.indexOf("=");
      if (equals !== -1) {
        pairs.push({ name: piece.slice(0, equals).trim(), value: piece.slice(equals + 1).trim() });
      }
    }
  }
  return pairs;
}

/**
 * Makes the text of a request readable piece by piece.
 *
 * @param captures As routing gives them: left to right, still percent-encoded.
 * @param queryText Without the leading `?`.
 * @example
 * ```ts
 * import { requestText } from "./request_text.ts";
 * import assert from "node:assert/strict";
 *
 * const request = requestText([], "q=a+b", { cookie: "id=1; theme=dark" });
 * assert.deepEqual(request.query, [{ name: "q", value: "a+b" }]);
 * assert.deepEqual(request.cookies[1], { name: "theme", value: "dark" });
 * ```
 */
export function requestText(
  captures: readonly string[],
  queryText: string,
  headers: HeadersLike | undefined,
): RequestText {
  return new LazyRequestText(captures, queryText, headers);
}

class LazyRequestText implements RequestText {
  readonly captures: readonly string[];
  readonly queryText: string;
  readonly headers: HeaderLookup;
  #query: readonly TextPair[] | undefined;
  #cookies: readonly TextPair[] | undefined;

  constructor(
    captures: readonly string[],
    queryText: string,
    headers: HeadersLike | undefined,
  ) {
    this.captures = captures;
    this.queryText = queryText;
    this.headers = headerLookup(headers);
  }

  get query(): readonly TextPair[] {
    return this.#query ??= splitQuery(this.queryText);
  }

  get cookies(): readonly TextPair[] {
    return this.#cookies ??= splitCookies(this.headers.values("cookie"));
  }
}
