import assert from "node:assert/strict";
import type { UsageReport } from "../../src/report/usage/usage_report.ts";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, SHOP_TRAFFIC } from "./shop_files.ts";

/** Lines of production traffic: some requests with `sort=price`, and one that creates a book. */
function production(sorted: number): string {
  const line = (method: string, path: string, status_code: number) =>
    JSON.stringify({
      request: { method, url: `http://api.example/v1${path}` },
      response: { status_code },
    });
  return [
    ...Array.from({ length: sorted }, () => line("GET", "/books?sort=price", 200)),
    line("POST", "/books", 201),
  ].join("\n");
}

function readUntested({ out, err }: Ended): unknown[] {
  assert.ok(out.startsWith("{"), err);
  const { untested } = JSON.parse(out) as UsageReport;
  return untested.map(({ kind, production }) => [kind, production]);
}

Deno.test("compare lists what production uses and tests don't, from recordings and hits", () =>
  inShop(async () => {
    const compare = "compare openapi.yaml --format json";
    const direct = await runCovtool(`${compare} --tests traffic.json --production logs.jsonl`);
    assert.deepEqual(readUntested(direct), [["parameter", 3], ["operation", 1]]);
    assert.equal(direct.code, 0);
    await runCovtool("report openapi.yaml traffic.json --format hits=tests.hits");
    await runCovtool("report openapi.yaml logs.jsonl --format hits=production.hits");
    const merged = await runCovtool(`${compare} --tests tests.hits --production production.hits`);
    assert.equal(merged.out, direct.out);
    const piped = await runCovtool(`${compare} --production - --tests traffic.json`, {
      stdin: production(3),
    });
    assert.equal(piped.out, direct.out);
  }, { "logs.jsonl": production(3) }));

Deno.test("--tests and --production take all arguments that follow, and add up", () =>
  inShop(async () => {
    const result = await runCovtool(
      "compare --format=json openapi.yaml --production a.jsonl b.jsonl --tests traffic.json more.json",
    );
    assert.deepEqual(readUntested(result), [["parameter", 6], ["operation", 2]]);
    assert.equal((JSON.parse(result.out) as UsageReport).tests.recorded, 6);
  }, { "a.jsonl": production(3), "b.jsonl": production(3), "more.json": SHOP_TRAFFIC }));

Deno.test("compare writes a page by default, and a summary to standard error", () =>
  inShop(async () => {
    const { out, err } = await succeeds(runCovtool(
      "compare openapi.yaml --tests traffic.json --production production.jsonl -o page.html",
    ));
    assert.equal(out, "");
    assert.match(err, /^Shop: used in production, and tested\n/);
    assert.match(err, /Operations .* 50% {2}1 of 2 used are tested/);
    assert.match(err, /Report: .*page\.html/);
    assert.match(await Deno.readTextFile("page.html"), /^<!doctype html>/);
  }, { "production.jsonl": production(3) }));

Deno.test("--fail-on untested-used fails if a share of production's requests is untested", () =>
  inShop(async () => {
    const compare =
      "compare openapi.yaml --tests traffic.json --production logs.jsonl --format json";
    assert.equal((await runCovtool(compare)).code, 0);
    await succeeds(runCovtool(`${compare} --fail-on untested-used=96% --fail-on no-traffic`));
    const some = await fails(
      runCovtool(`${compare} --fail-on untested-used=6%`),
      /Production uses 1 thing that tests don't exercise:\n {2}GET \/books: query/,
    );
    assert.match(some.err, /exit 1: requirements not met \(untested-used=6%\)\n$/);
    const all = await runCovtool(`${compare} --fail-on untested-used`);
    assert.match(
      all.err,
      /uses 2 things .*\n.*95% of the requests\)\n {2}POST \/books \(1 time, 5%/,
    );
  }, { "logs.jsonl": production(19) }));

Deno.test("traffic that matches nothing causes a warning, and fails conditions that need it", () =>
  inShop(async () => {
    const compare =
      "compare openapi.yaml --tests traffic.json --production none.jsonl --format json";
    const { err } = await succeeds(runCovtool(compare));
    assert.match(
      err.replace(/\n/g, " "),
      /Warning: No request of production matches an operation\. Look at --production/,
    );
    for (const condition of ["untested-used", "no-traffic"]) {
      assert.equal((await runCovtool(`${compare} --fail-on ${condition}`)).code, 1);
    }
    const moved = await runCovtool(`${compare} --production-base-path /v2`);
    assert.deepEqual(readUntested(moved), [["parameter", 2], ["operation", 1]]);
  }, { "none.jsonl": production(2).replaceAll("/v1/", "/v2/") }));

Deno.test("an endpoint that tests and production use is one, whatever their base paths", () => {
  const sent = (origin: string) =>
    `${JSON.stringify({ request: { method: "GET", url: `${origin}/lists/7` } })}\n`;
  return inShop(async () => {
    const compare = "compare openapi.yaml --tests sent.jsonl --production used.jsonl --format json";
    for (const base of ["/gateway/shop", "https://shop.example/gateway/shop"]) {
      const { out } = await runCovtool(`${compare} --production-base-path ${base}`);
      const { undocumented } = JSON.parse(out) as UsageReport;
      assert.deepEqual(
        undocumented.map((one) => [one.kind, one.path, one.production, one.tests]),
        [["endpoint", "/gateway/shop/lists/{}", 1, 2]],
      );
    }
  }, {
    "sent.jsonl": sent("http://localhost/v1").repeat(2),
    "used.jsonl": sent("https://shop.example/gateway/shop"),
  });
});

Deno.test("compare explains what is missing or wrong in its arguments", () =>
  inShop(async () => {
    const both = "openapi.yaml --tests traffic.json --production traffic.json";
    for (
      const [args, said] of [
        ["", /No OpenAPI description given\. Name a file or URL before --tests and --production\./],
        [
          "openapi.yaml",
          /No traffic of tests given\. Name recordings, logs or hits with --tests\./,
        ],
        ["openapi.yaml --tests traffic.json", /No production traffic given\./],
        ["openapi.yaml --tests - --production -", /Standard input can only be read once\./],
        [`${both} --format lcov`, /Choose html, json, text or markdown\./],
        [
          `${both} --fail-on untested`,
          /Unknown condition "untested"\. Did you mean untested-used\?/,
        ],
        [
          `${both} --fail-on untested-used=x`,
          /percentage from 0 to 100 after untested-used=, but got x/,
        ],
        [`${both} --fail-on no-traffic=1`, /no-traffic takes no value, but got 1\./],
        [`${both} -o traffic.json`, /would overwrite/],
      ] as const
    ) {
      const { err } = await fails(runCovtool(`compare --no-config ${args}`), said);
      assert.ok(err.endsWith(ERROR_EXIT), err);
    }
  }));

Deno.test("the config file's `compare` has traffic, formats and conditions for compare only", () => {
  const files = {
    "logs/a.jsonl": production(3),
    "covtool.yaml": `schema: openapi.yaml
format: lcov
failOn: new-gaps
compare:
  tests: traffic.json
  production: [logs]
  format: json
  failOn: untested-used=50%
`,
    "several.yaml": "apis: [{ schema: openapi.yaml }]\n",
  };
  return inShop(async () => {
    const configured = await runCovtool("compare");
    assert.deepEqual(readUntested(configured), [["parameter", 3], ["operation", 1]]);
    assert.equal(configured.code, 1);
    const own = await succeeds(runCovtool("compare --fail-on no-traffic --format markdown"));
    assert.match(own.out, /^<!-- covtool compare -->/);
    const refused = await runCovtool("compare --config several.yaml");
    assert.match(refused.err, /covtool compare is for one API, and .* has several\./);
  }, files);
});
