import { PUBLIC_HEADERS } from "./private_headers.ts";

/** All header fields but some. */
export interface HeadersBut {
  /** Names of those that can't be seen, in lower case; one that ends with `*` stands for all that begin so. */
  readonly all_but: readonly string[];
  /** Names of those that can be seen all the same, in lower case. */
  readonly and?: readonly string[];
}

/**
 * The header fields that a source can show: all, none, those with these names in lower case, all but some, or `public`:
 * all but those that say who sent a request, which covtool doesn't keep of logs.
 */
export type VisibleHeaders = "all" | "none" | "public" | readonly string[] | HeadersBut;

/**
 * True if header fields of a name can be seen.
 *
 * @param name In lower case.
 *
 * @example
 * ```ts
 * import { showsHeader } from "./visible_headers.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(showsHeader("all", "x-tenant"), true);
 * assert.equal(showsHeader(["user-agent", "referer"], "x-tenant"), false);
 * assert.equal(showsHeader("public", "cookie"), false);
 * assert.equal(showsHeader({ all_but: ["x-user-*"] }, "x-user-id"), false);
 * ```
 */
export function showsHeader(headers: VisibleHeaders, name: string): boolean {
  if (headers === "all" || headers === "none") return headers === "all";
  if (isNames(headers)) return headers.includes(name);
  const { all_but, and } = headers === "public" ? PUBLIC_HEADERS : headers;
  return and?.includes(name) === true || !all_but.some((pattern) => covers(pattern, name));
}

/**
 * True for a source that says of each name whether it has that: a message of it may be without any header field. Of
 * others, one without any was recorded without them.
 */
export function listsHeaders(headers: VisibleHeaders): headers is "none" | readonly string[] {
  return headers === "none" || isNames(headers);
}

/**
 * What one of two sources can show. The same set of header fields always comes out the same, whatever the order.
 *
 * @returns Anything but `public`, with sorted names.
 *
 * @example
 * ```ts
 * import { eitherHeaders } from "./visible_headers.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(eitherHeaders(["referer"], ["Accept"]), ["accept", "referer"]);
 * assert.deepEqual(eitherHeaders({ all_but: ["cookie", "via"] }, ["cookie"]), { all_but: ["via"] });
 * ```
 */
export function eitherHeaders(one: VisibleHeaders, other: VisibleHeaders): VisibleHeaders {
  if (one === "all" || other === "all") return "all";
  const [mine, theirs] = [setOf(one), setOf(other)];
  const hidden = mine.hidden.flatMap((pattern) =>
    theirs.hidden.flatMap((also) =>
      covers(pattern, also) ? [also] : covers(also, pattern) ? [pattern] : []
    )
  );
  const shown = [...mine.shown, ...theirs.shown];
  const all_but = sorted(hidden.filter((pattern) =>
    !shown.includes(pattern) &&
    !hidden.some((wider) => wider !== pattern && covers(wider, pattern))
  ));
  const and = sorted(shown.filter((name) => all_but.some((pattern) => covers(pattern, name))));
  if (all_but.length === 0) return "all";
  if (all_but[0] === ANY) return and.length === 0 ? "none" : and;
  return and.length === 0 ? { all_but } : { all_but, and };
}

const ANY = "*";

/** Header fields that match a pattern but for those with a name among the others. */
interface HeaderSet {
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
}

function setOf(headers: VisibleHeaders): HeaderSet {
  if (headers === "all") return { hidden: [], shown: [] };
  if (headers === "none") return { hidden: [ANY], shown: [] };
  if (isNames(headers)) return { hidden: [ANY], shown: headers.map(lower) };
  const { all_but, and = [] } = headers === "public" ? PUBLIC_HEADERS : headers;
  return { hidden: all_but.map(lower), shown: and.map(lower) };
}

/** True if all names that match the second pattern match the first. */
function covers(pattern: string, other: string): boolean {
  return pattern.endsWith(ANY) ? other.startsWith(pattern.slice(0, -1)) : pattern === other;
}

function isNames(headers: VisibleHeaders): headers is readonly string[] {
  return Array.isArray(headers);
}

function lower(name: string): string {
  return name.toLowerCase();
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
