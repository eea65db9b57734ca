import assert from "node:assert/strict";
import { placeName } from "../../../src/report/wording/place_name.ts";

const LIMIT = "/paths/~1users/get/parameters/0";
const BODY = "/paths/~1users/post/requestBody/content/application~1json";

Deno.test("placeName() calls a parameter's own schema by the parameter's name", () => {
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

Deno.test("placeName() does not take a longer sibling for the parameter itself", () => {
  assert.equal(placeName(`${LIMIT}0/schema`, LIMIT, "limit"), "paths /users get parameters 00");
});
