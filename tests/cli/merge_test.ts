import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { gzipSync } from "node:zlib";
import schema from "../../src/report/report.schema.json" with { type: "json" };
import { main } from "../../src/cli/main.ts";
import { ERROR_EXIT, type FakeHost, fakeHost } from "./fake_host.ts";
import { inShop, SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";
import { writeJson } from "../in_folder.ts";

const VARIABLES = { NO_COLOR: "1", SOURCE_DATE_EPOCH: "1700000000" };

async function covtool(
  args: readonly string[],
  stdin?: string,
): Promise<{ readonly code: number; readonly host: FakeHost }> {
  const host = fakeHost({ variables: VARIABLES, ...(stdin !== undefined && { stdin }) });
  return { code: await main(args, host), host };
}

/** Runs a test in a shop whose traffic was recorded by two shards, each of which left hits. */
async function inShards(
  test: (shop: string, shards: readonly string[], whole: string) => Promise<void>,
): Promise<void> {
  await inShop(async (folder) => {
    const { interactions } = JSON.parse(SHOP_TRAFFIC) as { readonly interactions: unknown[] };
    const shards: string[] = [];
    for (const [index, part] of [interactions.slice(0, 1), interactions.slice(1)].entries()) {
      const traffic = `${folder}/part${index}.json`;
      await writeJson(traffic, { interactions: part });
      const shard = `${folder}/shard${index}.hits`;
      const shop = `${folder}/openapi.yaml`;
      const { code } = await covtool(["report", shop, traffic, "--format", `hits=${shard}`]);
      assert.equal(code, 0);
      shards.push(shard);
    }
    const all = [`${folder}/openapi.yaml`, `${folder}/traffic.json`, "--format", "json"];
    await test(`${folder}/openapi.yaml`, shards, (await covtool(["report", ...all])).host.out());
  });
}

Deno.test("merge adds up hits files: the reports are those of one run, byte for byte", () =>
  inShards(async (shop, shards, whole) => {
    for (const order of [shards, shards.toReversed()]) {
      const output = `${shop}.merged.hits`;
      const { code, host } = await covtool([
        "merge",
        shop,
        ...order,
        "-o",
        output,
        "--format",
        "json",
      ]);
      assert.equal(code, 0, host.err());
      assert.equal(host.out(), whole);
      const again = await covtool(["report", shop, output, "--format", "json"]);
      assert.equal(again.host.out(), whole);
    }
  }));

Deno.test("hits, packed hits and recordings can be mixed, in a folder and on several cores too", () =>
  inShards(async (shop, [first = "", second = ""], whole) => {
    const folder = `${shop}.mixed`;
    await Deno.mkdir(folder);
    await Deno.writeFile(`${folder}/one.gz`, gzipSync(await Deno.readFile(first)));
    const part = shop.replace("openapi.yaml", "part1.json");
    for (const jobs of ["1", "3"]) {
      const args = ["report", shop, folder, part, "--format", "json", "--jobs", jobs];
      assert.equal((await covtool(args)).host.out(), whole);
    }
    await Deno.copyFile(second, `${folder}/two.hits`);
    assert.equal((await covtool(["report", shop, folder, "--format", "json"])).host.out(), whole);
  }));

Deno.test("merge reads hits from standard input, one per line, and writes them to standard output", () =>
  inShards(async (shop, shards, whole) => {
    const lines = (await Promise.all(shards.map((shard) => Deno.readTextFile(shard)))).join("");
    const merged = await covtool(["merge", shop, "-", "-o", "-"], lines);
    assert.equal(merged.code, 0);
    assert.match(merged.host.out(), /^\{"covtool_hits":3,[^\n]*\}\n$/);
    assert.equal(merged.host.err(), "3 requests: 2 matched, 1 unmatched\n");
    const report = await covtool(["report", shop, "-", "--format", "json"], merged.host.out());
    assert.equal(report.host.out(), whole);
  }));

Deno.test("a sum on standard output is judged where something is asked of it", () =>
  inShards(async (shop, shards) => {
    const args = ["merge", shop, ...shards, "-o", "-"];
    for (
      const asked of [["--fail-under-operations", "60"], ["--fail-on", "server_error,new-gaps"]]
    ) {
      const { code, host } = await covtool([...args, ...asked]);
      assert.equal(code, 1, host.err());
    }
    const missing = await covtool([...args, "--baseline", `${shop}.none`]);
    assert.equal(missing.code, 1);
  }));

Deno.test("the job that merges judges the thresholds", () =>
  inShards(async (shop, shards) => {
    const args = ["merge", shop, ...shards, "-o", `${shop}.hits`];
    const { code, host } = await covtool([...args, "--fail-under-operations", "60"]);
    assert.equal(code, 1);
    assert.match(host.err(), /operations: 50% is below 60%/);
    assert.match(host.err(), /^Report: .*openapi\.yaml\.hits$/m);
    assert.equal((await covtool([...args, "--fail-under-operations", "50"])).code, 0);
  }));

Deno.test("merge names missing arguments, and never overwrites an input", () =>
  inShards(async (shop, [first = ""]) => {
    assert.match(
      (await covtool(["merge", shop, "--no-config"])).host.err(),
      /No hits given\. Name at least one hits file, or - for standard input\. See covtool merge --help\./,
    );
    assert.match(
      (await covtool(["merge", shop, first, "-o", first])).host.err(),
      /would overwrite .*shard0\.hits/,
    );
    assert.match(
      (await covtool(["merge", shop, first, "-o", "-", "--format", "json"])).host.err(),
      /Only one report can go to standard output/,
    );
  }));

Deno.test("hits that cannot be added are named with the file that they are in", () =>
  inShards(async (shop, [first = "", second = ""]) => {
    const bytes = await Deno.readFile(first);
    await Deno.writeFile(first, bytes.slice(0, 150));
    const { code, host } = await covtool(["merge", shop, second, first, "-o", `${shop}.hits`]);
    assert.equal(code, 1);
    const sentence =
      `Error: Cannot read ${first}: It is cut off after 150 bytes. Copy the whole file again, or write the hits again.\n`;
    assert.equal(host.err(), sentence + ERROR_EXIT);
    await assert.rejects(Deno.stat(`${shop}.hits`));
  }));

Deno.test("hits of another description are refused, and --carry keeps what is the same in both", () =>
  inShards(async (shop, shards) => {
    const changed = SHOP_DESCRIPTION.replace("maximum: 100", "maximum: 200")
      .replace("/books:", "/books:\n    delete: { responses: { 204: { description: Gone } } }");
    await Deno.writeTextFile(shop, changed);
    const args = ["merge", shop, ...shards, "-o", `${shop}.hits`];
    const refused = await covtool(args);
    assert.equal(refused.code, 1);
    assert.match(
      refused.host.err(),
      /openapi\.yaml has changed since they were recorded\..*--carry/s,
    );
    const { code, host } = await covtool([...args, "--carry", "--format", "json"]);
    assert.equal(code, 0, host.err());
    const report = JSON.parse(host.out());
    const { summary, operations, dropped } = report;
    const validate = new Ajv2020({ strictTypes: false }).compile(schema);
    assert.equal(validate(report), true, JSON.stringify(validate.errors));
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
      host.err().replace(/\s+/g, " "),
      /Warning: The description no longer has what was counted of 1 keyword, or has changed it, so these counts are dropped: - GET \/books, query limit, schema\/maximum /,
    );
  }));

Deno.test("convert says of a hits file what it is", () =>
  inShards(async (_shop, [first = ""]) => {
    const { code, host } = await covtool(["convert", first]);
    assert.equal(code, 1);
    assert.match(host.err(), /This is a hits file, which has counts and no requests\./);
  }));
