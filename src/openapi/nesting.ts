/** The maximum nesting depth of lists and objects in a description, in JSON and in YAML. */
export const MAX_LEVELS = 1_000;

/** The message for a document that is nested deeper. */
export const TOO_DEEP = `The document is nested more than ${MAX_LEVELS} levels deep.`;

/**
 * Characters that nearly every text with deeply nested JSON contains: looking for these takes no time, and going through
 * the values of a large description would. What nests deep without them ends where a stack does.
 */
const TRACES = [
  "}".repeat(24),
  "]".repeat(24),
  "}]".repeat(12),
  " ".repeat(500),
  "\t".repeat(500),
];

/** True if a parsed text nests deeper than a description may. */
export function jsonNestsTooDeep(text: string, value: unknown): boolean {
  return TRACES.some((trace) => text.includes(trace)) && nestsTooDeep(value);
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
