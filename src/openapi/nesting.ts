/** The maximum nesting depth of lists and objects in a description, in JSON and in YAML. */
export const MAX_LEVELS = 1_000;

/** The message for a document that is nested deeper. */
export const TOO_DEEP = `The document is nested more than ${MAX_LEVELS} levels deep.`;

/**
 * Runs of characters that nearly every text with deeply nested JSON contains: looking for these takes no time, and going
 * through the values of a large description would. What nests deep without them ends where a stack does.
 */
const TRACES: readonly Trace[] = [
  { one: 0x7d, other: 0x5d, length: 100 },
  { one: 0x20, other: 0x09, length: 500 },
];

/** A run of two characters, by their codes. */
interface Trace {
  readonly one: number;
  readonly other: number;
  readonly length: number;
}

/** True if a parsed text nests deeper than a description may. */
export function jsonNestsTooDeep(text: string, value: unknown): boolean {
  return TRACES.some((trace) => hasRun(text, trace)) && nestsTooDeep(value);
}

/** Looks at one character of so many: no such run lies between two of them. */
function hasRun(text: string, { one, other, length }: Trace): boolean {
  const has = (code: number): boolean => code === one || code === other;
  for (let at = length - 1; at < text.length; at += length) {
    const code = text.charCodeAt(at);
    if (code !== one && code !== other) continue;
    let [start, end] = [at, at + 1];
    while (end - start < length && has(text.charCodeAt(start - 1))) start--;
    while (end - start < length && has(text.charCodeAt(end))) end++;
    if (end - start === length) return true;
  }
  return false;
}

function nestsTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    const below: unknown[] = [];
    for (const value of level) {
      for (const member of Object.values(value ?? {})) {
        if (typeof member === "object" && member !== null) below.push(member);
      }
    }
    level = below;
  }
  return false;
}
