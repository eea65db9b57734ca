import assert from "node:assert/strict";
import { fails } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { inShop, reportShop as run } from "./shop_files.ts";

Deno.test("report --format lcov names the description relative to the working directory", () =>
  inShop(async (folder) => {
    const { out } = await run("--format lcov");
    assert.match(out, /^TN:\nSF:openapi\.yaml\nFN:6,GET \/books\n/);
    const inputs = `${folder}/openapi.yaml ${folder}/traffic.json`;
    assert.equal((await runCovtool(`report ${inputs} --format lcov`)).out, out);
  }));

Deno.test("report doesn't overwrite the report that it compares with", () =>
  inShop(async () => {
    await fails(
      run("--format json=base.json --base-report base.json"),
      /The report would overwrite .*base\.json, which is an input\./,
    );
  }));

Deno.test("report --format junit applies the thresholds of the command line", () =>
  inShop(async () => {
    const { out } = await fails(run("--format junit --fail-under-operations 60"));
    assert.ok(out.includes('<failure message="operations: 50% is below 60%"'));
  }));

Deno.test("report --badge-dimensions selects the dimensions of a badge", () =>
  inShop(async () => {
    const { out } = await run("--format badge --badge-dimensions parameters,operations");
    assert.ok(out.includes(">operations 50% · parameters 33.3%<"), out);
  }));

Deno.test("report warns about options without effect and file names that suggest another format", () =>
  inShop(async () => {
    const { err } = await run(
      "-o a.html --badge-dimensions all --show-missing all --skip-covered --skip-empty",
    );
    const said = err.replaceAll(/\s+/g, " ");
    assert.ok(said.includes("--badge-dimensions is ignored without --format badge."), said);
    for (const option of ["--show-missing", "--skip-covered", "--skip-empty"]) {
      assert.ok(said.includes(`${option} is ignored without --format text.`));
    }
    const shown = await run("--format text --show-missing all");
    assert.ok(!shown.err.includes("is ignored"), shown.err);
    for (
      const [name, hint] of [
        ["a.json", "For json add --format json."],
        ["a.md", "For markdown add --format markdown."],
        ["a.xml", "For cobertura or junit add --format cobertura or --format junit."],
        ["a.svg", "For badge add --format badge."],
      ] as const
    ) {
      const { err } = await run(`-o ${name}`);
      assert.ok(err.replaceAll(/\s+/g, " ").includes(`${name} contains HTML. ${hint}`), err);
    }
    for (const name of ["page", "a.constructor", "a.json --format html"]) {
      assert.ok(!(await run(`-o ${name}`)).err.includes("contains HTML"));
    }
  }));

Deno.test("--fail-on with a kind of finding lists them, as failures in JUnit and errors in SARIF", () =>
  inShop(async () => {
    const failures = async (options = "") => {
      const { code, err } = await run(`--format junit=junit --format sarif=sarif ${options}`);
      const junit = await Deno.readTextFile("junit");
      const sarif = await Deno.readTextFile("sarif");
      const isFailed = junit.includes('type="finding"');
      assert.equal(sarif.includes('"level":"error"'), isFailed);
      return { code, err, isFailed };
    };
    const quiet = await failures();
    assert.deepEqual([quiet.code, quiet.isFailed], [0, false], quiet.err);
    assert.ok(quiet.err.includes("Enforced    0 of 5 rules proven (0%), 1 accepted"), quiet.err);
    assert.ok(quiet.err.includes("\nFindings: 1 rule not enforced\n"), quiet.err);
    assert.deepEqual((await failures("--fail-on server_error")).isFailed, false);
    for (const kind of ["keyword_not_enforced", "all"]) {
      const { code, isFailed, err } = await failures(`--fail-on ${kind}`);
      assert.deepEqual([code, isFailed], [1, true]);
      assert.ok(err.includes(`Failed on ${kind}:\n  GET /books: 1 request that only maximum`), err);
    }
  }));
