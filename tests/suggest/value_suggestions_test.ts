// Tests requests for value classes: each shows what it claims, all are reached, and few are redundant.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type Suggestion } from "../../mod.ts";
import { countedWork, workGrowth } from "../counted_work.ts";
import { shopApi } from "../shop_api.ts";
import { checkClaims } from "./check_claims.ts";

const SERVER = "http://localhost";

function describe(
  schema: unknown,
  parameters: readonly object[] = [],
  schemas: object = {},
): Record<string, unknown> {
  const content = { "application/json": { schema } };
  return shopApi({ "/a": { post: { parameters, requestBody: { required: true, content } } } }, {
    components: { schemas },
  });
}

/** A schema with the sets of classes that its values can show, each class with a unique name. */
interface Shape {
  readonly schema: object;
  readonly shows: readonly (readonly string[])[];
}

const below = (name: string, shows: readonly string[]): string[] =>
  shows.map((one) => `${name}/${one}`);

const LEAVES: readonly Shape[] = [
  { schema: { type: "boolean" }, shows: [["true"], ["false"]] },
  { schema: { enum: ["a", "b", "c", "d"] }, shows: [["a"], ["b"], ["c"], ["d"]] },
  { schema: { type: "integer", minimum: 1, maximum: 9 }, shows: [["min"], ["max"], ["between"]] },
  { schema: { type: ["number", "null"] }, shows: [["null"], ["-"], ["0"], ["+"]] },
  {
    schema: { type: "string", maxLength: 3 },
    shows: [["empty"], ["most"], ["most", "é"], ["between"], ["between", "é"]],
  },
  { schema: { type: "string", minLength: 2 }, shows: [["least", "é"], ["between", "é"]] },
  { schema: { type: "string", format: "date" }, shows: [[]] },
];

function list(items: Shape): Shape {
  const pairs = items.shows.flatMap((one) =>
    items.shows.map((other) => below("*", [...new Set([...one, ...other])]))
  );
  return {
    schema: { type: "array", items: items.schema, maxItems: 2 },
    shows: [
      ["none"],
      ...items.shows.map((shows) => ["one", ...below("*", shows)]),
      ...pairs.map((shows) => ["most", ...shows]),
    ],
  };
}

function object(first: Shape, second: Shape, isRequired: boolean): Shape {
  const ofFirst = first.shows.map((shows) => below("a", shows));
  const ofSecond = second.shows.map((shows) => below("b", shows));
  const optional = (name: string, all: readonly string[][]): string[][] => [
    [`${name} absent`],
    ...all.map((shows) => [`${name} present`, ...shows]),
  ];
  const left = isRequired ? ofFirst : optional("a", ofFirst);
  return {
    schema: {
      type: "object",
      properties: { a: first.schema, b: second.schema },
      ...(isRequired && { required: ["a"] }),
    },
    shows: left.flatMap((one) => optional("b", ofSecond).map((other) => [...one, ...other])),
  };
}

function either(first: Shape, second: Shape): Shape {
  return {
    schema: {
      oneOf: [
        { type: "object", required: ["a"], properties: { a: first.schema } },
        { type: "array", items: second.schema, minItems: 1, maxItems: 1 },
      ],
    },
    shows: [
      ...first.shows.map((shows) => ["first", ...below("a", shows)]),
      ...second.shows.map((shows) => ["second", "one", ...below("*", shows)]),
    ],
  };
}

const leaf = fc.constantFrom(...LEAVES);
const part = fc.oneof(leaf, leaf.map(list));
const shape = fc.oneof(
  part,
  fc.tuple(part, leaf, fc.boolean()).map((args) => object(...args)),
  fc.tuple(leaf, leaf).map((args) => either(...args)),
  fc.tuple(fc.tuple(leaf, leaf, fc.boolean()), leaf, fc.boolean())
    .map(([inner, other, isRequired]) => object(object(...inner), other, isRequired)),
);

/** The least number of values that show all classes, by exhaustive search. */
function smallestCover({ shows }: Shape): number {
  const names = [...new Set(shows.flat())];
  const all = 2 ** names.length - 1;
  const masks = [
    ...new Set(shows.map((own) => own.reduce((sum, name) => sum | 1 << names.indexOf(name), 0))),
  ];
  const useful = masks.filter((one) =>
    !masks.some((other) => other !== one && (one & other) === one)
  );
  let reached = new Set([0]);
  for (let count = 0;; count++) {
    if (reached.has(all)) return count;
    const next = new Set<number>();
    for (const before of reached) {
      // One of the values with the first missing class must be included.
      const missing = ~before & -~before;
      for (const mask of useful) if ((mask & missing) !== 0) next.add(before | mask);
    }
    reached = next;
  }
}

Deno.test("all classes of small schemas are reached, with hardly more requests than necessary", () => {
  let [sent, needed] = [0, 0];
  fc.assert(
    fc.property(shape, (small) => {
      const map = CoverageMap.fromDict(describe(small.schema), { values: true });
      const { requests } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
      checkClaims(map, requests, true);
      const { seen, total } = map.report().summary.values ?? {};
      assert.equal(total, new Set(small.shows.flat()).size);
      assert.equal(seen, total);
      const least = smallestCover(small);
      sent += requests.length;
      needed += least;
    }),
    { numRuns: 100 },
  );
  assert.ok(needed > 300, `only ${needed} requests`);
  assert.ok(sent <= 1.01 * needed, `${sent} requests where ${needed} are enough`);
});

function bodies(requests: readonly Suggestion[]): unknown[] {
  return requests.map(({ request }) => JSON.parse(request.body ?? "null"));
}

function suggestValues(description: object, gaps?: readonly string[]): readonly Suggestion[] {
  return CoverageMap.fromDict(description, { values: true })
    .suggestRequests({ server: SERVER, kinds: ["value_uncovered"], gaps }).requests;
}

Deno.test("one list shows several enum members, and one body leaves out several properties", () => {
  const genres = { type: "array", items: { enum: ["novel", "poetry", "comic"] }, minItems: 1 };
  const schema = { type: "object", properties: { genres, used: { type: "boolean" } } };
  assert.deepEqual(bodies(suggestValues(describe(schema))), [
    { genres: ["novel", "poetry", "comic"], used: true },
    { genres: ["novel"], used: false },
    {},
  ]);
});

Deno.test("parameters with a default are left out after everything else was shown", () => {
  const parameters = [
    { name: "sort", in: "query", schema: { enum: ["title", "price"], default: "title" } },
    { name: "mine", in: "query", schema: { type: "boolean" } },
    { name: "page", in: "query", schema: { type: "integer", minimum: 1, maximum: 1 } },
  ];
  const urls = suggestValues(describe(true, parameters)).map(({ request }) => request.url);
  assert.deepEqual(urls, [
    `${SERVER}/a?sort=title&mine=true&page=1`,
    `${SERVER}/a?sort=price&mine=false`,
    `${SERVER}/a`,
  ]);
});

Deno.test("a value class requested by id gets one request with nothing else in it", () => {
  const friend = { type: "object", properties: { nick: { type: "string", format: "email" } } };
  const description = describe({
    type: "object",
    properties: {
      name: { type: "string", maxLength: 20 },
      friends: { type: "array", items: friend },
    },
  });
  const map = CoverageMap.fromDict(description, { values: true });
  map.record({
    method: "POST",
    url: `${SERVER}/a`,
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  const gaps = map.gaps().filter((gap) => gap.kind === "value_uncovered");
  const gapId = (name: string): string => gaps.find((gap) => gap.class === name)?.id ?? "";
  for (
    const [name, body] of [
      ["max_length", { name: "ttttttttttttttttext".padStart(20, "t") }],
      ["no_items", { friends: [] }],
      ["one_item", { friends: [{}] }],
    ] as const
  ) {
    const [request, ...others] = suggestValues(description, [gapId(name)]);
    assert.deepEqual(others, []);
    assert.deepEqual(bodies(request ? [request] : []), [body]);
    assert.deepEqual(request?.closes.map(({ id }) => id), [gapId(name)]);
  }
});

Deno.test("a known id is kept while anything else is left to show", () => {
  const description = shopApi({
    "/books/{id}": {
      get: {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", maxLength: 9 } },
          { name: "full", in: "query", schema: { type: "boolean" } },
        ],
        responses: { 200: { description: "" } },
      },
    },
  });
  const map = CoverageMap.fromDict(description, { values: true, keepRequests: true });
  map.record({ method: "GET", url: `${SERVER}/books/b7` }, { status_code: 200 });
  const { requests } = map.suggestRequests({ kinds: ["value_uncovered"] });
  assert.deepEqual(requests.map(({ request }) => request.url), [
    `${SERVER}/books/${encodeURIComponent("tttttexté")}`,
    `${SERVER}/books/b7?full=true`,
    `${SERVER}/books/b7?full=false`,
  ]);
});

Deno.test("classes in recursive schemas, forms and alternatives are all reached", () => {
  const toSchema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const prompts = { type: "array", items: toSchema("Prompt") };
  const back = ["A", "B", "C", "D", "E"];
  const schemas = {
    Prompt: {
      type: "object",
      properties: { answer: toSchema("Answer") },
    },
    Answer: {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" }, prompts },
    },
    ...Object.fromEntries(back.map((name) => [name, {
      properties: { [`of${name}`]: toSchema("Node"), note: { maxLength: 5 } },
    }])),
    Node: {
      type: "object",
      properties: Object.fromEntries(back.map((name) => [name, { anyOf: back.map(toSchema) }])),
    },
  };
  const filter = {
    type: "object",
    properties: { name: { type: "string" }, age: { enum: [1, 2] } },
  };
  const shelf = { anyOf: [{ type: "integer" }, { const: "storage" }, { type: "null" }] };
  for (
    const [schema, parameters] of [
      [toSchema("Prompt"), []],
      [toSchema("Answer"), []],
      [toSchema("Node"), []],
      [
        { type: "object", properties: { shelf }, additionalProperties: shelf, minProperties: 1 },
        [],
      ],
      [true, [{ name: "filter", in: "query", style: "deepObject", schema: filter }]],
    ] as const
  ) {
    const map = CoverageMap.fromDict(describe(schema, parameters, schemas), { values: true });
    const { requests } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
    checkClaims(map, requests, true);
    assert.equal(map.report().summary.values?.percent, 100, JSON.stringify(schema));
  }
});

Deno.test("a list of one item is sent in forms that allow a single value instead", () => {
  const list = { type: "array", items: { type: "string" } };
  const properties = { tags: { anyOf: [{ type: "integer" }, list] } };
  for (const mediaType of ["application/x-www-form-urlencoded", "multipart/form-data"]) {
    const content = { [mediaType]: { schema: { type: "object", properties } } };
    const map = CoverageMap.fromDict(
      shopApi({ "/tags": { post: { requestBody: { content }, responses: { 200: {} } } } }),
      { values: true },
    );
    const { requests } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
    checkClaims(map, requests, true);
    assert.equal(map.report().summary.values?.percent, 100, mediaType);
    // As a field of its own, which may be a file.
    assert(requests.some(({ request: { body = "" } }) => /tags(?:\[0\]|%5B0%5D)/.test(body)));
  }
});

const enumMap = (size: number): CoverageMap => {
  const members = Array.from({ length: size }, (_, index) => `m${index}`);
  const schema = { type: "object", required: ["e"], properties: { e: { enum: members } } };
  return CoverageMap.fromDict(describe(schema), { values: true });
};

Deno.test("the work to request all members of an enum grows linearly", () => {
  const growth = workGrowth((size) => {
    const map = enumMap(size);
    return () => {
      const { requests } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
      assert.equal(requests.length, size);
    };
  });
  for (const times of growth) assert.ok(times < 2.5, `${growth.join(" and ")} times the work`);
});

Deno.test("no values are generated for classes beyond the limit of requests", () => {
  const work = (size: number, limit: number): number => {
    const map = enumMap(size);
    return countedWork(() => {
      const { requests, unreachable } = map.suggestRequests({ server: SERVER, limit });
      assert.equal(requests.length, limit);
      assert.ok(unreachable.every(({ gap }) => gap.kind !== "value_uncovered"));
    });
  };
  assert.ok(4 * work(1000, 2) < work(1000, 20), "values were searched");
});

Deno.test("no request leaves out a property that another rule requires", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    allOf: [{ required: ["a"] }],
  };
  const map = CoverageMap.fromDict(describe(schema), { values: true });
  const { unreachable } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
  assert.deepEqual(
    unreachable.flatMap(({ gap, reason }) =>
      gap.kind === "value_uncovered" ? [gap.class, reason] : []
    ),
    ["absent", "No valid request was found that leaves it out."],
  );
});
