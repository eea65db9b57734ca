import assert from "node:assert/strict";
import type { Report } from "../../src/report/report.ts";
import { inWorkingFolder } from "../in_folder.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";

async function inShop<Value>(
  files: Readonly<Record<string, string>>,
  test: (run: Run, folder: string) => Promise<Value>,
): Promise<Value> {
  const all = { "openapi.yaml": SHOP_DESCRIPTION, "traffic.json": SHOP_TRAFFIC, ...files };
  return await inWorkingFolder(all, async (folder) =>
    await test((args, below = "") => {
      Deno.chdir(`${folder}/${below}`);
      return runCovtool(args);
    }, folder));
}

type Run = (args: readonly string[], below?: string) => Promise<Ended>;

const BOTH = "schema: openapi.yaml\ntraffic: traffic.json\n";

function reportOf({ out, err }: Ended): Report {
  assert.ok(out.startsWith("{"), err);
  return JSON.parse(out) as Report;
}

Deno.test("report takes description, recordings and options from the config file", async () => {
  const config = `${BOTH}format: json\ntitle: Books\nfailUnderOperations: 80\n`;
  await inShop({ "covtool.yaml": config }, async (run) => {
    const result = await run(["report"]);
    assert.equal(reportOf(result).title, "Books");
    assert.equal(result.code, 1);
    assert.match(result.err, /Operations\D+50%\D+80%/i);
  });
});

Deno.test("what the command line says beats the config file, which beats the default", async () => {
  const config =
    `${BOTH}format: json\ntitle: Books\nfailUnder: 100\nskipEmpty: true\nsuggestions: false\n`;
  await inShop({ "covtool.yml": config }, async (run) => {
    const result = await run(["report", "--title", "Shop!", "--fail-under", "1"]);
    assert.deepEqual([result.code, reportOf(result).title], [0, "Shop!"]);
    const text = await run(["report", "--format", "text"]);
    assert.doesNotMatch(text.out, /POST/);
    const all = await run(["report", "--format", "text", "--no-skip-empty"]);
    assert.match(all.out, /POST/);
  });
});

Deno.test("the config file is found above the working directory, and its paths are relative to it", async () => {
  const config = JSON.stringify({ schema: "openapi.yaml", traffic: ["*.json"], format: "json" });
  await inShop({ "covtool.json": config, "src/api/a.ts": "" }, async (run) => {
    // The config file itself is among *.json, and no recording.
    assert.equal(reportOf(await run(["report"], "src/api")).traffic.recorded, 3);
  });
});

Deno.test("the search for a config file ends at the root of a repository", () =>
  inShop({ "covtool.yaml": BOTH, "lib/.git/HEAD": "", "lib/src/a.ts": "" }, async (run) => {
    const { code, err } = await run(["report"], "lib/src");
    assert.equal(code, 1);
    assert.match(err, /^Error: No OpenAPI description given\. Name a file or URL, followed by /);
  }));

Deno.test("a config file in a folder above that everybody may write to is passed over", () =>
  inShop({ "covtool.yaml": "titel: x", "own/a": "" }, async (run, folder) => {
    await Deno.chmod(folder, 0o777);
    const { err } = await run(["report"], "own");
    assert.match(err, /No OpenAPI description given/);
  }));

Deno.test("--config names another file, and --no-config passes over the one there is", async () => {
  const files = { "covtool.yaml": "titel: x\n", "ci.yaml": `${BOTH}format: json\n` };
  await inShop(files, async (run) => {
    assert.equal(reportOf(await run(["report", "--config", "ci.yaml"])).traffic.recorded, 3);
    const plain = await run([
      ...["report", "--no-config", "openapi.yaml", "traffic.json"],
      ...["--format", "json"],
    ]);
    assert.equal(plain.code, 0);
    const { code, err } = await run(["report", "openapi.yaml", "traffic.json"]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^Error: Cannot use covtool\.yaml: line 1, column 1: Unknown key "titel"\. Did you mean title\?\n/,
    );
  });
});

Deno.test("two config files in a folder are refused", () =>
  inShop({ "covtool.yaml": BOTH, "covtool.json": "{}" }, async (run) => {
    const { err } = await run(["report"]);
    assert.match(
      err,
      / has covtool\.yaml and covtool\.json\. Keep one of them, or name one with --config\./,
    );
  }));

Deno.test("a report or a traffic file called covtool.json is not taken for a config file", async () => {
  await inShop({}, async (run) => {
    const json = ["--format", "json", "-o", "covtool.json"];
    assert.equal((await run(["report", "openapi.yaml", "traffic.json", ...json])).code, 0);
    assert.equal((await run(["report", "openapi.yaml", "traffic.json", ...json])).code, 0);
  });
  await inShop({ "covtool.json": SHOP_TRAFFIC }, async (run) => {
    assert.equal((await run(["report", "openapi.yaml", "covtool.json"])).code, 0);
  });
});

Deno.test("where the config file names the description, report takes recordings alone", async () => {
  const one = JSON.stringify({
    interactions: [{ request: { method: "GET", url: "http://localhost/v1/books" } }],
  });
  await inShop({ "covtool.yaml": `${BOTH}format: json\n`, "one.json": one }, async (run) => {
    assert.equal(reportOf(await run(["report", "one.json"])).traffic.recorded, 1);
    assert.equal(reportOf(await run(["report", "one.json", "traffic.json"])).traffic.recorded, 4);
    assert.equal(reportOf(await run(["report", "o*.json"])).traffic.recorded, 1);
    assert.equal(reportOf(await run(["report", "openapi.yaml"])).traffic.recorded, 3);
    assert.equal(reportOf(await run(["report", "openapi.yaml", "one.json"])).traffic.recorded, 1);
    const { err } = await run(["report", "missing.yaml"]);
    assert.match(err, /^Error: Cannot load missing\.yaml: There is no such file/);
  });
});

Deno.test("a config file without description or recordings says what it lacks", () =>
  inShop({ "covtool.yaml": "title: Books\n" }, async (run) => {
    assert.match(
      (await run(["report"])).err,
      /^Error: No OpenAPI description given\. Name a file or URL, or set schema or apis in covtool\.yaml\.\n/,
    );
    assert.match(
      (await run(["report", "openapi.yaml"])).err,
      /^Error: No traffic given\. Name at least one recording, or set traffic in covtool\.yaml\.\n/,
    );
  }));

Deno.test("an output of the config file doesn't meet formats of the command line", () =>
  inShop({ "covtool.yaml": `${BOTH}output: page.html\n` }, async (run, folder) => {
    const { code, err } = await run(["report", "--format", "json=a.json", "--format", "text"]);
    assert.equal(code, 0, err);
    assert.equal((await run(["report"])).code, 0);
    assert.ok((await Deno.stat(`${folder}/page.html`)).isFile);
  }));

Deno.test("run takes the description from the config file, and all after -- is the command", () =>
  inShop({ "covtool.yaml": "schema: openapi.yaml\nformat: json\n" }, async (run) => {
    const { code, err } = await run(["run", "--", Deno.execPath(), "eval", "0"]);
    assert.equal(code, 0);
    assert.match(err, /No traffic was recorded/);
  }));

Deno.test("a command that writes nothing but hits leaves thresholds of the file to covtool merge", async () => {
  const config = `${BOTH}failUnder: 100\nfailOn: no-traffic\nbaseline: not-yet.json\n`;
  await inShop({ "covtool.yaml": config }, async (run, folder) => {
    const shard = await run(["report", "--format", "hits=a.hits"]);
    assert.equal(shard.code, 0, shard.err);
    assert.match(
      shard.err,
      /Report: a\.hits\n\ncovtool merge checks the thresholds and conditions of covtool\.yaml\.\n$/,
    );
    const own = await run(["report", "--format", "hits=b.hits", "--fail-under", "100"]);
    assert.equal(own.code, 1, "what the command line says is checked");
    await Deno.writeTextFile(`${folder}/covtool.yaml`, config.replace(/baseline.*/, ""));
    for (const more of [[], ["--format", "hits=c.hits"]]) {
      const merged = await run(["merge", "a.hits", ...more]);
      assert.equal(merged.code, 1, merged.err);
      assert.match(merged.err, /Thresholds not met/);
    }
    assert.equal((await run(["report", "--format", "hits=a.hits", "--format", "html"])).code, 1);
  });
});
