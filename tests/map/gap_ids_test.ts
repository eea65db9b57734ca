import assert from "node:assert/strict";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { findGaps } from "../../src/suggest/find_gaps.ts";
import { GAP_KINDS, OperationGoals } from "../../src/suggest/goals.ts";
import { coveredOperation } from "../../src/map/coverage.ts";
import { Hits } from "../../src/map/hits.ts";
import { SuggestError } from "../../src/suggest/suggestion.ts";
import { shopApi } from "../shop_api.ts";

type Members = Record<string, unknown>;

const BOOK = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", minLength: 1 },
    author: { type: "object", properties: { id: { type: "string", minLength: 2 } } },
  },
};
const LIMIT = { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } };
const ID = { name: "id", in: "path", required: true, schema: { type: "string" } };

function describe(paths: Members, schemas: Members = {}): Members {
  return shopApi(paths, { components: { schemas } });
}

function post(schema: unknown): Members {
  return {
    post: {
      requestBody: { content: { "application/json": { schema } } },
      responses: { 200: { description: "" } },
    },
  };
}

/** Ids of everything that can be a gap, by the description of the gap as JSON. */
function gapIds(description: Members): Map<string, string> {
  const { plan } = MeasuredApi.fromDict(description, { values: true });
  const found = new Map<string, string>();
  for (const operation of plan.operations) {
    const bare = coveredOperation(operation, new Hits());
    for (const { gap } of new OperationGoals(bare, new Set(GAP_KINDS), plan.gapIds).all) {
      const { id = "", ...about } = gap;
      found.set(JSON.stringify(about), id);
    }
  }
  return found;
}

function ids(description: Members): Set<string> {
  return new Set(gapIds(description).values());
}

const SMALL = describe({
  "/books": { get: { parameters: [LIMIT], responses: {} }, ...post(BOOK) },
});

Deno.test("ids of gaps are short and unique", () => {
  const all = gapIds(SMALL);
  assert.equal(new Set(all.values()).size, all.size);
  assert.ok(all.size > 20);
  for (const id of all.values()) assert.match(id, /^g-[0-9a-z]{8}$/);
});

Deno.test("ids stay the same when a description is reordered and grows", () => {
  const { author, title } = BOOK.properties;
  const grown = describe({
    "/authors": post({ type: "object", properties: { id: { type: "string", minLength: 2 } } }),
    "/books": {
      ...post({
        ...BOOK,
        properties: {
          id: { type: "string", minLength: 2 },
          publisher: author,
          author: { description: "Who wrote it", ...author },
          title,
        },
      }),
      get: {
        parameters: [{ name: "page", in: "query", schema: { type: "integer" } }, LIMIT],
        responses: { 404: { description: "" } },
      },
    },
  });
  const after = ids(grown);
  for (const [about, id] of gapIds(SMALL)) {
    assert.ok(after.has(id), about);
  }
});

Deno.test("ids stay the same when schemas become components and path variables are renamed", () => {
  const plain = describe({ "/books/{id}": { parameters: [ID], ...post(BOOK) } });
  const moved = describe(
    {
      "/books/{book}": {
        parameters: [{ ...ID, name: "book" }],
        ...post({ $ref: "#/components/schemas/Book" }),
      },
    },
    {
      Book: {
        ...BOOK,
        properties: { ...BOOK.properties, author: { $ref: "#/components/schemas/Author" } },
      },
      Author: BOOK.properties.author,
    },
  );
  assert.deepEqual([...ids(moved)].sort(), [...ids(plain)].sort());
});

Deno.test("alternatives with equal schemas have different ids", () => {
  const pet = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
  const schemas = { Cat: pet("name"), Dog: pet("name") };
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const both = (names: string[]) =>
    describe({ "/pets": post({ oneOf: names.map(reference) }) }, schemas);
  const all = gapIds(both(["Cat", "Dog"]));
  assert.equal(new Set(all.values()).size, all.size);
  assert.deepEqual([...ids(both(["Dog", "Cat"]))].sort(), [...all.values()].sort());
});

Deno.test("keywords of schemas that apply together keep their ids in any order", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ [name]: { type: "string" } }));
  const named = (schema: unknown, pointer: string) =>
    ["valid", "invalid"].map((state) =>
      [...gapIds(describe({ "/x": post(schema) }))].find(([about]) =>
        about.includes(`schema${pointer}properties"`) && about.includes(`"${state}"`)
      )?.[1]
    );
  const before = { allOf: [{ properties: a }, { properties: b }], properties: c };
  const after = { properties: c, allOf: [{ properties: b }, { properties: a }] };
  assert.deepEqual(named(after, "/"), named(before, "/"));
  assert.deepEqual(named(after, "/allOf/0/"), named(before, "/allOf/1/"));
  assert.deepEqual(named(after, "/allOf/1/"), named(before, "/allOf/0/"));
});

Deno.test("every one of many examples has an id of its own, even if all are equal", () => {
  for (const makeValue of [(index: number) => `${index}`, () => "all"]) {
    const examples = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`e${index}`, { value: makeValue(index) }]),
    );
    const page = { name: "page", in: "query", schema: { type: "string" }, examples };
    const all = gapIds(describe({ "/books": { get: { parameters: [page], responses: {} } } }));
    assert.ok(all.size > 300);
    assert.equal(new Set(all.values()).size, all.size);
  }
});

Deno.test("a keyword with a changed value gets a new id, and the error for the old id names the new one", () => {
  const before = gapIds(SMALL);
  const id =
    [...before].find(([about]) => about.includes("/maximum") && about.includes('"invalid"'))
      ?.[1] ?? "";
  const { plan } = MeasuredApi.fromDict(
    describe({
      "/books": {
        get: {
          parameters: [{ ...LIMIT, schema: { type: "integer", maximum: 50 } }],
          responses: {},
        },
      },
    }),
  );
  const now = plan.gapIds.id({
    kind: "keyword_uncovered",
    ...{ method: "GET", path: "/books", location: "query", parameter: "limit" },
    schema_path: "/paths/~1books/get/parameters/0/schema/maximum",
    state: "invalid",
  });
  assert.notEqual(now, id);
  assert.throws(() => findGaps(plan, [id]), (error: unknown) => {
    assert.ok(error instanceof SuggestError);
    assert.match(error.message, /still has GET \/books, but not what the gap g-\w+ is about\./);
    assert.ok(error.message.includes(`The nearest is ${now.slice(0, -2)}`), error.message);
    return true;
  });
});

Deno.test("enum members and booleans have ids of their own, in any order; a limit's id changes only at its end", () => {
  const named = (genre: readonly string[], minimum: number) =>
    gapIds(describe({
      "/books": {
        get: {
          parameters: [
            { name: "genre", in: "query", schema: { enum: genre } },
            { name: "used", in: "query", schema: { type: "boolean", default: true } },
            { name: "limit", in: "query", schema: { type: "integer", minimum } },
          ],
          responses: {},
        },
      },
    }));
  const of = (ids: Map<string, string>, text: string) =>
    [...ids].find(([about]) => about.includes("value_uncovered") && about.includes(text))?.[1] ??
      "";
  const before = named(["novel", "poetry"], 1);
  assert.equal(new Set(before.values()).size, before.size);
  const after = named(["comic", "poetry", "novel"], 2);
  for (const text of ['"novel"', '"poetry"', '"value":false', "default_left_out"]) {
    assert.match(of(before, text), /^g-/, text);
    assert.equal(of(after, text), of(before, text), text);
  }
  const [one, two] = [of(before, '"minimum","value":1'), of(after, '"minimum","value":2')];
  assert.notEqual(two, one);
  assert.equal(two.slice(0, -2), one.slice(0, -2));
});

Deno.test("findGaps() says whether an id is malformed, unknown or mistyped", () => {
  const { plan } = MeasuredApi.fromDict(SMALL);
  const [id = ""] = ids(SMALL);
  assert.deepEqual(findGaps(plan, [` ${id.toUpperCase()} `]).map(({ gap }) => gap.id), [id]);
  const message = (wrong: string): string => {
    try {
      findGaps(plan, [wrong]);
    } catch (error) {
      if (error instanceof SuggestError) return error.message;
    }
    return "";
  };
  assert.match(message("books"), /"books" is not the id of a gap, such as g-/);
  assert.match(message("g-zzzzzzzz"), /No operation of the description has the gap g-zzzzzzzz/);
  const slip = `${id.slice(0, 3)}${id[4]}${id[3]}${id.slice(5)}`;
  assert.match(message(slip), new RegExp(`The nearest is ${id}`));
});
