import { keywordTable } from "../../values/keyword_table.ts";
import { pointerTokens, schemaSteps } from "./schema_steps.ts";

/**
 * The names that a pointer leads by, as somebody would search for them: the component and the properties. Names of
 * keywords and of operations are left out.
 *
 * @param pointer RFC 6901, of a schema, a keyword or an example; may begin with a file.
 *
 * @example
 * ```ts
 * import { schemaNames } from "./schema_names.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(schemaNames("/components/schemas/User/properties/address/items"), "User.address");
 * assert.equal(schemaNames("people.yaml#/Person/properties/name"), "people.yaml Person.name");
 * assert.equal(schemaNames("/paths/~1a/get/parameters/0/schema/properties/a/minimum"), ".a");
 * ```
 */
export function schemaNames(pointer: string): string {
  const hash = pointer.indexOf("#");
  const [, root, kind = "", name = "", ...rest] = pointerTokens(pointer.slice(hash + 1));
  const file = pointer.slice(0, Math.max(0, hash));
  if (root === "paths") {
    const steps = [kind, name, ...rest];
    const schema = steps.indexOf("schema");
    return schema < 0 ? "" : propertyNames(steps.slice(schema + 1));
  }
  if (root === "components") return name + propertyNames(rest);
  if (root === "definitions") return kind + propertyNames([name, ...rest]);
  // Another file is a schema, or holds some by name.
  if (root === undefined || keywordTable.has(root)) {
    return file + propertyNames([root ?? "", kind, name, ...rest]);
  }
  return `${file} ${root}${propertyNames([kind, name, ...rest])}`;
}

function propertyNames(tokens: readonly string[]): string {
  return schemaSteps(tokens).filter((step) => step.startsWith(".")).join("");
}
