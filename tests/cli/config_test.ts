import assert from "node:assert/strict";
import type { Report } from "../../src/report/report.ts";
import { fails, succeeds } from "../command_end.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, reportShop, SHOP_TRAFFIC } from "./shop_files.ts";

/** Runs covtool in a subfolder of the shop. */
async function below(folder: string, line: string): Promise<Ended> {
  const before = Deno.cwd();
  Deno.chdir(folder);
  const ended = await runCovtool(line);
  Deno.chdir(before);
  return ended;
}

const BOTH = "schema: openapi.yaml\ntraffic: traffic.json\n";

function readReport({ out, err }: Ended): Report {
  assert.ok(out.startsWith("{"), err);
  return JSON.parse(out) as Report;
}

Deno.test("report takes the description, recordings and options from the config file", async () => {
  const config = `${BOTH}format: json\ntitle: Books\nfailUnderOperations: 80\n`;
  await inShop(async () => {
    const result = await runCovtool("report");
    assert.equal(readReport(result).title, "Books");
    assert.equal(result.code, 1);
    assert.match(result.err, /Operations\D+50%\D+80%/i);
  }, { "covtool.yaml": config });
});

Deno.test("the command line overrides the config file, which overrides defaults", async () => {
  const config =
    `${BOTH}format: json\ntitle: Books\nfailUnder: 100\nskipEmpty: true\nsuggestions: false\n`;
  await inShop(async () => {
    const result = await runCovtool("report --title Shop! --fail-under 1");
    assert.deepEqual([result.code, readReport(result).title], [0, "Shop!"]);
    const text = await runCovtool("report --format text");
    assert.doesNotMatch(text.out, /POST/);
    const all = await runCovtool("report --format text --no-skip-empty");
    assert.match(all.out, /POST/);
  }, { "covtool.yml": config });
});

Deno.test("the config file is found in a parent folder, and its paths are relative to it", async () => {
  const config = JSON.stringify({ schema: "openapi.yaml", traffic: ["*.json"], format: "json" });
  await inShop(async () => {
    // The config file itself matches *.json, but isn't read as a recording.
    assert.equal(readReport(await below("src/api", "report")).traffic.recorded, 3);
  }, { "covtool.json": config, "src/api/a.ts": "" });
});

Deno.test("the search for a config file ends at the root of a repository", () =>
  inShop(async () => {
    await fails(
      below("lib/src", "report"),
      /^Error: No OpenAPI description given\. Name a file or URL, followed by /,
    );
  }, { "covtool.yaml": BOTH, "lib/.git/HEAD": "", "lib/src/a.ts": "" }));

Deno.test("a config file in a world-writable parent folder is ignored", () =>
  inShop(async () => {
    await Deno.chmod(".", 0o777);
    const { err } = await below("own", "report");
    assert.match(err, /No OpenAPI description given/);
  }, { "covtool.yaml": "titel: x", "own/a": "" }));

Deno.test("--config names another config file, and --no-config ignores the existing one", async () => {
  const files = { "covtool.yaml": "titel: x\n", "ci.yaml": `${BOTH}format: json\n` };
  await inShop(async () => {
    assert.equal(readReport(await runCovtool("report --config ci.yaml")).traffic.recorded, 3);
    await succeeds(runCovtool("report --no-config openapi.yaml traffic.json --format json"));
    await fails(
      runCovtool("report openapi.yaml traffic.json"),
      /^Error: Cannot use covtool\.yaml: line 1, column 1: Unknown key "titel"\. Did you mean title\?\n/,
    );
  }, files);
});

Deno.test("two config files in a folder are refused", () =>
  inShop(async () => {
    const { err } = await runCovtool("report");
    assert.match(
      err,
      / has covtool\.yaml and covtool\.json\. Keep one of them, or name one with --config\./,
    );
  }, { "covtool.yaml": BOTH, "covtool.json": "{}" }));

Deno.test("a report or a traffic file called covtool.json isn't read as a config file", async () => {
  await inShop(async () => {
    for (let time = 0; time < 2; time++) {
      assert.equal((await reportShop("--format json -o covtool.json")).code, 0);
    }
  });
  await inShop(async () => {
    assert.equal((await runCovtool("report openapi.yaml covtool.json")).code, 0);
  }, { "covtool.json": SHOP_TRAFFIC });
});

Deno.test("report takes only recordings if the config file names the description", async () => {
  const one = JSON.stringify({
    interactions: [{ request: { method: "GET", url: "http://localhost/v1/books" } }],
  });
  await inShop(async () => {
    assert.equal(readReport(await runCovtool("report one.json")).traffic.recorded, 1);
    assert.equal(readReport(await runCovtool("report one.json traffic.json")).traffic.recorded, 4);
    assert.equal(readReport(await runCovtool("report o*.json")).traffic.recorded, 1);
    assert.equal(readReport(await runCovtool("report openapi.yaml")).traffic.recorded, 3);
    assert.equal(readReport(await runCovtool("report openapi.yaml one.json")).traffic.recorded, 1);
    const { err } = await runCovtool("report missing.yaml");
    assert.match(err, /^Error: Cannot load missing\.yaml: There is no such file/);
  }, { "covtool.yaml": `${BOTH}format: json\n`, "one.json": one });
});

Deno.test("the error about a config file without a description or recordings says what is missing", () =>
  inShop(async () => {
    assert.match(
      (await runCovtool("report")).err,
      /^Error: No OpenAPI description given\. Name a file or URL, or set schema or apis in covtool\.yaml\.\n/,
    );
    assert.match(
      (await runCovtool("report openapi.yaml")).err,
      /^Error: No traffic given\. Name at least one recording, or set traffic in covtool\.yaml\.\n/,
    );
  }, { "covtool.yaml": "title: Books\n" }));

Deno.test("an output in the config file doesn't apply to formats on the command line", () =>
  inShop(async () => {
    await succeeds(runCovtool("report --format json=a.json --format text"));
    assert.equal((await runCovtool("report")).code, 0);
    assert.ok((await Deno.stat("page.html")).isFile);
  }, { "covtool.yaml": `${BOTH}output: page.html\n` }));

Deno.test("a command that writes only hits doesn't check the config file's thresholds", async () => {
  const config = `${BOTH}failUnder: 100\nfailOn: no-traffic\nbaseline: not-yet.json\n`;
  await inShop(async () => {
    const shard = await succeeds(runCovtool("report --format hits=a.hits"));
    assert.match(
      shard.err,
      /Report: a\.hits\n\ncovtool merge checks the thresholds and conditions of covtool\.yaml\.\n$/,
    );
    const own = await runCovtool("report --format hits=b.hits --fail-under 100");
    assert.equal(own.code, 1, "what the command line says is checked");
    await Deno.writeTextFile("covtool.yaml", config.replace(/baseline.*/, ""));
    for (const more of ["", "--format hits=c.hits"]) {
      await fails(runCovtool(`merge a.hits ${more}`), /Thresholds not met/);
    }
    assert.equal((await runCovtool("report --format hits=a.hits --format html")).code, 1);
  }, { "covtool.yaml": config });
});
