import assert from "node:assert/strict";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { FromDictOptions } from "../../src/coverage_map/measured_api.ts";
import type { Report } from "../../src/report/report.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const TODAY = { generatedAt: "2026-06-15T12:00:00Z" };

const PET = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 9 },
    born: { type: "string", format: "date" },
    owner: { $ref: "#/components/schemas/Owner" },
  },
};
const OWNER = { type: "object", properties: { name: { type: "string", format: "email" } } };

function description(changes: {
  readonly list?: object;
  readonly item?: object;
  readonly create?: object;
  readonly owner?: object;
  readonly pet?: object;
  readonly limit?: object;
  readonly body?: object;
  readonly missing?: object;
} = {}) {
  const json = (schema: object, more: object = {}) => ({
    content: { "application/json": { schema } },
    ...more,
  });
  return shopApi({
    "/pets": {
      get: {
        tags: ["public"],
        operationId: "listPets",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" }, ...changes.limit },
          { name: "X-Trace", in: "header", deprecated: true, schema: { type: "string" } },
        ],
        responses: { 200: { description: "Pets" }, 500: { description: "Broken" } },
        ...changes.list,
      },
      post: {
        tags: ["public"],
        operationId: "createPet",
        requestBody: json({ $ref: "#/components/schemas/Pet" }, changes.body),
        responses: { 201: { description: "Created" } },
        ...changes.create,
      },
    },
    "/owners/{id}": {
      put: {
        tags: ["internal"],
        operationId: "changeOwner",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: json({ $ref: "#/components/schemas/Owner" }),
        responses: {
          200: { description: "Changed" },
          404: { $ref: "#/components/responses/Missing" },
        },
      },
      delete: { deprecated: true, responses: { 204: { description: "Gone" } } },
      ...changes.item,
    },
  }, {
    components: {
      schemas: { Pet: { ...PET, ...changes.pet }, Owner: { ...OWNER, ...changes.owner } },
      responses: { Missing: { description: "Missing", ...changes.missing } },
    },
  });
}

function recordedMap(options: FromDictOptions = {}, of: object = description()): CoverageMap {
  const map = CoverageMap.fromDict(of, options);
  const url = (path: string) => `http://localhost${path}`;
  map.record({ method: "GET", url: url("/pets?limit=a") }, { status_code: 200 }, 10);
  const headers = { "content-type": "application/json" };
  const pet = JSON.stringify({ name: "Rex", born: "today", owner: { name: "a@b.example" } });
  map.record({ method: "POST", url: url("/pets"), headers, body: pet }, { status_code: 201 }, 20);
  map.record({ method: "DELETE", url: url("/owners/1") }, { status_code: 204 }, 30);
  return map;
}

function reportFor(options: FromDictOptions, of?: object): Report {
  return recordedMap(options, of).report(TODAY);
}

Deno.test("a report without a scope doesn't mention exclusions", () =>
  assert.ok(!JSON.stringify(reportFor({})).includes("exclu")));

Deno.test("patterns match operations by method and path, tag, operationId, or as deprecated", () => {
  const patterns = {
    "GET /pets": ["GET /pets"],
    "/owners/**": ["PUT /owners/{id}", "DELETE /owners/{id}"],
    "tag:intern*": ["PUT /owners/{id}"],
    "operation:*Pet": ["POST /pets"],
    deprecated: ["DELETE /owners/{id}"],
  };
  for (const [pattern, expected] of Object.entries(patterns)) {
    const { operations, exclusions } = reportFor({ exclude: [pattern] });
    const excluded = operations.filter(({ excluded }) => excluded !== undefined);
    assert.deepEqual(excluded.map(({ method, path }) => `${method} ${path}`), expected);
    assert.equal(exclusions?.[0]?.excluded.operations.total, expected.length);
  }
});

Deno.test("responses, parameters and keywords are excluded wherever they are", () => {
  const report = reportFor({
    exclude: ["response:4XX", "parameter:header:x-trace", "keyword:format"],
  });
  const [responses, parameters, keywords] = report.exclusions ?? [];
  assert.deepEqual(responses?.excluded.responses, { seen: 0, total: 1 });
  assert.deepEqual(parameters?.excluded.parameters, { seen: 0, total: 1 });
  assert.equal(keywords?.excluded.keywords.total, 3, "of the pet, its owner, and the owner alone");
  const uncovered = recordedMap({ exclude: ["keyword:format"] }).uncoveredKeywords();
  assert.ok(uncovered.length > 0);
  assert.ok(uncovered.every(({ schema_path }) => !schema_path.endsWith("/format")));
});

Deno.test('the pattern "deprecated" excludes deprecated parameters of other operations', () => {
  const { excluded } = reportFor({ exclude: ["deprecated"] }).exclusions?.[0] ?? {};
  assert.deepEqual(excluded?.parameters, { seen: 0, total: 1 });
});

Deno.test("include narrows operations and responses separately, and exclude takes precedence", () => {
  const report = reportFor({ include: ["tag:public", "response:2XX"], exclude: ["POST /**"] });
  assert.deepEqual(report.summary.operations, { seen: 1, total: 1, percent: 100, succeeded: 1 });
  assert.deepEqual(report.summary.responses, { seen: 1, total: 1, percent: 100, measured: true });
  assert.deepEqual(report.exclusions?.map(({ pattern, reason }) => [pattern, reason]), [
    ["POST /**", null],
    ["not included", "Matches none of: tag:public, response:2XX"],
  ]);
});

Deno.test("of several matching exclusions, the outermost counts, and of these the first", () => {
  const report = reportFor({ exclude: ["response:2XX", "/pets", "tag:public"] });
  assert.deepEqual(report.operations.map(({ excluded }) => excluded), [1, 1, undefined, undefined]);
  assert.equal(report.operations[0]?.responses[0]?.excluded, 1);
  assert.equal(report.operations[2]?.responses[0]?.excluded, 0);
  assert.deepEqual(report.exclusions?.map(({ stale }) => stale), [null, null, null]);
});

Deno.test("x-covtool-ignore excludes the part that has it, and the exclusion names the part", () => {
  const field = { "x-covtool-ignore": "later" };
  const places: readonly (readonly [object, string])[] = [
    [description({ create: field }), "/paths/~1pets/post"],
    [description({ item: field }), "/paths/~1owners~1{id}"],
    [description({ limit: field }), "/paths/~1pets/get/parameters/0"],
    [description({ body: field }), "/paths/~1pets/post/requestBody"],
    [description({ missing: field }), "/components/responses/Missing"],
    [description({ pet: field }), "/components/schemas/Pet"],
  ];
  for (const [of, schema_path] of places) {
    const { exclusions = [] } = reportFor({}, of);
    assert.deepEqual(
      exclusions.map(({ pattern, reason, schema_path, stale }) => [
        ...[pattern, reason, schema_path, stale],
      ]),
      [["x-covtool-ignore", "later", schema_path, null]],
    );
  }
});

Deno.test("x-covtool-ignore beside a reference excludes its target only at this place", () => {
  const of = shopApi({
    "/a": {
      get: { parameters: [{ $ref: "#/components/parameters/P", "x-covtool-ignore": "here" }] },
      post: {
        parameters: [{ $ref: "#/components/parameters/P" }],
        requestBody: { $ref: "#/components/requestBodies/B", "x-covtool-ignore": "here" },
      },
      put: { parameters: [{ $ref: "#/components/parameters/Marked" }] },
      patch: { parameters: [{ $ref: "#/components/parameters/Q", "x-covtool-ignore": "here" }] },
    },
  }, {
    components: {
      parameters: {
        P: { name: "p", in: "query", schema: { type: "integer" } },
        Marked: { $ref: "#/components/parameters/P", "x-covtool-ignore": "on the way" },
        Q: { $ref: "#/components/parameters/P" },
      },
      requestBodies: { B: { content: { "application/json": { schema: { type: "object" } } } } },
    },
  });
  const { operations, exclusions } = CoverageMap.fromDict(of).report(TODAY);
  assert.deepEqual(
    operations.map(({ parameters }) => parameters.map(({ excluded }) => excluded)),
    [[0], [undefined, 1], [3], [2]],
  );
  assert.deepEqual(exclusions?.map(({ stale }) => stale), [null, null, null, null]);
});

Deno.test("an exclusion that matches only schemas of responses isn't stale", () => {
  const exclude = ["keyword:minLength", "keyword:maxLength"];
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Legacy" } } };
  const headers = { "X-Total": { schema: { type: "integer", "x-covtool-ignore": true } } };
  const responses = { 200: { description: "Books", content, headers } };
  const map = CoverageMap.fromDict(
    shopApi({ "/books": { get: { responses } } }, {
      components: {
        schemas: {
          Legacy: { properties: { id: { "x-covtool-ignore": true }, name: { minLength: 1 } } },
          Unused: { "x-covtool-ignore": true },
        },
      },
    }),
    { exclude },
  );
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(
      map.report(TODAY).exclusions?.map(({ stale }) => stale?.replace(/^.*\) /, "") ?? null),
      [
        null,
        "matches nothing. Did you mean keyword:minLength?",
        ...[null, null],
        "leaves nothing out that covtool counts. Remove it.",
      ],
    );
    const headers = { "content-type": "application/json", "x-total": "1" };
    const body = '{"id":1,"name":"a"}';
    map.record({ method: "GET", url: "/books" }, { status_code: 200, headers, body });
  }
});

Deno.test("an exclusion that also matches schemas of responses isn't stale when requests cover it", () => {
  const id = { type: "integer", "x-covtool-ignore": "The API answers with texts." };
  const components = { schemas: { Id: id } };
  const schema = { properties: { id: { $ref: "#/components/schemas/Id" } } };
  const content = { "application/json": { schema } };
  const answered = { 200: { description: "Books", content } };
  const stale = (responses: object) => {
    const post = { requestBody: { content }, responses };
    const map = CoverageMap.fromDict(shopApi({ "/books": { post } }, { components }));
    const headers = { "content-type": "application/json" };
    for (const body of ['{"id":1}', '{"id":"a"}']) {
      map.record({ method: "POST", url: "/books", headers, body }, { status_code: 200 });
    }
    return map.report(TODAY).exclusions?.map(({ stale }) => stale !== null);
  };
  assert.deepEqual(stale({ 200: { description: "Books" } }), [true]);
  assert.deepEqual(stale(answered), [false]);
});

Deno.test("x-covtool-ignore leaves out the values of a schema of which no keyword counts", () => {
  for (const version of ["3.0.3", "3.1.0"]) {
    const ignored = { type: "string", "x-covtool-ignore": true };
    const schemas = { name: ignored, names: { type: "array", items: ignored } };
    const parameters = Object.entries(schemas).map(([name, schema]) => (
      { name, in: "query", schema, ...(name === "names" && { explode: false }) }
    ));
    const map = CoverageMap.fromDict({
      openapi: version,
      info: { title: "Shop", version: "1" },
      paths: { "/books": { get: { parameters, responses: {} } } },
    }, { values: true });
    map.record({ method: "GET", url: "/books?name=a&names=a,b" });
    const { summary: { keywords, values }, exclusions } = map.report();
    assert.equal(keywords.total, 0);
    assert.deepEqual([values?.seen, values?.total], [1, 3], "no, one and several items");
    assert.deepEqual(exclusions?.map(({ stale }) => stale), [null, null]);
  }
});

Deno.test("x-covtool-ignore is ignored in data, as a property name, or if it is false", () => {
  const report = reportFor(
    {},
    description({
      owner: {
        default: { "x-covtool-ignore": true },
        properties: { "x-covtool-ignore": { type: "string" } },
      },
      pet: { "x-covtool-ignore": false },
    }),
  );
  assert.equal(report.exclusions, undefined);
});

Deno.test("x-covtool-ignore is ignored in an example's value in its own file", () =>
  inFolder({}, async (folder) => {
    const limit = { examples: { one: { $ref: "example.json" } } };
    await writeJson(`${folder}/api.json`, description({ limit }));
    const example = { value: { "x-covtool-ignore": true } };
    await writeJson(`${folder}/example.json`, example);
    const map = await CoverageMap.fromPath(`${folder}/api.json`);
    assert.equal(map.report(TODAY).exclusions, undefined);
  }));

Deno.test("x-covtool-ignore of a shared path item takes precedence over that beside the reference", () => {
  const answer = { responses: { 200: { description: "Fine" } } };
  const { operations, exclusions } = CoverageMap.fromDict(
    shopApi(
      { "/a": { $ref: "#/components/pathItems/A", "x-covtool-ignore": "of the reference" } },
      {
        openapi: "3.2.0",
        components: {
          pathItems: {
            A: {
              get: answer,
              additionalOperations: { COPY: answer },
              "x-covtool-ignore": "of the item",
            },
          },
        },
      },
    ),
  ).report(TODAY);
  assert.deepEqual(
    operations.map(({ method, excluded }) => [method, exclusions?.[excluded ?? -1]?.reason]),
    [["GET", "of the item"], ["COPY", "of the item"]],
  );
});

Deno.test("x-covtool-ignore with an invalid value excludes nothing, and is stale", () => {
  const [exclusion] =
    reportFor({}, description({ create: { "x-covtool-ignore": 3 } })).exclusions ??
      [];
  assert.match(
    exclusion?.stale ?? "",
    /leaves nothing out\. Give the reason as text, true, or an object/,
  );
  for (const mark of ["", { reason: " " }]) {
    const marked = reportFor({}, description({ create: { "x-covtool-ignore": mark } }));
    assert.equal(marked.exclusions?.[0]?.reason, null, "a blank reason is none");
  }
  const dated = { reason: "later", until: "2026-06-14" };
  const [past] = reportFor({}, description({ create: { "x-covtool-ignore": dated } })).exclusions ??
    [];
  assert.equal(past?.until, "2026-06-14");
  assert.match(past?.stale ?? "", /was meant until 2026-06-14\./);
});

for (
  const [exclude, stale] of [
    [
      "tag:intrenal",
      /The exclusion "tag:intrenal" \(exclude option\) matches nothing\. Did you mean tag:internal\?/,
    ],
    ["GET /pet", /matches nothing\. Did you mean GET \/pets\?/],
    ["PUT /owners/{ownerId}", /Did you mean PUT \/owners\/\{id\}\?/],
    ["operation:listPet", /Did you mean operation:listPets\?/],
    ["keyword:formats", /Did you mean keyword:format\?/],
    ["keyword:foo", /The exclusion "keyword:foo" \(exclude option\) matches nothing\.$/],
    ["response:999", /matches nothing\.$/],
    ["parameter:query:limits", /Did you mean parameter:query:limit\?/],
    ["response:409", /Did you mean response:40\d|matches nothing/],
    [
      "DELETE /**",
      /Everything that the exclusion "DELETE \/\*\*" \(exclude option\) leaves out is covered\. Remove it\./,
    ],
  ] as const
) {
  Deno.test(`${exclude} is stale`, () =>
    assert.match(reportFor({ exclude: [exclude] }).exclusions?.[0]?.stale ?? "", stale));
}

Deno.test("an exclusion is stale from the day after its date, by the report's clock", () => {
  const map = recordedMap({
    exclude: [{
      pattern: "GET /pets",
      reason: "old",
      until: "2026-06-15",
      source: "covtool.yaml:3",
    }],
  });
  assert.equal(map.report(TODAY).exclusions?.[0]?.stale, null);
  const [late] = map.report({ generatedAt: "2026-06-16T00:00:00Z" }).exclusions ?? [];
  assert.equal(
    late?.stale,
    'The exclusion "GET /pets" (covtool.yaml:3) was meant until 2026-06-15. Remove it or set a later date.',
  );
  assert.equal(late?.excluded.operations.total, 1, "it leaves out the same as before");
});

Deno.test("an include pattern that matches nothing is stale", () => {
  const [exclusion] = reportFor({ include: ["tag:publik", "tag:internal"] }).exclusions ?? [];
  assert.equal(
    exclusion?.stale,
    'The include pattern "tag:publik" (include option) matches nothing. Did you mean tag:public?',
  );
});

Deno.test("thresholds and statistics leave out what is excluded", () => {
  const map = recordedMap({ exclude: ["/owners/**", "response:500"] });
  assert.deepEqual(map.statistic().operations, { seen: 2, total: 2 });
  assert.deepEqual(map.checkThresholds({ operations: 100, responses: 100 }), []);
});

Deno.test("a malformed pattern and an invalid date are errors that name their source", () => {
  assert.throws(
    () => recordedMap({ exclude: [{ pattern: "tag:", source: "covtool.yaml:7" }] }),
    /^TypeError: covtool\.yaml:7: The pattern "tag:" has nothing after the colon\.$/,
  );
  assert.throws(
    () => recordedMap({ exclude: [{ pattern: "tag:a", until: "2026-13-01" }] }),
    /^TypeError: exclude option: "2026-13-01" is not a date\. Write until as 2027-01-31\.$/,
  );
  // JavaScript callers may pass these.
  for (const exclude of [[{ patern: "deprecated" }], [3], [null]] as unknown as [string][]) {
    assert.throws(
      () => recordedMap({ exclude }),
      /^TypeError: exclude option: Give each entry as a pattern, or as an object with pattern/,
    );
  }
  assert.throws(
    () => recordedMap({ exclude: "deprecated" as unknown as string[] }),
    /^TypeError: exclude option: Give a list of patterns\.$/,
  );
});
