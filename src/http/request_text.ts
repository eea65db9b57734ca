import { type HeaderLookup, headerLookup } from "./headers.ts";
import type { HeadersLike } from "./interaction.ts";
import { splitQuery, type TextPair } from "./query_string.ts";

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

/** The text of a request that parameters are decoded from. Each part is read when first asked for. */
export class RequestText {
  /** The text that each template of the path captured, left to right, still percent-encoded; undefined for none. */
  readonly captures: readonly (string | undefined)[];
  /** The query as it was sent, without `?`. */
  readonly queryText: string;
  readonly headers: HeaderLookup;
  #query: readonly TextPair[] | undefined;
  #cookies: readonly TextPair[] | undefined;

  constructor(
    captures: readonly (string | undefined)[],
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

  /** The pairs of all Cookie headers; names and values as they were sent. */
  get cookies(): readonly TextPair[] {
    return this.#cookies ??= splitCookies(this.headers.values("cookie"));
  }
}
