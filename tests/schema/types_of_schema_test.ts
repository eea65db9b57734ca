import assert from "node:assert/strict";
import { DRAFT_04, OPENAPI_3_0_SCHEMA } from "../../src/schema/dialect.ts";
import { typesOfSchema } from "../../src/schema/types_of_schema.ts";
import { ARRAY, NULL, OBJECT, STRING, typeMask, typeOf } from "../../src/values/json_type.ts";
import { schemaOf, schemasOf } from "./schemas_of.ts";

const INTEGER = typeOf(1);
const NUMBER = typeMask("number");

Deno.test("type decides the types alone", () => {
  assert.equal(typesOfSchema(schemaOf({ type: "string", enum: [1] })), STRING);
  assert.equal(typesOfSchema(schemaOf({ type: ["object", "null"] })), OBJECT | NULL);
  assert.equal(
    typesOfSchema(schemaOf({ type: "string", nullable: true }, OPENAPI_3_0_SCHEMA)),
    STRING | NULL,
  );
});

Deno.test("const and enum name the types of their values, const first", () => {
  assert.equal(typesOfSchema(schemaOf({ enum: ["a", 1] })), STRING | INTEGER);
  assert.equal(typesOfSchema(schemaOf({ enum: ["a", 1], const: 1 })), INTEGER);
  assert.equal(typesOfSchema(schemaOf({ enum: ["a", 1], const: 1 }, DRAFT_04)), STRING | INTEGER);
  assert.equal(typesOfSchema(schemaOf({ enum: "a" })), 0);
});

Deno.test("properties and items name types only if nothing else does", () => {
  assert.equal(typesOfSchema(schemaOf({ properties: {}, items: {} })), OBJECT | ARRAY);
  assert.equal(typesOfSchema(schemaOf({ properties: {}, enum: [null] })), NULL);
  assert.equal(typesOfSchema(schemaOf({ items: [{}] })), 0);
  assert.equal(typesOfSchema(schemaOf({ items: [{}] }, DRAFT_04)), ARRAY);
  assert.equal(typesOfSchema(schemaOf({ items: true })), ARRAY);
  assert.equal(typesOfSchema(schemaOf({ items: true }, DRAFT_04)), 0);
});

Deno.test("all schemas of allOf narrow the types; one of anyOf and oneOf is enough", () => {
  const text = { type: "string" };
  const number = { type: "number" };
  assert.equal(typesOfSchema(schemaOf({ allOf: [{ type: ["string", "null"] }, text] })), STRING);
  assert.equal(typesOfSchema(schemaOf({ anyOf: [text, number] })), STRING | NUMBER);
  assert.equal(typesOfSchema(schemaOf({ oneOf: [text, {}] })), STRING);
  assert.equal(typesOfSchema(schemaOf({ allOf: [text, number] })), STRING | NUMBER);
});

Deno.test("references lead on, and one that leads back to itself names nothing", () => {
  const at = schemasOf({
    Name: { $ref: "#/Text" },
    Text: { type: "string" },
    Loop: { $ref: "#/Back" },
    Back: { anyOf: [{ $ref: "#/Loop" }, { type: "null" }] },
  });
  assert.equal(typesOfSchema(at("Name")), STRING);
  assert.equal(typesOfSchema(at("Loop")), NULL);
  assert.equal(typesOfSchema(at("Back")), NULL);
});

Deno.test("then, else and dependent schemas are asked last", () => {
  const branches = { if: {}, then: { type: "string" }, else: { type: "null" } };
  assert.equal(typesOfSchema(schemaOf(branches)), STRING | NULL);
  assert.equal(typesOfSchema(schemaOf({ ...branches, properties: {} })), OBJECT);
});

Deno.test("a schema that says nothing, or is a boolean, names no types", () => {
  assert.equal(typesOfSchema(schemaOf({ minLength: 1 })), 0);
  assert.equal(typesOfSchema(true), 0);
  assert.equal(typesOfSchema(undefined), 0);
});
