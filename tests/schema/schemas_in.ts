import { type Dialect, DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { References } from "../../src/schema/references.ts";
import { SchemaGraph, type SchemaNode } from "../../src/schema/schema_node.ts";
import { optionalOverrides } from "../../src/schema/optional_overrides.ts";

/** Finds schemas by name in a document that has nothing else; `$ref: "#/NAME"` refers to them. */
export function schemasIn(
  schemas: Readonly<Record<string, object>>,
  dialect: Dialect = DRAFT_2020_12,
): (name: string) => SchemaNode {
  const document = { uri: "file:///schemas.json", value: schemas, label: "" };
  const references = new References([document], { hasIdentifiers: true });
  const graph = new SchemaGraph(references, dialect, { findOptional: optionalOverrides });
  return (name) => {
    const node = graph.nodeAt({ value: schemas[name], document, pointer: `/${name}` });
    if (typeof node !== "object") throw new TypeError(`There is no schema ${name}.`);
    return node;
  };
}

/** Makes one schema; `$ref: "#/Schema"` refers to it. */
export function asSchema(schema: object, dialect?: Dialect): SchemaNode {
  return schemasIn({ Schema: schema }, dialect)("Schema");
}
