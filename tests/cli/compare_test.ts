import assert from "node:assert/strict";
import type { UsageReport } from "../../src/report/usage/usage_report.ts";
import { inFolder } from "../in_folder.ts";
import { type Ended, ERROR_EXIT, runCovtool } from "./fake_host.ts";
import { inShop } from "./shop_files.ts";

const VARIABLES = { NO_COLOR: "1", SOURCE_DATE_EPOCH: "1700000000" };

async function covtool(args: readonly string[], stdin?: string): Promise<Ended> {
  return await runCovtool(args, { variables: VARIABLES, ...(stdin !== undefined && { stdin }) });
}

/** Lines of production's traffic: so many requests with `sort=price`, and one that creates a book. */
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

function untestedOf({ out, err }: Ended): unknown[] {
  assert.ok(out.startsWith("{"), err);
  const { untested } = JSON.parse(out) as UsageReport;
  return untested.map(({ kind, production }) => [kind, production]);
}

Deno.test("compare lists what production uses and tests don't, of any recordings and hits", () =>
  inShop(async (folder) => {
    const [shop, tests] = [`${folder}/openapi.yaml`, `${folder}/traffic.json`];
    const logs = `${folder}/production.jsonl`;
    await Deno.writeTextFile(logs, production(3));
    const json = ["--format", "json"];
    const expected = [["parameter", 3], ["operation", 1]];
    const direct = await covtool([
      "compare",
      shop,
      "--tests",
      tests,
      "--production",
      logs,
      ...json,
    ]);
    assert.deepEqual(untestedOf(direct), expected);
    assert.equal(direct.code, 0);
    for (const [name, traffic] of [["tests", tests], ["production", logs]] as const) {
      await covtool(["report", shop, traffic, "--format", `hits=${folder}/${name}.hits`]);
    }
    const merged = await covtool([
      ...["compare", shop, "--tests", `${folder}/tests.hits`],
      ...["--production", `${folder}/production.hits`, ...json],
    ]);
    assert.equal(merged.out, direct.out);
    const piped = await covtool(
      ["compare", shop, "--production", "-", "--tests", tests, ...json],
      production(3),
    );
    assert.equal(piped.out, direct.out);
  }));

Deno.test("--tests and --production take all that follows, and add up", () =>
  inShop(async (folder) => {
    const [shop, tests] = [`${folder}/openapi.yaml`, `${folder}/traffic.json`];
    const logs = [`${folder}/a.jsonl`, `${folder}/b.jsonl`];
    for (const log of logs) await Deno.writeTextFile(log, production(3));
    const result = await covtool([
      ...["compare", "--format=json", shop, "--production", ...logs, "--tests", tests, tests],
    ]);
    assert.deepEqual(untestedOf(result), [["parameter", 6], ["operation", 2]]);
    assert.equal((JSON.parse(result.out) as UsageReport).tests.recorded, 6);
  }));

Deno.test("compare writes a page by default, and a summary to standard error", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/production.jsonl`, production(3));
    const { code, out, err } = await covtool([
      ...["compare", `${folder}/openapi.yaml`, "--tests", `${folder}/traffic.json`],
      ...["--production", `${folder}/production.jsonl`, "-o", `${folder}/page.html`],
    ]);
    assert.equal(code, 0);
    assert.equal(out, "");
    assert.match(err, /^Shop: used in production, and tested\n/);
    assert.match(err, /Operations .* 50% {2}1 of 2 used are tested/);
    assert.match(err, /Report: .*page\.html/);
    assert.match(await Deno.readTextFile(`${folder}/page.html`), /^<!doctype html>/);
  }));

Deno.test("untested-used fails a run on what makes up a share of production's requests", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/production.jsonl`, production(19));
    const compare = (...conditions: string[]) =>
      covtool([
        ...["compare", `${folder}/openapi.yaml`, "--tests", `${folder}/traffic.json`],
        ...["--production", `${folder}/production.jsonl`, "--format", "json"],
        ...conditions.flatMap((condition) => ["--fail-on", condition]),
      ]);
    assert.equal((await compare()).code, 0);
    assert.equal((await compare("untested-used=96%", "no-traffic")).code, 0);
    const some = await compare("untested-used=6%");
    assert.equal(some.code, 1);
    assert.match(
      some.err,
      /Production uses 1 thing that tests don't exercise:\n {2}GET \/books: query/,
    );
    assert.match(some.err, /exit 1: requirements not met \(untested-used=6%\)\n$/);
    const all = await compare("untested-used");
    assert.match(
      all.err,
      /uses 2 things .*\n.*95% of the requests\)\n {2}POST \/books \(1 time, 5%/,
    );
  }));

Deno.test("traffic that matches nothing is a warning, and fails what would have to compare it", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/none.jsonl`, production(2).replaceAll("/v1/", "/v2/"));
    const args = [
      ...["compare", `${folder}/openapi.yaml`, "--tests", `${folder}/traffic.json`],
      ...["--production", `${folder}/none.jsonl`, "--format", "json"],
    ];
    const { code, err } = await covtool(args);
    assert.equal(code, 0);
    assert.match(
      err.replace(/\n/g, " "),
      /Warning: No request of production matches an operation\. Look at --production/,
    );
    for (const condition of ["untested-used", "no-traffic"]) {
      assert.equal((await covtool([...args, "--fail-on", condition])).code, 1);
    }
    const moved = await covtool([...args, "--production-base-path", "/v2"]);
    assert.deepEqual(untestedOf(moved), [["parameter", 2], ["operation", 1]]);
  }));

Deno.test("compare says what is missing or wrong in its arguments", () =>
  inShop(async (folder) => {
    const [shop, traffic] = [`${folder}/openapi.yaml`, `${folder}/traffic.json`];
    for (
      const [args, said] of [
        [[], /No OpenAPI description given\. Name a file or URL before --tests and --production\./],
        [[shop], /No traffic of tests given\. Name recordings, logs or hits with --tests\./],
        [[shop, "--tests", traffic], /No production traffic given\./],
        [[shop, "--tests", "-", "--production", "-"], /Standard input can only be read once\./],
        [
          [shop, "--tests", traffic, "--production", traffic, "--format", "lcov"],
          /Choose html, json, text or markdown\./,
        ],
        [
          [shop, "--fail-on", "untested"],
          /Unknown condition "untested"\. Did you mean untested-used\?/,
        ],
        [
          [shop, "--fail-on", "untested-used=x"],
          /Expected a percentage from 0 to 100 after untested-used=, but got x\./,
        ],
        [[shop, "--fail-on", "no-traffic=1"], /no-traffic takes no value, but got 1\./],
        [[shop, "--tests", traffic, "--production", traffic, "-o", traffic], /would overwrite/],
      ] as const
    ) {
      const { code, err } = await covtool(["compare", "--no-config", ...args]);
      assert.equal(code, 1);
      assert.match(err, said);
      assert.ok(err.endsWith(ERROR_EXIT), err);
    }
  }));

Deno.test("the config file's compare has traffic, formats and conditions of compare alone", async () => {
  await inShop(async (folder) => {
    const files = {
      "openapi.yaml": await Deno.readTextFile(`${folder}/openapi.yaml`),
      "tests.json": await Deno.readTextFile(`${folder}/traffic.json`),
      "logs/a.jsonl": production(3),
      "covtool.yaml": `schema: openapi.yaml
format: lcov
failOn: new-gaps
compare:
  tests: tests.json
  production: [logs]
  format: json
  failOn: untested-used=50%
`,
    };
    await inFolder(files, async (place) => {
      const config = ["compare", "--config", `${place}/covtool.yaml`];
      const { code, out, err } = await covtool(config);
      assert.deepEqual(untestedOf({ code, out, err }), [["parameter", 3], ["operation", 1]]);
      assert.equal(code, 1);
      const own = await covtool([...config, "--fail-on", "no-traffic", "--format", "markdown"]);
      assert.equal(own.code, 0, own.err);
      assert.match(own.out, /^<!-- covtool compare -->/);
      const several = `${place}/several.yaml`;
      await Deno.writeTextFile(several, "apis: [{ schema: openapi.yaml }]\n");
      const refused = await covtool(["compare", "--config", several]);
      assert.match(refused.err, /covtool compare is for one API, and .* has several\./);
    });
  });
});
