import assert from "node:assert/strict";
import { CoverageMap, type HttpRequest } from "../../mod.ts";

const TEXT = { type: "string", minLength: 3, maxLength: 5, pattern: "^[a-z]+$" };

/** A map of one operation. */
function newMap(operation: Record<string, unknown>, version = "3.1.0"): CoverageMap {
  return CoverageMap.fromDict({
    openapi: version,
    info: { title: "Secrets", version: "1" },
    paths: { "/a/{id}": { post: { responses: { 200: { description: "All" } }, ...operation } } },
  });
}

function send(map: CoverageMap, request: Partial<HttpRequest>): void {
  map.record({ method: "POST", url: "http://localhost/a/1", ...request }, { status_code: 200 });
}

/** Counts of all keywords that were counted, by the last two parts of their pointers. */
function counted(map: CoverageMap): Record<string, readonly [valid: number, invalid: number]> {
  const counts: Record<string, readonly [number, number]> = {};
  for (const { parameters } of map.report().operations) {
    for (const { keywords } of parameters) {
      for (const { schema_path, valid, invalid } of keywords) {
        if (valid + invalid > 0) {
          counts[schema_path.split("/").slice(-2).join("/")] = [valid, invalid];
        }
      }
    }
  }
  return counts;
}

function replacedPaths(map: CoverageMap): string[] {
  return map.diagnostics().filter(({ code }) => code === "value_replaced")
    .map(({ schema_path }) => schema_path);
}

for (
  const [location, request] of [
    ["query", { url: "http://localhost/a/1?key=%5BFiltered%5D" }],
    ["query", { url: "http://localhost/a/1?key=<API_KEY>" }],
    ["header", { headers: { Key: "REDACTED" } }],
    ["cookie", { headers: { Cookie: "a=b; key=[Filtered]" } }],
  ] as const
) {
  for (
    const schema of [
      TEXT,
      { type: "integer", minimum: 3 },
      { type: "array", minItems: 2, items: { type: "string" } },
    ]
  ) {
    Deno.test(`a placeholder in a ${location} of type ${schema.type} counts as sent, and its keywords don't count (${JSON.stringify(request).slice(-14)})`, () => {
      const map = newMap({ parameters: [{ name: "key", in: location, schema, example: "abc" }] });
      send(map, request);
      assert.deepEqual(map.statistic().parameters, { seen: 1, total: 1 });
      assert.deepEqual(counted(map), {});
      assert.equal(map.statistic().examples.seen, 0);
      assert.deepEqual(replacedPaths(map), ["/paths/~1a~1{id}/post/parameters/0"]);
    });
  }
}

Deno.test("a placeholder in a path counts as sent, and its keywords don't count", () => {
  const map = newMap({ parameters: [{ name: "id", in: "path", required: true, schema: TEXT }] });
  send(map, { url: "http://localhost/a/%3CUSER_ID%3E" });
  assert.deepEqual(map.statistic().parameters, { seen: 1, total: 1 });
  assert.deepEqual(counted(map), {});
});

Deno.test("placeholders in a JSON body are present, and their own keywords don't count", () => {
  const schema = {
    type: "object",
    required: ["key", "deep"],
    properties: {
      name: TEXT,
      key: { ...TEXT, enum: ["abc"], example: "abc" },
      deep: { type: "array", items: { type: "object", properties: { pin: { type: "integer" } } } },
    },
  };
  const map = newMap({ requestBody: { content: { "application/json": { schema } } } });
  const body = { name: "ann", key: "[Filtered]", deep: [{ pin: "<PIN>" }] };
  send(map, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const { "name/type": name, "schema/required": required, ...rest } = counted(map);
  assert.deepEqual([name, required], [[1, 0], [1, 0]]);
  assert.deepEqual(Object.keys(rest).filter((path) => /^(?:key|pin)\//.test(path)), []);
  assert.equal(map.statistic().examples.seen, 0);
  assert.equal(replacedPaths(map).length, 1);
});

Deno.test("keywords of placeholders in urlencoded, multipart and Swagger 2.0 forms don't count", () => {
  const properties = { key: TEXT, age: { type: "integer" } };
  const types = ["application/x-www-form-urlencoded", "multipart/form-data"] as const;
  const bodies: Record<typeof types[number], readonly [type: string, body: string]> = {
    [types[0]]: [types[0], "key=%5BFiltered%5D&age=REDACTED"],
    [types[1]]: [
      `${types[1]}; boundary=b`,
      '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n[Filtered]\r\n--b\r\nContent-Disposition: form-data; name="age"\r\n\r\n<AGE>\r\n--b--\r\n',
    ],
  };
  for (const type of types) {
    const schema = { type: "object", properties };
    const map = newMap({ requestBody: { content: { [type]: { schema } } } });
    send(map, { headers: { "Content-Type": bodies[type][0] }, body: bodies[type][1] });
    assert.deepEqual(
      Object.keys(counted(map)).filter((path) => /^(?:key|age)\//.test(path)),
      [],
      type,
    );
    assert.equal(replacedPaths(map).length, 1);
  }
  const swagger = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "Secrets", version: "1" },
    paths: {
      "/a/{id}": {
        post: {
          parameters: [{ name: "key", in: "formData", ...TEXT }],
          responses: { 200: { description: "All" } },
        },
      },
    },
  });
  send(swagger, { headers: { "Content-Type": bodies[types[0]][0] }, body: bodies[types[0]][1] });
  assert.deepEqual(swagger.statistic().parameters, { seen: 1, total: 1 });
  assert.deepEqual(counted(swagger), {});
});

for (
  const type of [
    ...["application/json", "application/jsonl", "application/xml"],
    ...["application/x-www-form-urlencoded", "multipart/form-data"],
  ]
) {
  Deno.test(`a body of ${type} that is one placeholder counts as sent and isn't malformed`, () => {
    const map = newMap({
      requestBody: { content: { [type]: { schema: { type: "object", required: ["a"] } } } },
    });
    const headers = { "Content-Type": `${type}; boundary=b` };
    send(map, { headers, body: "[Filtered]" });
    const [parameter] = map.report().operations[0]?.parameters ?? [];
    assert.deepEqual([parameter?.hits, parameter?.malformed], [1, 0]);
    assert.deepEqual(counted(map), {});
    assert.deepEqual(map.findings(), []);
  });
}

Deno.test("a form of Swagger 2.0 that is one placeholder lacks no field", () => {
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "Form", version: "1" },
    paths: {
      "/a/{id}": {
        post: {
          parameters: [{ name: "a", in: "formData", type: "string", required: true }],
          responses: { 200: { description: "All" } },
        },
      },
    },
  });
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]) {
    send(map, { headers: { "Content-Type": type }, body: "[Filtered]" });
  }
  assert.deepEqual(map.findings(), []);
});

Deno.test("a placeholder's text that the description allows as a value counts as that value", () => {
  const parameters = [
    { name: "state", in: "query", schema: { type: "string", enum: ["REDACTED", "OPEN"] } },
    { name: "key", in: "query", schema: { type: "string", minLength: 3 } },
  ];
  for (const url of ["?key=[Filtered]&state=REDACTED", "?state=REDACTED&key=[Filtered]"]) {
    const map = newMap({ parameters });
    send(map, { url: `http://localhost/a/1${url}` });
    assert.deepEqual(counted(map), { "schema/enum": [1, 0], "schema/type": [1, 0] });
    assert.deepEqual(replacedPaths(map), ["/paths/~1a~1{id}/post/parameters/1"]);
  }
});

Deno.test("values that covtool itself masked count, because masks keep length and kind", () => {
  const map = newMap({ parameters: [{ name: "key", in: "query", schema: TEXT }] });
  send(map, { url: "http://localhost/a/1?key=aaaaaaaa" });
  assert.deepEqual(counted(map)["schema/maxLength"], [0, 1]);
});

Deno.test("replaced values are still reported after hits are merged", () => {
  const operation = { parameters: [{ name: "key", in: "query", schema: TEXT }] };
  const [one, other] = [newMap(operation), newMap(operation)];
  send(one, { url: "http://localhost/a/1?key=[Filtered]" });
  other.mergeHits(one.exportHits());
  assert.equal(replacedPaths(other).length, 1);
});

Deno.test("a placeholder gives the same result in a HAR and in a VCR cassette of Schemathesis", () => {
  const operation = { parameters: [{ name: "key", in: "query", schema: TEXT }] };
  const url = "http://localhost/a/1?key=%5BFiltered%5D";
  const har = newMap(operation);
  har.archive.recordFromDict({
    log: { entries: [{ request: { method: "POST", url, headers: [] }, response: {} }] },
  });
  const cassette = newMap(operation);
  cassette.cassette.recordFromDict({
    recorded_with: "Schemathesis 4",
    http_interactions: [{ request: { method: "POST", uri: url } }],
  });
  for (const map of [har, cassette]) {
    assert.equal(map.traffic().matched, 1);
    assert.deepEqual(counted(map), {});
    assert.equal(replacedPaths(map).length, 1);
  }
});

Deno.test("keywords that compare a whole value don't count if part of it is a placeholder", () => {
  const schema = {
    type: "object",
    properties: {
      keys: { type: "array", uniqueItems: true, contains: { enum: [] }, enum: [["a"]] },
      pair: { const: { key: "a" } },
    },
  };
  const map = newMap({ requestBody: { content: { "application/json": { schema } } } });
  const headers = { "Content-Type": "application/json" };
  send(map, {
    headers,
    body: JSON.stringify({ keys: ["[Filtered]", "[Filtered]"], pair: { key: "<KEY>" } }),
  });
  const judged = ["keys/uniqueItems", "keys/contains", "keys/enum", "pair/const"];
  assert.deepEqual(Object.keys(counted(map)).filter((path) => judged.includes(path)), []);
  send(map, { headers, body: JSON.stringify({ keys: ["a", "a"], pair: { key: "b" } }) });
  const { "keys/uniqueItems": unique, "keys/enum": values, "pair/const": pair } = counted(map);
  assert.deepEqual([unique, values, pair], [[0, 1], [0, 1], [0, 1]]);
});
