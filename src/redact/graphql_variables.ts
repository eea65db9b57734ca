import { type NameKind, nameKind } from "./secret_names.ts";

/** An argument that takes a variable; escapes of JSON may precede it. */
const ARGUMENT =
  /(?:\\[nrt]|(?<![\w$]))([A-Za-z_]\w{0,80})(?:\s|\\[nrt]){0,8}:(?:\s|\\[nrt]){0,8}\$(\w{1,80})/g;

/**
 * The variables that a GraphQL query passes to arguments with secret names.
 *
 * @param text Text that contains the query, as it is or in JSON.
 *
 * @example
 * ```ts
 * import { secretVariables } from "./graphql_variables.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual([...secretVariables("{ login(password: $p, user: $u) }")], [["p", "secret"]]);
 * ```
 */
export function secretVariables(text: string): ReadonlyMap<string, NameKind> {
  const variables = new Map<string, NameKind>();
  for (const [, argument = "", variable = ""] of text.matchAll(ARGUMENT)) {
    const kind = nameKind(argument);
    if (kind !== "harmless" && variables.get(variable) !== "secret") variables.set(variable, kind);
  }
  return variables;
}
