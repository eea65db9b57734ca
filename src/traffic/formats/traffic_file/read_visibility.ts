import { FULL_VISIBILITY, type Visibility } from "../../../http/visibility.ts";
import type { VisibleHeaders } from "../../../http/visible_headers.ts";
import { isFields } from "../../decode/fields.ts";
import type { Problems } from "../problems.ts";

/** As many are kept: a file has one for each source that was written to it. */
const KEPT = 1000;

/** The same object for interactions that say the same. */
const known = new Map<string, Visibility>();

/**
 * Reads what an interaction of a traffic file says about what its source could show; members that are absent could be
 * seen.
 *
 * @returns Undefined if that is everything.
 *
 * @example
 * ```ts
 * import { Problems } from "../problems.ts";
 * import { readVisibility } from "./read_visibility.ts";
 * import assert from "node:assert/strict";
 *
 * const visibility = readVisibility({ request_headers: ["User-Agent"] }, "line 1", new Problems("a.jsonl"));
 * assert.deepEqual(visibility?.request_headers, ["user-agent"]);
 * assert.equal(visibility?.request_body, true);
 * ```
 */
export function readVisibility(
  value: unknown,
  place: string,
  problems: Problems,
): Visibility | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) {
    problems.add("`visibility` is not an object and is ignored", place);
    return undefined;
  }
  const key = JSON.stringify(value);
  const found = known.get(key);
  if (found !== undefined) return found;
  const read: Record<string, boolean | VisibleHeaders> = {};
  for (const [name, shown] of Object.entries(value)) {
    const part = FULL_VISIBILITY[name as keyof Visibility];
    const isUsable = typeof part === "boolean" ? typeof shown === "boolean" : isHeaders(shown);
    if (part === undefined || !isUsable) {
      problems.add(`\`visibility.${name}\` is not known and is ignored`, place);
    } else read[name] = typeof shown === "boolean" ? shown : inLowerCase(shown as VisibleHeaders);
  }
  const visibility: Visibility = { ...FULL_VISIBILITY, ...read };
  if (Object.keys(read).length === Object.keys(value).length && known.size < KEPT) {
    known.set(key, visibility);
  }
  return visibility;
}

function isHeaders(value: unknown): value is VisibleHeaders {
  return value === "all" || value === "none" || value === "public" || isNames(value) ||
    isFields(value) && isNames(value["all_but"]) &&
      (value["and"] === undefined || isNames(value["and"])) &&
      Object.keys(value).every((name) => name === "all_but" || name === "and");
}

function inLowerCase(headers: VisibleHeaders): VisibleHeaders {
  if (typeof headers === "string") return headers;
  if (isNames(headers)) return lower(headers);
  const { all_but, and } = headers;
  return { all_but: lower(all_but), ...(and && { and: lower(and) }) };
}

function lower(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase());
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
