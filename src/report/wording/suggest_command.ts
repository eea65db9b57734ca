import { SERVER_PLACEHOLDER } from "../../suggest/formats/placeholder_names.ts";
import { shellWord } from "../../values/shell_word.ts";
import { sentenceList } from "./amounts.ts";

/**
 * The command that finds requests for gaps.
 *
 * @param location The description, as the report names it.
 * @param operation `GET /path`; undefined for all operations.
 * @example
 * ```ts
 * import { suggestCommand } from "./suggest_command.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   suggestCommand("openapi.yaml", "GET /users/{id}"),
 *   "covtool suggest openapi.yaml --operation 'GET /users/{id}'",
 * );
 * ```
 */
export function suggestCommand(location: string, operation?: string): string {
  const command = `covtool suggest ${shellWord(location)}`;
  return operation === undefined ? command : `${command} --operation ${shellWord(operation)}`;
}

/** What to set before a request is sent: `Set $SERVER to the URL of the API and $TOKEN in the environment.`; empty for nothing. */
export function placeholderNote(placeholders: readonly string[]): string {
  if (placeholders.length === 0) return "";
  const named = placeholders.map((name) =>
    name === SERVER_PLACEHOLDER ? `${name} to the URL of the API` : name
  );
  return `Set ${sentenceList(named)} in the environment.`;
}
