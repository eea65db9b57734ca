import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { FORMATS, formatsInFamily, formatTitles } from "../../../src/traffic/formats/formats.ts";

const ROOT = new URL("../../../", import.meta.url);

Deno.test("format names are unique, because workers find formats by name", () =>
  assert.equal(new Set(FORMATS.map(({ name }) => name)).size, FORMATS.length));

Deno.test("each format's folder and each log format's file is in the registry", () => {
  const folders = readdirSync(new URL("src/traffic/formats/", ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory()).map(({ name }) => name).sort();
  const registry = readFileSync(new URL("src/traffic/formats/formats.ts", ROOT), "utf8");
  const imports = [...registry.matchAll(/^import \{([A-Z_,\s]+)\} from "(.+)";/gm)];
  const named = imports.flatMap(([, , path]) => /^\.\/(\w+)\//.exec(path ?? "")?.[1] ?? []).sort();
  assert.deepEqual(named, folders);
  assert.equal(
    imports.flatMap(([, names = ""]) => names.match(/\w+/g) ?? []).length,
    FORMATS.length,
  );
});

const REQUEST = { method: "GET", url: "http://localhost/a" };
const GO_OR_PHP = "a cassette of go-vcr or php-vcr";
const COLLECTION = { info: { name: "c" }, item: [] };
const NOCK = { scope: "http://localhost:80", method: "POST", path: "/a", body: "", status: 200 };

/** Documents with the formats that recognize them; the first is used. */
const KNOWN: readonly (readonly [document: unknown, ...formats: readonly string[]])[] = [
  [null],
  ["text"],
  [{ openapi: "3.1.0" }],
  [[]],
  [{ log: { entries: [] } }, "a HAR"],
  [{ log: {} }],
  [{ entries: [] }],
  [COLLECTION, "a Postman collection"],
  [{ collection: COLLECTION }, "a Postman collection"],
  [{ id: "c", name: "old", order: ["r"], requests: [] }, "a Postman collection"],
  [{ requests: [] }],
  [{ item: [] }],
  [[COLLECTION]],
  [{ collection: COLLECTION, run: { executions: [] } }, "a Newman export"],
  [{ run: {} }],
  [{ http_interactions: [], recorded_with: "VCR 5.0.0" }, "a VCR cassette"],
  [[{ request: { method: "get", uri: "/a" }, response: {} }], "a VCR cassette"],
  [
    { http_interactions: [], recorded_with: "Schemathesis 3" },
    ...["a Schemathesis cassette", "a VCR cassette"],
  ],
  [{ http_interactions: [{ checks: [] }] }, "a Schemathesis cassette", "a VCR cassette"],
  [{ ScenarioFinished: { recorder: { interactions: {} } } }, "Schemathesis events"],
  [[{ EngineStarted: { id: "1" } }], "Schemathesis events"],
  [[{ EngineStarted: {}, other: 1 }]],
  [{ version: 1, interactions: [] }, "a vcrpy cassette", "a traffic file"],
  [{ interactions: [{ request: { method: "GET", uri: "/a" } }] }, "a vcrpy cassette"],
  [{ interactions: [{ request: REQUEST, response: { code: 200 } }] }, GO_OR_PHP],
  [[{ request: REQUEST, response: { status: { code: 200 } } }], GO_OR_PHP],
  [[NOCK], "a nock recording"],
  [NOCK],
  [[{ scope: NOCK.scope }]],
  [{ interactions: [] }, "a traffic file"],
  [[{ request: REQUEST }], "a traffic file"],
  [{ request: REQUEST }, "a traffic file"],
  [{ interactions: {} }],
];

Deno.test("each format recognizes its own documents and no others", () => {
  const formats = FORMATS.filter(({ stream }) => stream !== "text");
  for (const [document, ...expected] of KNOWN) {
    const found = formats.filter(({ recognize }) => recognize(document)).map(({ name }) => name);
    assert.deepEqual(found, expected, JSON.stringify(document));
  }
});

Deno.test("docs/formats.md has one row for each format that covtool reads", () => {
  const text = readFileSync(new URL("docs/formats.md", ROOT), "utf8");
  const table = text.slice(text.indexOf("## Recordings"), text.indexOf("### Recordings in"));
  const rows = table.split("\n").filter((line) => line.startsWith("| ")).slice(2)
    .map((line) => line.split("|")[1] ?? "");
  const titles = [...new Set(FORMATS.map(({ title }) => title))];
  for (const row of rows) {
    const named = titles.filter((title) => new RegExp(`\\b${title}\\b`).test(row));
    assert.equal(named.length, 1, `${row.trim()}: ${named}`);
  }
  assert.equal(rows.length, titles.length);
});

Deno.test("a map's importers read all formats but traffic files and logs, each in one family", () => {
  const read = (["archive", "collection", "cassette"] as const).flatMap(formatsInFamily);
  assert.equal(new Set(read).size, read.length);
  const others = FORMATS.filter((format) => !read.includes(format)).map(({ title }) => title);
  assert.deepEqual([...new Set(others)], [
    ...["access logs", "OpenTelemetry", "goreplay", "mitmproxy", "traffic files"],
  ]);
});

Deno.test("formatTitles() names each program once", () => {
  assert.equal(
    formatTitles(formatsInFamily("cassette"), "and"),
    "Schemathesis, VCR, vcrpy and nock",
  );
  assert.equal(formatTitles(formatsInFamily("archive"), "or"), "HAR");
});
