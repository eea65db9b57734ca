import type { Suggestion } from "../suggestion.ts";

/** The longest pointer that a title has. */
const MAX_POINTER = 60;

/**
 * One line that says which request this is and what it is for: `POST /books: breaks minLength of …/title`.
 *
 * @param gaps What it closes, in words (default: the number of gaps).
 */
export function requestTitle(
  { request: { method }, path, breaks, closes }: Suggestion,
  gaps: string = closes.length === 1 ? "closes 1 gap" : `closes ${closes.length} gaps`,
): string {
  const what = breaks === null ? "valid" : `breaks ${brokenRule(breaks.schema_path)}`;
  return oneLine(`${method} ${path}: ${what}, ${gaps}`);
}

/** A keyword and the end of the pointer of its schema. */
function brokenRule(schemaPath: string): string {
  const end = schemaPath.lastIndexOf("/");
  const schema = schemaPath.slice(0, Math.max(end, 0));
  const shown = schema.length > MAX_POINTER ? `…${schema.slice(-MAX_POINTER)}` : schema;
  return `${schemaPath.slice(end + 1)} of ${shown}`;
}

/** Line breaks would end a comment. */
export function oneLine(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
