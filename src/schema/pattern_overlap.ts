/**
 * True if a name may match two patterns of `patternProperties`. Only what is plain from how they begin or end tells them
 * apart (`^x-` and `^y-`, `_id$` and `_at$`); else they may.
 *
 * @example
 * ```ts
 * import { mayOverlap } from "./pattern_overlap.ts";
 * import assert from "node:assert/strict";
 *
 * assert(!mayOverlap("^x-", "^y-.*$"));
 * assert(mayOverlap("^x-", "^x-y"));
 * assert(mayOverlap("^x-", "_id$"));
 * ```
 */
export function mayOverlap(one: string, other: string): boolean {
  const [first, second] = [literalEnds(one), literalEnds(other)];
  return (first.start.startsWith(second.start) || second.start.startsWith(first.start)) &&
    (first.end.endsWith(second.end) || second.end.endsWith(first.end));
}

interface Ends {
  /** The beginning of every name that matches. */
  readonly start: string;
  /** The end of every such name. */
  readonly end: string;
}

function literalEnds(pattern: string): Ends {
  if (pattern.includes("|")) return { start: "", end: "" };
  // A quantifier after a character makes that one uncertain.
  const start = /^\^((?:[\w-](?![?*+{]))*)/.exec(pattern)?.[1] ?? "";
  // After a backslash, a letter isn't a letter; in brackets, braces and groups, characters are no sequence.
  const end = /(?:^\^?|[^\\\w-])([\w-]+)\$$/.exec(pattern);
  const isPlain = end !== null && !/[[{(][^\])}]*$/.test(pattern.slice(0, -1));
  return { start, end: isPlain ? end[1] ?? "" : "" };
}
