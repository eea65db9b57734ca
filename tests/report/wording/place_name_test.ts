import assert from "node:assert/strict";
import { pointerTokens } from "../../../src/values/json_pointer.ts";
import {
  diagnosticPlace,
  keywordPlace,
  placeName,
  schemaNames,
  schemaSteps,
} from "../../../src/report/wording/place_name.ts";

const LIMIT = "/paths/~1users/get/parameters/0";
const BODY = "/paths/~1users/post/requestBody/content/application~1json";

Deno.test("placeName() gives a parameter's own schema the parameter's name", () => {
  assert.equal(placeName(`${LIMIT}/schema`, LIMIT, "limit"), "limit");
  assert.equal(placeName(`${LIMIT}/schema/items`, LIMIT, "limit"), "limit[]");
  assert.equal(placeName(`${LIMIT}/content/a~1b/schema`, LIMIT, "limit"), "limit");
  assert.equal(placeName(`${BODY}/schema/properties/name`, BODY, "body"), "body.name");
});

Deno.test("placeName() begins with the component's name elsewhere", () => {
  const user = "/components/schemas/User";
  assert.equal(placeName(user, BODY, "body"), "User");
  assert.equal(
    placeName(`${user}/properties/a~1b~0c/items/oneOf/1`, BODY, "body"),
    "User.a/b~c[] oneOf[1]",
  );
  assert.equal(placeName(`${user}/additionalProperties`, BODY, "body"), "User.*");
  assert.equal(placeName(`${user}/properties/schema/items/0`, BODY, "body"), "User.schema[0]");
  assert.equal(placeName("/definitions/Pet/properties/tag", LIMIT, "pet"), "Pet.tag");
  assert.equal(
    placeName("parts.yaml#/components/schemas/Part/prefixItems/0", BODY, "body"),
    "Part[0]",
  );
});

Deno.test("placeName() doesn't confuse a parameter with one whose pointer is longer", () =>
  assert.equal(placeName(`${LIMIT}0/schema`, LIMIT, "limit"), "paths /users get parameters 00"));

function steps(pointer: string): string {
  return schemaSteps(pointerTokens(`/${pointer}`)).join("");
}

Deno.test("each applicator is a step in the notation of its value", () => {
  assert.equal(steps("properties/a~1b"), ".a/b");
  assert.equal(steps("patternProperties/^x-"), "./^x-/");
  assert.equal(steps("additionalProperties"), ".*");
  assert.equal(steps("items"), "[]");
  assert.equal(steps("items/2"), "[2]");
  assert.equal(steps("prefixItems/0"), "[0]");
  assert.equal(steps("additionalItems"), "[…]");
  assert.equal(steps("contains"), " contains");
  assert.equal(steps("oneOf/1/not"), " oneOf[1] not");
  assert.equal(steps("dependencies/card"), " card");
  assert.equal(steps("$defs/Name"), " Name");
});

Deno.test("a property may have the name of a keyword", () =>
  assert.equal(steps("properties/items/properties/schema"), ".items.schema"));

Deno.test("keywordPlace() keeps the path within a schema in another file", () => {
  const places = {
    "NewPet.yaml#/type": "NewPet/type",
    "NewPet.yaml#/properties/name/type": "NewPet/properties/name/type",
    "../a~1b/New~Pet.schema.json#/allOf/0/required": "New~Pet/allOf[0]/required",
    "https://example.com/schemas/Pet.json?v=2#/items/minLength": "Pet/items/minLength",
    "schema/Pet.yaml#/properties/schema/properties/name/type":
      "Pet/properties/schema/properties/name/type",
    "models.yaml#/NewPet/properties/name/type": "NewPet/properties/name/type",
    "models.yaml#/components/schemas/NewPet/type": "NewPet/type",
    "models.json#/definitions/NewPet/type": "NewPet/type",
    "paths.yaml#/~1users/get/parameters/0/schema/items/maximum": "items/maximum",
    "parameters.yaml#/limit/schema/maximum": "maximum",
    "parameters.yaml#/parameters/limit/items/enum": "items/enum",
  };
  for (const [path, place] of Object.entries(places)) assert.equal(keywordPlace(path), place, path);
});

Deno.test("keywordPlace() keeps the path within a schema of the description", () => {
  const places = {
    "/paths/~1users/get/parameters/0/schema/items/maximum": "items/maximum",
    "/paths/~1users/get/parameters/0/items/enum": "items/enum",
    "/paths/~1users/parameters/0/items/enum": "items/enum",
    "/parameters/limit/maximum": "maximum",
    "/components/parameters/limit/content/application~1json/schema/properties/a~1b/type":
      "properties/a/b/type",
    "/components/requestBodies/Pet/content/application~1json/schema/properties/schema/type":
      "properties/schema/type",
    "/$defs/Pet/properties/name/type": "$defs/Pet/properties/name/type",
    "/x-models/Pet/properties/name/type": "x-models/Pet/properties/name/type",
  };
  for (const [path, place] of Object.entries(places)) assert.equal(keywordPlace(path), place, path);
});

Deno.test("placeName() names a file that is a schema after the file", () => {
  assert.equal(placeName("models/NewPet.yaml#", "/paths/~1a/post/requestBody", "body"), "NewPet");
  assert.equal(
    placeName("models/NewPet.yaml#/properties/name", "/paths/~1a/post/requestBody", "body"),
    "NewPet.name",
  );
  assert.equal(placeName("models.yaml#/NewPet", "/paths/~1a/post/requestBody", "body"), "NewPet");
});

Deno.test("a path that contains # is not mistaken for a file", () => {
  const schema_path = "/paths/~1token#refresh/post";
  const diagnostic = { severity: "warning", code: "c", message: "", schema_path } as const;
  assert.equal(diagnosticPlace({ ...diagnostic, line: 5, column: 7 }, "a.yaml"), "a.yaml:5:7");
  const body = `${schema_path}/requestBody/content/application~1json`;
  const property = `${body}/schema/properties/name`;
  assert.equal(placeName(property, body, "body"), "body.name");
  assert.equal(schemaNames(property), ".name");
});
