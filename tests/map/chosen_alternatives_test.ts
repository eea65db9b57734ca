import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

const JSON_HEADERS = { "content-type": "application/json" };

const CAT = { $ref: "#/components/schemas/Cat" };
const DOG = { $ref: "#/components/schemas/Dog" };

function petApi(pet: unknown, Cat: object = {}): CoverageMap {
  const kind = { kind: { type: "string" } };
  return CoverageMap.fromDict(shopApi({
    "/pets": {
      post: {
        requestBody: { content: { "application/json": { schema: pet } } },
        responses: { 201: { description: "Added" } },
      },
    },
  }, {
    components: {
      schemas: {
        Cat: { type: "object", properties: { ...kind, lives: { maximum: 9 } }, ...Cat },
        Dog: { type: "object", properties: { ...kind, lives: { maximum: 1 } } },
        Animal: {
          oneOf: [CAT, DOG],
          discriminator: { propertyName: "kind", mapping: { puppy: DOG.$ref } },
          properties: { friend: { $ref: "#/components/schemas/Animal" } },
        },
      },
    },
  }));
}

function send(map: CoverageMap, ...bodies: unknown[]): void {
  for (const body of bodies) {
    const text = JSON.stringify(body);
    map.record({ method: "POST", url: "/pets", headers: JSON_HEADERS, body: text });
  }
}

/** Counts of each alternative, by the pointer of the keyword. */
function chosenIn(map: CoverageMap): Record<string, readonly number[]> {
  const [parameter] = map.report().operations[0]?.parameters ?? [];
  return Object.fromEntries(
    (parameter?.keywords ?? []).flatMap(({ schema_path, chosen }) =>
      chosen === undefined ? [] : [[schema_path, chosen]]
    ),
  );
}

const CHOOSING = { oneOf: [CAT, DOG], discriminator: { propertyName: "kind" } };
const AT = "/paths/~1pets/post/requestBody/content/application~1json/schema/oneOf";

Deno.test("an alternative counts the objects whose discriminator names it, valid or not", () => {
  const map = petApi(CHOOSING);
  send(map, { kind: "Dog" }, { kind: "Dog", lives: 7 }, { kind: "Bird" }, { lives: 3 }, "Cat", 7);
  assert.deepEqual(chosenIn(map), { [AT]: [0, 2] });
  const again = petApi(CHOOSING);
  again.mergeHits(map.exportHits());
  send(again, { kind: "Cat" });
  assert.deepEqual(chosenIn(again), { [AT]: [1, 2] });
});

Deno.test("without a discriminator, alternatives have no counts", () => {
  const map = petApi({ oneOf: [CAT, DOG] });
  send(map, { kind: "Dog" });
  assert.deepEqual(chosenIn(map), {});
});

Deno.test("hits from before an alternative was documented still count for the others", () => {
  const before = petApi({ oneOf: [CAT, DOG] });
  send(before, { kind: "Cat", lives: 12 });
  const map = petApi(CHOOSING);
  assert.deepEqual(map.mergeHits(before.exportHits(), { carry: true }), []);
  assert.deepEqual(chosenIn(map), { [AT]: [0, 0] });
  assert.deepEqual(map.statistic().keywords, before.statistic().keywords);
  send(map, { kind: "Dog" });
  assert.deepEqual(before.mergeHits(map.exportHits(), { carry: true }), []);
  assert.equal(before.statistic().keywords.full, map.statistic().keywords.full);
});

Deno.test("an alternative counts an object once, even if several schemas lead to it", () => {
  const map = petApi({
    anyOf: [{ $ref: "#/components/schemas/Animal" }, { $ref: "#/components/schemas/Animal" }],
  });
  send(map, { kind: "puppy", friend: { kind: "Cat", friend: { kind: "Cat" } } });
  assert.deepEqual(chosenIn(map), { "/components/schemas/Animal/oneOf": [2, 1] });
});
