import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";

/** Runs a test in a shop whose traffic was recorded by two shards, as `0.hits` and `1.hits`. */
async function inShards(test: (whole: string) => Promise<void>): Promise<void> {
  const { interactions } = JSON.parse(SHOP_TRAFFIC) as { readonly interactions: unknown[] };
  const files = { "0.json": interactions.slice(0, 1), "1.json": interactions.slice(1) };
  await inShop(async () => {
    for (const shard of [0, 1]) {
      const { code } = await reportShard(`${shard}.json --format hits=${shard}.hits`);
      assert.equal(code, 0);
    }
    await test((await reportShard("traffic.json --format json")).out);
  }, files);
}

async function reportShard(options: string, stdin = ""): Promise<Ended> {
  return await runCovtool(`report openapi.yaml ${options}`, { stdin });
}

Deno.test("merge adds up hits files, and reports are byte for byte those of one run", () =>
  inShards(async (whole) => {
    for (const order of ["0.hits 1.hits", "1.hits 0.hits"]) {
      const merge = `merge openapi.yaml ${order} -o merged.hits --format json`;
      const { out } = await succeeds(runCovtool(merge));
      assert.equal(out, whole);
      assert.equal((await reportShard("merged.hits --format json")).out, whole);
    }
  }));

Deno.test("merge accepts hits, gzipped hits and recordings together, in a folder and on several cores", () =>
  inShards(async (whole) => {
    await Deno.mkdir("mixed");
    await Deno.writeFile("mixed/0.gz", gzipSync(await Deno.readFile("0.hits")));
    for (const jobs of [1, 3]) {
      const { out } = await reportShard(`mixed 1.json --format json --jobs ${jobs}`);
      assert.equal(out, whole);
    }
    await Deno.copyFile("1.hits", "mixed/1.hits");
    assert.equal((await reportShard("mixed --format json")).out, whole);
  }));

Deno.test("merge reads hits from standard input, one per line, and writes them to standard output", () =>
  inShards(async (whole) => {
    const stdin = await Deno.readTextFile("0.hits") + await Deno.readTextFile("1.hits");
    const { out, err } = await succeeds(runCovtool("merge openapi.yaml - -o -", { stdin }));
    assert.match(out, /^\{"covtool_hits":4,[^\n]*\}\n$/);
    assert.equal(err, "3 requests: 2 matched, 1 unmatched\n");
    assert.equal((await reportShard("- --format json", out)).out, whole);
  }));

Deno.test("merge checks requirements even if hits go to standard output", () =>
  inShards(async () => {
    for (
      const asked of [
        "--fail-under-operations 60",
        "--fail-on server_error,new-gaps",
        "--baseline none.json",
      ]
    ) {
      await fails(runCovtool(`merge openapi.yaml 0.hits 1.hits -o - ${asked}`));
    }
  }));

Deno.test("merge checks thresholds", () =>
  inShards(async () => {
    const merge = "merge openapi.yaml 0.hits 1.hits --fail-under-operations";
    const { err } = await fails(runCovtool(`${merge} 60`), /operations: 50% is below 60%/);
    assert.match(err, /^Report: coverage\.hits$/m);
    assert.equal((await runCovtool(`${merge} 50`)).code, 0);
  }));

Deno.test("merge explains missing arguments, and never overwrites an input", () =>
  inShards(async () => {
    const wrong: readonly [string, RegExp][] = [
      [
        "",
        /No hits given\. Name at least one hits file, or - for standard input\. See covtool merge/,
      ],
      ["0.hits -o 0.hits", /would overwrite .*0\.hits/],
      ["0.hits -o - --format json", /Only one report can go to standard output/],
    ];
    for (const [args, said] of wrong) {
      assert.match((await runCovtool(`merge openapi.yaml --no-config ${args}`)).err, said);
    }
  }));

Deno.test("the error about hits that can't be added names their file", () =>
  inShards(async () => {
    await Deno.writeFile("0.hits", (await Deno.readFile("0.hits")).slice(0, 150));
    const { err } = await fails(runCovtool("merge openapi.yaml 1.hits 0.hits"));
    const sentence =
      "Error: Cannot read 0.hits: It is cut off after 150 bytes. Copy the whole file again, or write the hits again.\n";
    assert.equal(err, sentence + ERROR_EXIT);
    await assert.rejects(Deno.stat("coverage.hits"));
  }));

Deno.test("merge refuses hits of another description, and --carry keeps what is equal in both", () =>
  inShards(async () => {
    const changed = SHOP_DESCRIPTION.replace("maximum: 100", "maximum: 200")
      .replace("/books:", "/books:\n    delete: { responses: { 204: { description: Gone } } }");
    await Deno.writeTextFile("openapi.yaml", changed);
    const merge = "merge openapi.yaml 0.hits 1.hits";
    await fails(
      runCovtool(merge),
      /openapi\.yaml has changed since they were recorded\..*--carry/s,
    );
    const sum = await succeeds(runCovtool(`${merge} --carry -o -`));
    assert.match(sum.err, /so these counts are dropped:\n- GET \/books, query limit/);
    const { out, err } = await succeeds(runCovtool(`${merge} --carry --format json`));
    const report = JSON.parse(out);
    const { summary, operations, dropped } = report;
    assert.deepEqual(schemaProblems(report), []);
    assert.deepEqual(dropped, [{
      kind: "keyword",
      operation: "GET /books",
      parameter: "query limit",
      schema_path: "schema/maximum",
      hits: 2,
    }], "the shards' counts together");
    assert.deepEqual([summary.operations.seen, summary.operations.total], [1, 3]);
    const keywords = operations[1].parameters[0].keywords as { keyword: string; valid: number }[];
    assert.deepEqual(keywords.map(({ keyword, valid }) => [keyword, valid]), [
      ["type", 2],
      ["minimum", 2],
      ["maximum", 0],
    ]);
    assert.match(
      err.replace(/\s+/g, " "),
      /Warning: The description no longer has what was counted of 1 keyword, or has changed it, so these counts are dropped: - GET \/books, query limit, schema\/maximum /,
    );
  }));

Deno.test("the error of convert about a hits file says what the file is", () =>
  inShards(async () => {
    await fails(
      runCovtool("convert 0.hits"),
      /This is a hits file, which has counts and no requests\./,
    );
  }));
