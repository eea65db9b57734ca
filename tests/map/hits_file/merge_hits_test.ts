import assert from "node:assert/strict";
import { CoverageMap, RecordingError } from "../../../mod.ts";
import { checksum } from "../../../src/map/value_hash.ts";
import type { HitsFile } from "../../../src/map/hits_file/hits_format.ts";
import { inFolder } from "../../in_folder.ts";
import { jsonContent, shopApi } from "../../shop_api.ts";
import { encode } from "../../traffic/read_all.ts";
import { VERSION } from "../../../src/values/version.ts";

const SHOP = {
  openapi: "3.1.0",
  info: { title: "Shop ## 1", version: "1.2" },
  paths: {
    "/books": {
      get: {
        parameters: [{
          name: "limit",
          in: "query",
          schema: { type: "integer", maximum: 100, examples: [5] },
        }],
        responses: { 200: { description: "Books" } },
      },
    },
  },
};

function shop(changes: Readonly<Record<string, unknown>> = {}): CoverageMap {
  return CoverageMap.fromDict({ ...SHOP, ...changes }, { location: "shop.yaml", values: false });
}

function recorded(): CoverageMap {
  const map = shop();
  for (const limit of [5, 500]) {
    map.record({ method: "GET", url: `/books?limit=${limit}` }, { status_code: 200 }, 1e9 + limit);
  }
  map.record({ method: "GET", url: "/nope" });
  return map;
}

/** The hits of the shop with some members changed, and a checksum that fits. */
function changed(change: (file: HitsFile) => object): Uint8Array {
  const { checksum: _, ...file } = JSON.parse(new TextDecoder().decode(recorded().exportHits()));
  const content = JSON.stringify({ ...file, ...change(file) }).slice(0, -1);
  return encode(`${content},"checksum":"${checksum(encode(content))}"}`);
}

function refused(bytes: Uint8Array, sentence: RegExp): void {
  const map = shop();
  assert.throws(() => map.mergeHits(bytes, { location: "shard.hits" }), {
    name: "RecordingError",
    message: sentence,
  });
  assert.equal(map.traffic().recorded, 0);
  assert.equal(map.statistic().operations.seen, 0);
}

Deno.test("several hits files in one text are added up", () => {
  const one = new TextDecoder().decode(recorded().exportHits());
  const map = shop();
  map.mergeHits(encode(`${one}\n \r\n${one.trim()}`));
  const twice = shop();
  twice.mergeHits(recorded().exportHits());
  twice.mergeHits(recorded().exportHits());
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.equal(map.traffic().recorded, 6);
  assert.deepEqual(map.report({ generatedAt }), twice.report({ generatedAt }));
});

Deno.test("if one of several hits files in a text is broken, none is added", () => {
  const one = new TextDecoder().decode(recorded().exportHits());
  refused(encode(`${one}${one.slice(0, 200)}`), /cut off after 200 bytes/);
});

Deno.test("hits that another version of covtool wrote are accepted", () => {
  const map = shop();
  map.mergeHits(changed(() => ({ covtool: "99.1.0" })));
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.deepEqual(map.report({ generatedAt }), recorded().report({ generatedAt }));
});

Deno.test("counters that another version lays out differently are matched by name", () => {
  const map = shop();
  map.mergeHits(changed(({ operations }) => ({
    covtool: "99.1.0",
    schemas: [[
      "schema",
      layout(/#type=(\w|-)+,maximum=(\w|-)+/, ([type, maximum]) => `#${maximum},${type}`),
    ]],
    operations: JSON.parse(
      JSON.stringify(operations).replace("[2,0,1,1,1]", "[1,1,2,0,1]").replace(
        "[0,0,1,0]",
        "[0,1,0,0]",
      ),
    ),
  })));
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.deepEqual(map.report({ generatedAt }), recorded().report({ generatedAt }));
});

/** The layout of the shop's schema with its keywords in another order. */
function layout(pattern: RegExp, order: (keywords: readonly string[]) => string): string {
  const { schemas } = JSON.parse(new TextDecoder().decode(recorded().exportHits())) as HitsFile;
  return (schemas[0]?.[1] ?? "").replace(pattern, (found) => order(found.slice(1).split(",")));
}

Deno.test("counts of keywords that this version doesn't know are refused, not lost", () => {
  refused(
    changed(({ schemas }) => ({
      covtool: "99.1.0",
      schemas: [["schema", (schemas[0]?.[1] ?? "").replace("maximum", "brightness")]],
    })),
    /^Cannot read shard\.hits: It has counts that this version doesn't know \(GET \/books, query limit, schema\/brightness\)\. covtool 99\.1\.0 wrote it/,
  );
});

Deno.test("hits of another format are refused with a message that names both formats", () => {
  refused(
    changed(() => ({ covtool_hits: 2, covtool: "9.9.9" })),
    /It has format 2 of hits, written by covtool 9\.9\.9\. covtool .* reads formats 3 and 4\./,
  );
});

Deno.test("hits of the format with hashes of broken rules are read", () => {
  const content = jsonContent({ type: "object", required: ["id"], anyOf: [{ maxProperties: 1 }] });
  const api = shopApi({
    "/books": {
      get: {
        parameters: [{
          name: "limit",
          in: "query",
          required: true,
          schema: { type: "integer", maximum: 5 },
        }],
        responses: { 200: { description: "Books", ...content } },
      },
    },
  });
  const map = CoverageMap.fromDict(api);
  const headers = { "content-type": "application/json" };
  const response = { status_code: 200, headers, body: '{"a": 1, "b": 2}' };
  for (const url of ["/books?limit=9", "/books"]) map.record({ method: "GET", url }, response, 1);
  const text = new TextDecoder().decode(map.exportHits());
  const addHashes = (entries: readonly unknown[][], at: number) =>
    entries.map((entry) =>
      entry[2] === "~"
        ? entry.with(2, "/paths/~1books/get/parameters/0/required").toSpliced(at, 0, "")
        : entry.toSpliced(at, 0, "x1Yz")
    );
  const earlier = JSON.parse(text, (name, value) => {
    if (name === "covtool_hits") return 3;
    if (name === "violations") return addHashes(value, 4);
    return name === "accepted" ? addHashes(value, 5) : value;
  });
  const { checksum: _, ...rest } = earlier;
  const body = JSON.stringify(rest).slice(0, -1);
  const merged = CoverageMap.fromDict(api);
  merged.mergeHits(encode(`${body},"checksum":"${checksum(encode(body))}"}`));
  const generatedAt = "2026-01-31T12:00:00Z";
  assert.equal(map.findings().length, 4);
  assert.deepEqual(merged.report({ generatedAt }), map.report({ generatedAt }));
});

Deno.test("an example with an incomplete request is refused", () => {
  for (const example of [[503], [503, 0], [503, 9, "/"], [503, 0, "/", "text/css", "{"], ["a"]]) {
    const evidence = { server_error: [[3, example, "503", 0]] };
    refused(
      changed(({ operations: [first] }) => ({ operations: [{ ...first, evidence }] })),
      /It has content that no hits file has/,
    );
  }
});

Deno.test("an unknown kind of count is refused, not lost", () => {
  refused(
    changed(({ operations }) => ({ operations: [{ ...operations[0], findings: 3 }] })),
    /It has counts of a kind that this version doesn't know \(`findings`\)\. .* Update covtool\./,
  );
});

Deno.test("hits that are truncated, changed or empty are refused", () => {
  const bytes = recorded().exportHits();
  refused(bytes.slice(0, 200), /It is cut off after 200 bytes\. Copy the whole file again/);
  const text = new TextDecoder().decode(bytes);
  refused(encode(text.replace('"recorded":3', '"recorded":4')), /checksum doesn't match/);
  refused(encode(text.replace(/,"checksum":".*"/, "")), /checksum doesn't match/);
  refused(new Uint8Array(0), /It is empty/);
  const list = [new Uint8Array(0)] as unknown as Uint8Array;
  assert.throws(() => shop().mergeHits(list), /^TypeError: mergeHits\(\) takes a Uint8Array/);
  refused(encode('{"log": {}}'), /This is no hits file/);
  refused(encode('{"covtool_hits":4}'), /checksum doesn't match/);
});

Deno.test("counts that aren't whole numbers or exceed 2^53 are refused", () => {
  for (const recorded of [2 ** 53, -1, 1.5]) {
    refused(
      changed(() => ({ recorded })),
      /It has the count .*; counts are whole numbers from 0 to 9,007,199,254,740,991\./,
    );
  }
  refused(changed(() => ({ recorded: "3" })), /content that no hits file has/);
  refused(changed(() => ({ operations: {} })), /content that no hits file has/);
});

Deno.test("hits whose sums exceed 2^53 - 1 are refused in any order, and nothing is added", () => {
  const most = changed(({ operations }) => ({
    recorded: Number.MAX_SAFE_INTEGER,
    matched: Number.MAX_SAFE_INTEGER,
    operations: [{ ...operations[0], hits: Number.MAX_SAFE_INTEGER }],
  }));
  const whole = shop();
  whole.mergeHits(most);
  assert.equal(whole.report().operations[0]?.hits, Number.MAX_SAFE_INTEGER);
  const one = recorded().exportHits();
  for (const [first, second] of [[most, one], [one, most]] as const) {
    const map = shop();
    map.mergeHits(first);
    const before = map.exportHits();
    assert.throws(() => map.mergeHits(second, { location: "b.hits" }), {
      name: RecordingError.name,
      message: /^Cannot read b\.hits: The counts add up to more than 9,007,199,254,740,991, /,
    });
    assert.deepEqual(map.exportHits(), before);
  }
  const both = new Uint8Array([...most, 0x0a, ...one]);
  assert.throws(() => shop().mergeHits(both), /The counts add up/);
});

Deno.test("times after the year 285 million are no counts that could be too large", () => {
  const nanoseconds = 1_785_000_000_000_000_000;
  const map = shop();
  map.record({ method: "GET", url: "/books" }, { status_code: 200 }, nanoseconds);
  map.mergeHits(recorded().exportHits());
  assert.equal(map.traffic().recorded, 4);
  assert.equal(map.report().traffic.last_at, nanoseconds);
});

Deno.test("hits of another description are refused with both names and advice", () => {
  const other = CoverageMap.fromDict({ ...SHOP, info: { title: "Library", version: "7" } }, {
    location: "library.json",
  });
  refused(
    other.exportHits(),
    /different description: "Library" 7 \(library\.json\), not "Shop ## 1" 1\.2 \(shop\.yaml\)\. .* add --carry/,
  );
  refused(
    shop({ tags: [] }).exportHits(),
    /different description: shop\.yaml has changed since they were recorded\. .* add --carry/,
  );
});

Deno.test("hits fit the same description with other exclusions", () => {
  const ignoring = structuredClone(SHOP) as Record<string, unknown>;
  Object.assign(ignoring["paths"] as object, {
    "/books": {
      get: {
        ...SHOP.paths["/books"].get,
        parameters: [{
          "x-covtool-ignore": "internal",
          ...SHOP.paths["/books"].get.parameters[0],
          schema: { ...SHOP.paths["/books"].get.parameters[0]?.schema, "x-covtool-ignore": "x" },
        }],
      },
    },
  });
  const map = CoverageMap.fromDict(ignoring);
  map.mergeHits(recorded().exportHits());
  assert.equal(map.traffic().matched, 2);
});

Deno.test("hits can be printed to a build server's log as they are", () => {
  const text = new TextDecoder().decode(recorded().exportHits());
  assert.ok(!text.includes("##"));
  assert.equal(JSON.parse(text).description.title, "Shop ## 1");
  assert.equal(JSON.parse(text).covtool, VERSION);
  assert.match(text, /^\{"covtool_hits":4,[^\n]*\}\n$/);
});

Deno.test('an error about hits without a location calls them "the hits"', () =>
  assert.throws(() => shop().mergeHits(encode("[]")), { message: /^Cannot read the hits: / }));

Deno.test("hits leave out members that would be empty", () => {
  const map = shop();
  map.record({ method: "GET", url: "/books" });
  const { operations } = JSON.parse(new TextDecoder().decode(map.exportHits())) as HitsFile;
  assert.deepEqual(operations.map((operation) => Object.keys(operation)), [["operation", "hits"]]);
});

Deno.test("tests of an unknown schema or a negative counter are refused, those of an unknown counter ignored", () => {
  const map = shop();
  map.record({ method: "GET", url: "/books?limit=5" }, { status_code: 200 }, 1e9, "a test");
  const { checksum: _, ...file } = JSON.parse(new TextDecoder().decode(map.exportHits()));
  /** The hits with one test for the counter of a schema of the parameter. */
  const withTests = (schema: unknown, counter: unknown): Uint8Array => {
    const changed = structuredClone(file);
    changed.operations[0].parameters[0][4].schema_tests = [[schema, [[counter, [0]]]]];
    const content = JSON.stringify(changed).slice(0, -1);
    return encode(`${content},"checksum":"${checksum(encode(content))}"}`);
  };
  refused(withTests(99, 0), /It has content that no hits file has/);
  refused(withTests(0, -1), /It has the count -1/);
  const merged = shop();
  merged.mergeHits(withTests(0, 99));
  const again = shop();
  again.mergeHits(merged.exportHits());
  assert.deepEqual(again.exportHits(), merged.exportHits());
  const [operation] = (JSON.parse(new TextDecoder().decode(merged.exportHits())) as HitsFile)
    .operations;
  assert.deepEqual(operation?.parameters?.[0]?.[4]?.schema_tests, []);
});

Deno.test("hits that count more than was recorded are refused", () => {
  refused(
    changed(({ recorded }) => ({ matched: recorded + 1 })),
    /counts 4 matched, .* 3 recorded/,
  );
  refused(
    changed(({ recorded }) => ({ answered: recorded + 1 })),
    /counts 4 answered, .* 3 recorded/,
  );
  refused(
    changed(({ operations, matched }) => ({
      operations: operations.map((operation) => ({ ...operation, hits: matched + 1 })),
    })),
    /counts \d+ hits for "\w+ \/\S+", which is more than the \d+ matched/,
  );
});

Deno.test("a query parameter is undocumented even if a header has its name", () => {
  const parameters = [{ name: "mode", in: "header", schema: {} }];
  const paths = { "/books": { get: { parameters, responses: {} } } };
  const map = shop({ paths });
  map.record({ method: "GET", url: "/books?mode=fast" });
  const merged = shop({ paths });
  merged.mergeHits(map.exportHits());
  assert.equal(map.report().operations[0]?.undocumented_parameters?.length, 1);
  assert.deepEqual(merged.exportHits(), map.exportHits());
});

Deno.test("findings in files outside the description's folder are the same in hits", () => {
  const $ref = "../shared.json#/Book";
  const { content } = jsonContent({ $ref });
  const post = { requestBody: { content }, responses: { 200: { description: "Book", content } } };
  return inFolder({
    "api/openapi.json": JSON.stringify({ ...SHOP, paths: { "/books": { post } } }),
    "shared.json": '{"Book": {"properties": {"id": {"type": "integer"}}}}',
  }, async (folder) => {
    const options = { allowRefsOutside: [folder] };
    const load = () => CoverageMap.fromPath(`${folder}/api/openapi.json`, options);
    const map = await load();
    const message = { headers: { "content-type": "application/json" }, body: '{"id":"a"}' };
    map.record({ method: "POST", url: "/books", ...message }, { status_code: 200, ...message });
    const merged = await load();
    merged.mergeHits(map.exportHits());
    const { findings } = map.report();
    assert.equal(findings?.length, 2);
    assert.deepEqual(merged.report().findings, findings);
  });
});
