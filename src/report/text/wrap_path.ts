import { splitWord, textWidth } from "./text_width.ts";

/**
 * Breaks a path into lines of at most `width` columns, before its slashes where it can; a segment that is longer than a
 * line is cut over several.
 *
 * @example
 * ```ts
 * import { wrapPath } from "./wrap_path.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(wrapPath("/users/{id}", 20), ["/users/{id}"]);
 * assert.deepEqual(wrapPath("/organizations/{org}/repos/{id}", 22), ["/organizations/{org}", "/repos/{id}"]);
 * ```
 */
export function wrapPath(path: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const segment of path.split(/(?=\/)/)) {
    if (textWidth(line + segment) <= width) {
      line += segment;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = splitWord(segment, width);
    line = parts.pop() ?? "";
    lines.push(...parts);
  }
  return [...lines, line];
}
