import type { Json } from "../values/json.ts";
import type { SchemaNode } from "./schema_node.ts";
import { typesOfSchema } from "./types_of_schema.ts";
import { STRING } from "../values/json_type.ts";

/** A documented example of a schema (semantics, section 6). */
export interface SchemaExample {
  /** Its pointer. */
  readonly schema_path: string;
  /** The value that it is compared as. */
  readonly value: Json;
}

/**
 * The examples that a schema documents: `default`, `example` and each entry of `examples`; none in responses, where they
 * do not count.
 */
export function examplesOf(node: SchemaNode): SchemaExample[] {
  const found: SchemaExample[] = [];
  if (node.isReferenceOnly || node.graph.direction === "response") return found;
  for (const keyword in node.schema) {
    if (!node.dialect.exampleKeywords.has(keyword)) continue;
    const value = node.schema[keyword];
    if (keyword !== "examples") {
      found.push({ schema_path: node.pathOf(keyword), value: readExample(value as Json, node) });
    } else if (Array.isArray(value)) {
      const path = node.pathOf("examples");
      value.forEach((example, index) =>
        found.push({ schema_path: `${path}/${index}`, value: readExample(example, node) })
      );
    }
  }
  return found;
}

/** An example written as a string where the schema allows no string is read as JSON if it parses. */
export function readExample(value: Json, schema: SchemaNode | boolean | undefined): Json {
  if (typeof value !== "string" || typeof schema !== "object") return value;
  const types = typesOfSchema(schema);
  if (types === 0 || (types & STRING) !== 0) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
