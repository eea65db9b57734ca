import assert from "node:assert/strict";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { FromDictOptions } from "../../src/coverage_map/load_map_options.ts";
import type { Statistic } from "../../src/map/results.ts";
import type { Report } from "../../src/report/report.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { apiOf } from "../api_of.ts";

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
  return apiOf({
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

function mapOf(options: FromDictOptions = {}, of: object = description()): CoverageMap {
  const map = CoverageMap.fromDict(of, options);
  const url = (path: string) => `http://localhost${path}`;
  map.record({ method: "GET", url: url("/pets?limit=a") }, { status_code: 200 }, 10);
  const headers = { "content-type": "application/json" };
  const pet = JSON.stringify({ name: "Rex", born: "today", owner: { name: "a@b.example" } });
  map.record({ method: "POST", url: url("/pets"), headers, body: pet }, { status_code: 201 }, 20);
  map.record({ method: "DELETE", url: url("/owners/1") }, { status_code: 204 }, 30);
  return map;
}

function reportOf(options: FromDictOptions, of?: object): Report {
  return mapOf(options, of).report(TODAY);
}

const ALL = mapOf().report(TODAY);

/** Everything that the description offers is counted, or left out by one of the exclusions. */
function assertReconciles(report: Report): void {
  const parts = [report.summary, ...(report.exclusions ?? []).map(({ excluded }) => excluded)];
  for (
    const dimension of ["operations", "parameters", "keywords", "examples", "responses"] as const
  ) {
    for (const name of ["seen", "partial", "full", "total"]) {
      const count = (part: Statistic) =>
        Number((part[dimension] as unknown as Record<string, number>)[name] ?? 0);
      const sum = parts.reduce((total, part) => total + count(part), 0);
      assert.equal(sum, count(ALL.summary), `${dimension} ${name}`);
    }
  }
  const own = report.operations.map(({ summary }) => summary.keywords.total);
  assert.equal(own.reduce((sum, total) => sum + total, 0), report.summary.keywords.total);
  const totals = report.operations.flatMap(({ parameters }) =>
    parameters.map(({ keyword_total }) => keyword_total)
  );
  assert.equal(totals.reduce((sum, total) => sum + total, 0), report.summary.keywords.total);
}

function excludedOperations({ operations }: Report): string[] {
  return operations.filter(({ excluded }) => excluded !== undefined)
    .map(({ method, path }) => `${method} ${path}`);
}

Deno.test("a report without a scope has no word of exclusions", () =>
  assert.ok(!JSON.stringify(ALL).includes("exclu")));

for (
  const [pattern, expected] of [
    ["GET /pets", ["GET /pets"]],
    ["/owners/**", ["PUT /owners/{id}", "DELETE /owners/{id}"]],
    ["tag:intern*", ["PUT /owners/{id}"]],
    ["operation:*Pet", ["POST /pets"]],
    ["deprecated", ["DELETE /owners/{id}"]],
  ] as const
) {
  Deno.test(`${pattern} leaves out ${expected.join(" and ")} with all that they have`, () => {
    const report = reportOf({ exclude: [pattern] });
    assert.deepEqual(excludedOperations(report), expected);
    assertReconciles(report);
    assert.equal(report.exclusions?.[0]?.excluded.operations.total, expected.length);
    assert.ok(
      report.gaps.every(({ method, path }) =>
        !excludedOperations(report).includes(`${method} ${path}`)
      ),
    );
    for (const operation of report.operations) {
      if (operation.excluded === undefined) continue;
      const { operations, parameters, keywords, responses } = operation.summary;
      assert.deepEqual([operations, parameters, keywords, responses].map(({ total }) => total), [
        ...[0, 0, 0, 0],
      ]);
    }
  });
}

Deno.test("requests to excluded operations still match, and hits know nothing of a scope", () => {
  const scoped = mapOf({ exclude: ["/**"] });
  assert.equal(scoped.report(TODAY).traffic.matched, 3);
  assert.deepEqual(scoped.unmatched(), []);
  assert.deepEqual(scoped.exportHits(), mapOf().exportHits());
});

Deno.test("a response, a parameter and a keyword are left out wherever they are", () => {
  const report = reportOf({
    exclude: ["response:4XX", "parameter:header:x-trace", "keyword:format"],
  });
  assertReconciles(report);
  const [responses, parameters, keywords] = report.exclusions ?? [];
  assert.deepEqual(responses?.excluded.responses, { seen: 0, total: 1 });
  assert.deepEqual(parameters?.excluded.parameters, { seen: 0, total: 1 });
  assert.equal(keywords?.excluded.keywords.total, 3, "of the pet, its owner, and the owner alone");
  assert.equal(keywords?.excluded.keywords.partial, 2);
  assert.ok(
    !report.gaps.some((gap) =>
      gap.kind === "keyword_uncovered" && gap.schema_path.endsWith("/format")
    ),
  );
  const uncovered = mapOf({ exclude: ["keyword:format"] }).uncoveredKeywords();
  assert.ok(uncovered.length > 0);
  assert.ok(uncovered.every(({ schema_path }) => !schema_path.endsWith("/format")));
});

Deno.test("deprecated leaves out deprecated parameters of operations that are not", () => {
  const { excluded } = reportOf({ exclude: ["deprecated"] }).exclusions?.[0] ?? {};
  assert.deepEqual(excluded?.parameters, { seen: 0, total: 1 });
});

Deno.test("include narrows operations and responses each, and exclude wins over it", () => {
  const report = reportOf({ include: ["tag:public", "response:2XX"], exclude: ["POST /**"] });
  assertReconciles(report);
  assert.deepEqual(report.summary.operations, { seen: 1, total: 1, percent: 100, succeeded: 1 });
  assert.deepEqual(report.summary.responses, { seen: 1, total: 1, percent: 100, measured: true });
  assert.deepEqual(report.exclusions?.map(({ pattern, reason }) => [pattern, reason]), [
    ["POST /**", null],
    ["not included", "Matches none of: tag:public, response:2XX"],
  ]);
});

Deno.test("of several exclusions that match, the outermost one counts, and of these the first", () => {
  const report = reportOf({ exclude: ["response:2XX", "/pets", "tag:public"] });
  assertReconciles(report);
  assert.deepEqual(report.operations.map(({ excluded }) => excluded), [1, 1, undefined, undefined]);
  assert.equal(report.operations[0]?.responses[0]?.excluded, 1);
  assert.equal(report.operations[2]?.responses[0]?.excluded, 0);
  assert.deepEqual(report.exclusions?.map(({ stale }) => stale), [null, null, null]);
});

for (
  const [name, of, path, counts] of [
    [
      "an operation",
      description({ create: { "x-covtool-ignore": "later" } }),
      "/paths/~1pets/post",
      { operations: 1 },
    ],
    [
      "a path item",
      description({ item: { "x-covtool-ignore": "later" } }),
      "/paths/~1owners~1{id}",
      { operations: 2 },
    ],
    [
      "a parameter",
      description({ limit: { "x-covtool-ignore": "later" } }),
      "/paths/~1pets/get/parameters/0",
      { parameters: 1, keywords: 1 },
    ],
    [
      "a request body",
      description({ body: { "x-covtool-ignore": "later" } }),
      "/paths/~1pets/post/requestBody",
      { parameters: 1 },
    ],
    [
      "a response that others refer to",
      description({ missing: { "x-covtool-ignore": "later" } }),
      "/components/responses/Missing",
      { responses: 1 },
    ],
    ["a schema", description({ pet: { "x-covtool-ignore": "later" } }), "/components/schemas/Pet", {
      parameters: 0,
    }],
  ] as const
) {
  Deno.test(`x-covtool-ignore leaves out ${name}`, () => {
    const report = reportOf({}, of);
    assertReconciles(report);
    const [exclusion, ...others] = report.exclusions ?? [];
    assert.equal(others.length, 0);
    assert.equal(exclusion?.pattern, "x-covtool-ignore");
    assert.equal(exclusion?.reason, "later");
    assert.equal(exclusion?.schema_path, path);
    assert.equal(exclusion?.stale, null);
    for (const [dimension, total] of Object.entries(counts)) {
      assert.equal(
        exclusion?.excluded[dimension as keyof typeof counts & "operations"].total,
        total,
      );
    }
  });
}

Deno.test("x-covtool-ignore next to a reference leaves out its target, in that place only", () => {
  const of = apiOf({
    "/a": {
      get: { parameters: [{ $ref: "#/components/parameters/P", "x-covtool-ignore": "here" }] },
      post: {
        parameters: [{ $ref: "#/components/parameters/P" }],
        requestBody: { $ref: "#/components/requestBodies/B", "x-covtool-ignore": "here" },
      },
    },
  }, {
    components: {
      parameters: { P: { name: "p", in: "query", schema: { type: "integer" } } },
      requestBodies: { B: { content: { "application/json": { schema: { type: "object" } } } } },
    },
  });
  const { operations, exclusions } = CoverageMap.fromDict(of).report(TODAY);
  assert.deepEqual(
    operations.map(({ parameters }) => parameters.map(({ excluded }) => excluded)),
    [[0], [undefined, 1]],
  );
  assert.deepEqual(exclusions?.map(({ stale }) => stale), [null, null]);
});

Deno.test("keywords of an excluded schema that are reached by another way still count", () => {
  const report = reportOf({}, description({ pet: { "x-covtool-ignore": "later" } }));
  const body = report.operations[2]?.parameters[1];
  const owner = ALL.operations[2]?.parameters[1];
  assert.equal(
    body?.keyword_total,
    owner?.keyword_total,
    "the owner's own operation is not touched",
  );
  const [exclusion] = report.exclusions ?? [];
  assert.equal(exclusion?.excluded.keywords.total, ALL.operations[1]?.parameters[0]?.keyword_total);
  const cut = reportOf({}, description({ owner: { "x-covtool-ignore": true } }));
  assertReconciles(cut);
  const pet = cut.operations[1]?.parameters[0];
  const before = ALL.operations[1]?.parameters[0]?.keyword_total ?? 0;
  assert.equal(pet?.keyword_total, before - (owner?.keyword_total ?? 0));
  const kept = pet?.keywords.filter(({ excluded }) => excluded === undefined) ?? [];
  assert.ok(
    kept.length > 0 &&
      kept.every(({ schema_path }) => schema_path.startsWith("/components/schemas/Pet")),
  );
});

Deno.test("the field is nothing in data, among names, or where it says false", () => {
  const report = reportOf(
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

Deno.test("the field is nothing in the value of an example in a file of its own", () =>
  inFolder({}, async (folder) => {
    const limit = { examples: { one: { $ref: "example.json" } } };
    await writeJson(`${folder}/api.json`, description({ limit }));
    const example = { value: { "x-covtool-ignore": true } };
    await writeJson(`${folder}/example.json`, example);
    const map = await CoverageMap.fromPath(`${folder}/api.json`);
    assert.equal(map.report(TODAY).exclusions, undefined);
  }));

Deno.test("of a shared path item and the reference to it, the item's field counts for all its methods", () => {
  const answer = { responses: { 200: { description: "Fine" } } };
  const { operations, exclusions } = CoverageMap.fromDict(
    apiOf({ "/a": { $ref: "#/components/pathItems/A", "x-covtool-ignore": "of the reference" } }, {
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
    }),
  ).report(TODAY);
  assert.deepEqual(
    operations.map(({ method, excluded }) => [method, exclusions?.[excluded ?? -1]?.reason]),
    [["GET", "of the item"], ["COPY", "of the item"]],
  );
});

Deno.test("a field with an unusable value leaves nothing out, and is stale", () => {
  const [exclusion] = reportOf({}, description({ create: { "x-covtool-ignore": 3 } })).exclusions ??
    [];
  assert.match(
    exclusion?.stale ?? "",
    /leaves nothing out\. Give the reason as text, true, or an object/,
  );
  for (const mark of ["", { reason: " " }]) {
    const marked = reportOf({}, description({ create: { "x-covtool-ignore": mark } }));
    assert.equal(marked.exclusions?.[0]?.reason, null, "a blank reason is none");
  }
  const dated = { reason: "later", until: "2026-06-14" };
  const [past] = reportOf({}, description({ create: { "x-covtool-ignore": dated } })).exclusions ??
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
    assert.match(reportOf({ exclude: [exclude] }).exclusions?.[0]?.stale ?? "", stale));
}

Deno.test("an exclusion is stale from the day after its date, by the clock of the report", () => {
  const map = mapOf({
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
  const [exclusion] = reportOf({ include: ["tag:publik", "tag:internal"] }).exclusions ?? [];
  assert.equal(
    exclusion?.stale,
    'The include pattern "tag:publik" (include option) matches nothing. Did you mean tag:public?',
  );
});

Deno.test("thresholds, statistic and timeline are those of what counts", () => {
  const map = mapOf({ exclude: ["/owners/**", "response:500"] });
  assert.deepEqual(map.statistic().operations, { seen: 2, total: 2 });
  assert.deepEqual(map.checkThresholds({ operations: 100, responses: 100 }), []);
  const { timeline, summary } = map.report(TODAY);
  assert.equal(timeline?.operations.at(-1), summary.operations.seen);
  assert.equal(timeline?.keywords.at(-1), summary.keywords.partial + summary.keywords.full);
  assert.equal(timeline?.responses.at(-1), summary.responses.seen);
});

Deno.test("a malformed pattern and an invalid date are errors that name their source", () => {
  assert.throws(
    () => mapOf({ exclude: [{ pattern: "tag:", source: "covtool.yaml:7" }] }),
    /^TypeError: covtool\.yaml:7: The pattern "tag:" has nothing after the colon\.$/,
  );
  assert.throws(
    () => mapOf({ exclude: [{ pattern: "tag:a", until: "2026-13-01" }] }),
    /^TypeError: exclude option: "2026-13-01" is not a date\. Write until as 2027-01-31\.$/,
  );
  // As JavaScript may call it.
  for (const exclude of [[{ patern: "deprecated" }], [3], [null]] as unknown as [string][]) {
    assert.throws(
      () => mapOf({ exclude }),
      /^TypeError: exclude option: Give each entry as a pattern, or as an object with pattern/,
    );
  }
  assert.throws(
    () => mapOf({ exclude: "deprecated" as unknown as string[] }),
    /^TypeError: exclude option: Give a list of patterns\.$/,
  );
});
