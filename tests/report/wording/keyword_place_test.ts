import assert from "node:assert/strict";
import { keywordPlace } from "../../../src/report/wording/keyword_place.ts";
import { placeName } from "../../../src/report/wording/place_name.ts";

Deno.test("keywordPlace() keeps the way through a schema in another file", () => {
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

Deno.test("keywordPlace() keeps the way through a schema of the description", () => {
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

Deno.test("placeName() calls a file that is a schema by its name", () => {
  assert.equal(placeName("models/NewPet.yaml#", "/paths/~1a/post/requestBody", "body"), "NewPet");
  assert.equal(
    placeName("models/NewPet.yaml#/properties/name", "/paths/~1a/post/requestBody", "body"),
    "NewPet.name",
  );
  assert.equal(placeName("models.yaml#/NewPet", "/paths/~1a/post/requestBody", "body"), "NewPet");
});
