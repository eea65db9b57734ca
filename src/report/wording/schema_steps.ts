import { type KeywordFacts, keywordTable } from "../../values/keyword_table.ts";

/** The tokens of a pointer, or of a part of one, as they are without escapes. */
export function pointerTokens(pointer: string): string[] {
  return pointer.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The map of schemas among OpenAPI's components. */
const OPENAPI: Readonly<Record<string, Partial<KeywordFacts>>> = {
  schemas: { holds: ["schemas_by_name"] },
};

/**
 * The steps from a schema to one within it, each as a person writes it after the previous one: `.name`, `[]`,
 * ` anyOf[0]`.
 *
 * @param tokens The pointer from one to the other.
 *
 * @example
 * ```ts
 * import { schemaSteps } from "./schema_steps.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(schemaSteps(["properties", "tags", "items", "anyOf", "0"]), [".tags", "[]", " anyOf[0]"]);
 * ```
 */
export function schemaSteps(tokens: readonly string[]): string[] {
  const steps: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [token = "", next] = [tokens[at], tokens[at + 1]];
    const { holds = [], relation, byPattern, rest } = keywordTable.get(token) ?? OPENAPI[token] ??
      {};
    if (token === "schema") continue; // of a media type, a parameter or a header: not a step within a schema
    if (holds.includes("schemas_by_name") && next !== undefined) {
      steps.push(relation !== "property" ? ` ${next}` : byPattern ? `./${next}/` : `.${next}`);
      at += 1;
    } else if (holds.includes("schema_list") && /^\d+$/.test(next ?? "")) {
      steps.push(relation === "item" ? `[${next}]` : ` ${token}[${next}]`);
      at += 1;
    } else if (rest) steps.push(relation === "property" ? ".*" : "[…]");
    else if (relation === "item" && holds.includes("schema_list")) steps.push("[]");
    else steps.push(` ${token}`);
  }
  return steps;
}
