// Tests that each format can be read by its tools, and that its requests close what they claim.
import assert from "node:assert/strict";
import { join } from "node:path";
import { sharedFolder } from "../../scripts/npm/shared_folder.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import {
  SUGGESTION_FORMAT_NAMES,
  TEST_FORMAT_NAMES,
} from "../../src/suggest/formats/format_names.ts";
import { TEST_FORMATS } from "../../src/suggest/formats/tests/test_formats.ts";
import { SUGGESTION_FORMATS } from "../../src/suggest/formats/suggestion_formats.ts";
import type { Suggestions } from "../../src/suggest/suggestion.ts";
import { inFolder } from "../in_folder.ts";
import { HARD_API } from "./hard_api.ts";

function suggestionsFor(server: string): Suggestions {
  return CoverageMap.fromDict(HARD_API).suggestRequests({ server });
}

function written(name: string, suggestions: Suggestions): string {
  const format = SUGGESTION_FORMATS.find((known) => known.name === name);
  assert(format !== undefined);
  return format.write(suggestions, "Shop");
}

/** Coverage after recording all suggestions. */
function expected(suggestions: Suggestions) {
  const map = CoverageMap.fromDict(HARD_API);
  for (const { request } of suggestions.requests) map.record(request);
  return map.uncoveredKeywords();
}

const SERVER = "http://localhost:3000";

Deno.test("every format that --format accepts can be written, and vice versa", () => {
  assert.deepEqual(SUGGESTION_FORMATS.map(({ name }) => name), SUGGESTION_FORMAT_NAMES);
  assert.deepEqual(TEST_FORMATS.map(({ name }) => name), TEST_FORMAT_NAMES);
});

Deno.test("traffic files, archives and collections close the gaps that their requests claim", async () => {
  const suggestions = suggestionsFor(SERVER);
  for (
    const [format, importer] of [["json", "archive"], ["har", "archive"], ["postman", "collection"]]
  ) {
    const map = CoverageMap.fromDict(HARD_API);
    const text = written(format!, suggestions);
    if (format === "json") {
      for (const { request } of JSON.parse(text).interactions) map.record(request);
    } else {
      const name = importer as "archive" | "collection";
      await inFolder(
        { "requests.json": text },
        (folder) => map[name].recordFromPath(`${folder}/requests.json`),
      );
    }
    assert.equal(map.traffic().matched, suggestions.requests.length, format);
    assert.deepEqual(map.uncoveredKeywords(), expected(suggestions), format);
  }
});

Deno.test("a collection's tests check that statuses are documented", () => {
  const { requests, ...rest } = suggestionsFor(SERVER);
  const [first] = requests;
  assert.ok(first !== undefined);
  const results = (expects: readonly string[], breaks: typeof first.breaks, code: number) => {
    const text = written("postman", { ...rest, requests: [{ ...first, expects, breaks }] });
    const [{ event = [] }] = JSON.parse(text).item;
    const passed: [string, boolean][] = [];
    const pm = {
      response: { code },
      test: (name: string, body: () => void) => {
        try {
          body();
          passed.push([name, true]);
        } catch {
          passed.push([name, false]);
        }
      },
      expect: (value: string) => ({
        to: { match: (pattern: RegExp) => assert.match(value, pattern) },
      }),
    };
    for (const { script } of event) new Function("pm", script.exec.join("\n"))(pm);
    return passed;
  };
  const broken = { schema_path: "/x", instance_path: "" } as unknown as typeof first.breaks;
  assert.deepEqual(results(["200", "4XX"], null, 200), [["status is 200 or 4XX", true]]);
  assert.deepEqual(results(["200", "4XX"], null, 422), [["status is 200 or 4XX", true]]);
  assert.deepEqual(results(["200"], null, 2000), [["status is 200", false]]);
  assert.deepEqual(results(["default"], null, 400), [["status is 2XX", false]]);
  assert.deepEqual(results(["default"], broken, 400), [["status is 4XX", true]]);
  assert.deepEqual(results([], null, 200), []);
});

Deno.test("a shell runs curl commands, and the requests arrive as suggested", async () => {
  const map = CoverageMap.fromDict(HARD_API);
  const authorizations = new Set<string | null>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      authorizations.add(request.headers.get("authorization"));
      const { method, url } = request;
      map.record({ method, url, headers: Object.fromEntries(request.headers), body });
      assert.equal(new URL(url).searchParams.get("key"), "s3cret");
      return new Response();
    },
  );
  try {
    const suggestions = suggestionsFor(`http://127.0.0.1:${server.addr.port}`);
    const script = `set -e\n${written("curl", suggestions)}`;
    const env = {
      COVTOOL_AUTH_BEARER_AUTH: "it's me",
      COVTOOL_AUTH_A_SCHEME_WITH_ANAME_THAT_IS_LONG: "it's me",
      COVTOOL_AUTH_API_KEY: "s3cret",
    };
    await inFolder(
      { "requests.sh": script },
      (cwd) => runOrThrow("bash", ["requests.sh"], { cwd, env }),
    );
    assert.equal(map.traffic().matched, suggestions.requests.length);
    assert.deepEqual(map.uncoveredKeywords(), expected(suggestions));
    assert.deepEqual([...authorizations], ["Bearer it's me"]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("a REST client can read the requests in an .http file", async () => {
  const suggestions = suggestionsFor(SERVER);
  const folder = await sharedFolder(
    "httpyac",
    [Deno.build.os, "httpyac@6.16.7"],
    async (folder) => {
      await Deno.writeTextFile(join(folder, "package.json"), '{ "private": true }\n');
      const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
      await runOrThrow("npm", ["install", ...quiet, "httpyac@6.16.7"], { cwd: folder });
    },
  );
  const reader = `
const { store: { HttpFileStore }, io } = require(${
    JSON.stringify(join(folder, "node_modules", "httpyac"))
  });
const { readFileSync } = require("node:fs");
const { isAbsolute, dirname, join } = require("node:path");
Object.assign(io.fileProvider, {
  isAbsolute: (path) => Promise.resolve(isAbsolute(path)),
  dirname,
  joinPath: join,
  exists: () => Promise.resolve(false),
  readdir: () => Promise.resolve([]),
  hasExtension: (path, ...ends) => ends.some((end) => path.endsWith(end)),
  fsPath: String,
  toString: String,
});
(async () => {
  const text = readFileSync(process.argv[2], "utf8");
  const file = await new HttpFileStore().getOrCreate(process.argv[2], () => Promise.resolve(text), 0, { workingDir: "." });
  const requests = file.httpRegions.filter(({ request }) => request !== undefined).map(({ request }) => ({
    method: request.method, url: request.url, headers: Object.keys(request.headers ?? {}), body: request.body ?? null,
  }));
  console.log(JSON.stringify(requests));
})();`;
  const stdout = await inFolder(
    { "requests.http": written("http", suggestions), "read.cjs": reader },
    (cwd) => runOrThrow("node", ["read.cjs", "requests.http"], { cwd }),
  );
  const read = JSON.parse(stdout) as { method: string; url: string; body: unknown }[];
  assert.deepEqual(
    read.map(({ method, url }) => [method, url]),
    suggestions.requests.map(({ request: { method, url } }) => [
      method,
      url.replace("$COVTOOL_AUTH_API_KEY", "{{COVTOOL_AUTH_API_KEY}}"),
    ]),
  );
  read.forEach(({ body }, index) => {
    const suggested = suggestions.requests[index]?.request.body;
    const text = Array.isArray(body) ? body.join("") : body;
    assert.equal(
      typeof text === "string" ? text.trimEnd().replaceAll("\r", "") : text ?? undefined,
      suggested?.trimEnd().replaceAll("\r", ""),
    );
  });
});

Deno.test("the text format has each request, and the open gaps with reasons", () => {
  const { requests, unreachable } = suggestionsFor(SERVER);
  const gap = { kind: "operation_uncovered", method: "GET", path: "/x" } as const;
  const text = written("text", {
    requests: requests.slice(0, 1),
    unreachable: [...unreachable, { gap, reason: "No value.", impossible: false }],
  });
  assert.match(text, /^1\. PUT \/books\/\{id\}: valid, closes \d+ gaps\n {3}PUT http:/);
  assert.match(text, /Expect 200\. Based on documented examples\./);
  assert.match(text, /No value\.\n {3}GET \/x: the operation\n/);
});

Deno.test("the text format describes the expected status if only default is documented", () => {
  const [first] = suggestionsFor(SERVER).requests;
  assert(first !== undefined);
  const breaks = { location: "body", parameter: "body", schema_path: "/a/type" } as const;
  const requests = [
    { ...first, expects: ["default"], breaks: null },
    { ...first, expects: ["default"], breaks },
  ];
  const text = written("text", { requests, unreachable: [] });
  assert.match(text, /^1[^]*Expect 2xx \(documented as default\)\.[^]*^2[^]*Expect 4xx \(doc/m);
});
