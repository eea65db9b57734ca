import type { ClosestTest, Suggestion } from "../suggestion.ts";

const MAX_POINTER = 60;

/** Returns `POST /books: breaks minLength of …/title, closes 1 gap`; `gaps` is the last part. */
export function requestTitle(
  { request: { method }, path, breaks, closes }: Suggestion,
  gaps: string = closes.length === 1 ? "closes 1 gap" : `closes ${closes.length} gaps`,
): string {
  const validity = breaks === null ? "valid" : `breaks ${describeRule(breaks.schema_path)}`;
  return oneLine(`${method} ${path}: ${validity}, ${gaps}`);
}

/** Returns the keyword, and the end of its schema's pointer. */
function describeRule(schemaPath: string): string {
  const end = schemaPath.lastIndexOf("/");
  const schema = schemaPath.slice(0, Math.max(end, 0));
  const shown = schema.length > MAX_POINTER ? `…${schema.slice(-MAX_POINTER)}` : schema;
  return `${schemaPath.slice(end + 1)} of ${shown}`;
}

/** Splits a recorded test name, such as `tests/books.test.ts > creates a book` (pytest: `::`), into file and name. */
export function readTestName(text: string): ClosestTest {
  const [, file, name] = /^(\S+?\.\w+)(?: > |::)(.+)$/s.exec(text) ?? [];
  return file === undefined || name === undefined ? { name: text } : { name, file };
}

/** Names the test to extend: ``Extend `creates a book` in tests/books.test.ts:41.``; empty if none is known. */
export function closestTestText({ closest_test }: Pick<Suggestion, "closest_test">): string {
  if (closest_test === undefined) return "";
  const { name, file, line } = closest_test;
  const suffix = line === undefined ? "" : `:${line}`;
  return oneLine(`Extend \`${name}\`${file === undefined ? "" : ` in ${file}${suffix}`}.`);
}

/** Line breaks, which would end a comment, and direction marks, which would reorder the text. */
const CONTROL_CHARACTERS =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

export function oneLine(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, " ");
}
