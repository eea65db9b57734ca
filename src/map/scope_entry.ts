import { parseScopePattern, type ScopePattern } from "./scope_pattern.ts";

/** A pattern for parts of a description, with what a team wants to remember of it. */
export interface ScopeEntry {
  /** `GET /books/*`, `tag:internal`, `operation:getBook`, `deprecated`, `response:5XX`, `parameter:X-Id`, `keyword:format`. */
  readonly pattern: string;
  /** The reason why it is left out, for people. */
  readonly reason?: string | undefined;
  /** The last day on which it is meant, as `2027-01-31`. */
  readonly until?: string | undefined;
  /** The source: `covtool.yaml:12`. */
  readonly source?: string | undefined;
}

/** The parts of a description that a map measures (default: all of it). */
export interface ScopeOptions {
  /** Measure only what matches these patterns: of operations, parameters, responses and keywords each. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  /** Leave out what matches these patterns. They win over `include`. */
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
}

/** A {@linkcode ScopeEntry}, checked. */
export interface ScopeRule {
  /** As it was written. */
  readonly pattern: string;
  /** The reason; null if none is given. */
  readonly reason: string | null;
  /** The last day on which it is meant; null where it has no end. */
  readonly until: string | null;
  /** The source. */
  readonly source: string;
  /** The pattern, read. */
  readonly matches: ScopePattern;
}

/** The patterns of a scope, checked. */
export interface ScopeRules {
  readonly include: readonly ScopeRule[];
  readonly exclude: readonly ScopeRule[];
}

/**
 * Checks the patterns of a scope, with their reasons and dates.
 *
 * @throws {TypeError} where one is malformed: a sentence that begins with who says so.
 */
export function readScope({ include = [], exclude = [] }: ScopeOptions): ScopeRules {
  return {
    include: readScopeEntries(include, "include option"),
    exclude: readScopeEntries(exclude, "exclude option"),
  };
}

/**
 * Checks patterns with their reasons and dates.
 *
 * @param source Who says so, for entries without a source of their own.
 * @throws {TypeError} if a pattern or a date is malformed: a sentence that begins with the source.
 *
 * @example
 * ```ts
 * import { readScopeEntries } from "./scope_entry.ts";
 * import assert from "node:assert/strict";
 *
 * const entry = { pattern: "tag:internal", until: "2027-02-30", source: "covtool.yaml:12" };
 * assert.throws(
 *   () => readScopeEntries([entry], "options"),
 *   /^TypeError: covtool.yaml:12: "2027-02-30" is not a date\. Write until as 2027-01-31\.$/,
 * );
 * ```
 */
export function readScopeEntries(
  entries: readonly (string | ScopeEntry)[],
  source: string,
): ScopeRule[] {
  if (!Array.isArray(entries)) throw new TypeError(`${source}: Give a list of patterns.`);
  return entries.map((given: string | ScopeEntry) => {
    const entry = typeof given === "string" ? { pattern: given } : given;
    if (typeof entry?.pattern !== "string") {
      throw new TypeError(
        `${source}: Give each entry as a pattern, or as an object with pattern, reason and until.`,
      );
    }
    const from = entry.source ?? source;
    try {
      return {
        pattern: entry.pattern.trim(),
        reason: entry.reason ?? null,
        until: entry.until === undefined ? null : readDay(entry.until),
        source: from,
        matches: parseScopePattern(entry.pattern),
      };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new TypeError(`${from}: ${error.message}`, { cause: error });
    }
  });
}

/**
 * Checks a day.
 *
 * @throws {TypeError} if it isn't a calendar date such as `2027-01-31`.
 */
export function readDay(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Engines read the 30th of February as the 2nd of March, or not at all.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new TypeError(`"${text}" is not a date. Write until as 2027-01-31.`);
}
