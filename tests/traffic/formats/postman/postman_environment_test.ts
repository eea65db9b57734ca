import assert from "node:assert/strict";
import { POSTMAN } from "../../../../src/traffic/formats/postman/postman.ts";
import { readPostmanEnvironments } from "../../../../src/traffic/formats/postman/postman_environment.ts";
import { readAs, recordingJson } from "../../read_all.ts";

/** Globals as Postman exports them. */
const GLOBALS = {
  id: "5b1d",
  values: [{ key: "host", value: "global.example", type: "default", enabled: true }],
  name: "Globals",
  _postman_variable_scope: "globals",
  _postman_exported_at: "2026-01-31T12:00:00.000Z",
};

Deno.test("readPostmanEnvironments() reads Postman's exports without disabled variables", () => {
  const environment = {
    id: "5b1c",
    name: "local",
    values: [
      { key: "host", value: "localhost", type: "default", enabled: true },
      { key: "port", value: 8080, enabled: true },
      { key: "off", value: "x", enabled: false },
      { key: "gone", value: "x", disabled: true },
      { key: "none", value: null },
      { key: "empty", value: "" },
      { key: "__proto__", value: "p" },
    ],
    _postman_variable_scope: "environment",
  };
  const values = readPostmanEnvironments([[environment, "a.json"], [GLOBALS, "g.json"]]);
  assert.deepEqual(Object.entries(values.environment), [
    ["host", "localhost"],
    ["port", "8080"],
    ["empty", ""],
    ["__proto__", "p"],
  ]);
  assert.deepEqual(values.globals, { host: "global.example" });
});

Deno.test("readPostmanEnvironments() reads plain objects, lists, and responses of Postman's API", () => {
  const read = (value: unknown) => readPostmanEnvironments([[value, "a.json"]]);
  const expected = { environment: { a: "1", b: "true" }, globals: {} };
  const values = [{ key: "a", value: "1" }, { key: "b", value: "true" }];
  assert.deepEqual(read({ a: 1, b: true, c: null }), expected);
  assert.deepEqual(read(values), expected);
  assert.deepEqual(read({ environment: { id: "x", values } }), expected);
  assert.deepEqual(read({ globals: { values } }), {
    environment: {},
    globals: { a: "1", b: "true" },
  });
  assert.deepEqual(read({ environment: "prod" }), {
    environment: { environment: "prod" },
    globals: {},
  });
});

Deno.test("readPostmanEnvironments() gives the last file precedence", () =>
  assert.deepEqual(
    readPostmanEnvironments([[{ a: "1", b: "1" }, "1.json"], [{ a: "2" }, "2.json"]]).environment,
    { a: "2", b: "1" },
  ));

Deno.test("readPostmanEnvironments() rejects other files and says what it expects", () => {
  const problems: readonly (readonly [unknown, RegExp])[] = [
    [
      recordingJson("postman/bookshop.v2.1.0.json"),
      /^Cannot read a\.json: This is a recording, not an environment/,
    ],
    [
      recordingJson("postman/bookshop.newman-run.json"),
      /This is a recording, not an environment: /,
    ],
    [{ baseUrl: { value: "x" } }, /This is not a Postman environment: expected a list `values`/],
    ["baseUrl", /This is not a Postman environment/],
    [null, /This is not a Postman environment/],
    [{ values: [{ key: "a" }, { name: "b" }] }, /The variable 2 of this environment has no name/],
  ];
  for (const [value, message] of problems) {
    assert.throws(() => readPostmanEnvironments([[value, "a.json"]]), {
      name: "RecordingError",
      code: "not_environment",
      message,
    });
  }
});

Deno.test("an environment overrides the collection's variables, which override globals", () => {
  const values = { environment: { a: "environment" }, globals: { a: "g", b: "g", c: "global" } };
  const variable = [{ key: "a", value: "collection" }, { key: "b", value: "collection" }];
  const collection = { info: {}, variable, item: [{ request: "http://{{a}}/{{b}}/{{c}}" }] };
  const { interactions, warnings } = readAs(POSTMAN, collection, "c.json", { values });
  assert.equal(interactions[0]?.request.url, "http://environment/collection/global");
  assert.deepEqual(warnings, []);
});
