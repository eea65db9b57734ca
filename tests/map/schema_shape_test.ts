import assert from "node:assert/strict";
import { SchemaShapes } from "../../src/map/schema_shape.ts";
import { asSchema } from "../schema/schemas_in.ts";

const LETTERS = [..."abcdefghijklmn"];

/** A schema with a pattern for each letter in a name: names match 2^14 different sets of patterns. */
function lettersShape() {
  const patternProperties = Object.fromEntries(
    LETTERS.map((letter) => [letter, { properties: { [`${letter}s`]: {} } }]),
  );
  return new SchemaShapes().forSchema(asSchema({ patternProperties }));
}

Deno.test("a property that matches several patterns has the properties of all their schemas", () => {
  const shape = lettersShape();
  assert.deepEqual([...shape.property("bad").propertyNames], ["as", "bs", "ds"]);
  assert.equal(shape.property("bad"), shape.property("dab"));
});

Deno.test("shapes for sets of patterns are cached up to a limit", () => {
  const shape = lettersShape();
  const kept = shape.undeclared(["a", "b"]);
  for (let bits = 1; bits < 2 ** LETTERS.length; bits++) {
    const letters = LETTERS.filter((_, index) => bits >> index & 1);
    assert.equal(shape.undeclared(letters).propertyNames.size, letters.length);
  }
  assert.equal(shape.undeclared(["a", "b"]), kept);
  const made = shape.undeclared(LETTERS);
  assert.notEqual(shape.undeclared(LETTERS), made);
  assert.deepEqual(shape.undeclared(LETTERS).propertyNames, made.propertyNames);
});
