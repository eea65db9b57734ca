import assert from "node:assert/strict";
import type { Report } from "../../src/report/report.ts";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { runCovtool } from "./fake_host.ts";
import { inShop, reportShop } from "./shop_files.ts";

async function run(options: string | readonly string[], epoch = "1780000000") {
  const variables = { SOURCE_DATE_EPOCH: epoch, NO_COLOR: "1" };
  return await reportShop(options, { columns: 200, variables });
}

async function runForReport(...options: readonly string[]): Promise<Report> {
  const { out } = await run(["--format", "json", ...options]);
  return JSON.parse(out) as Report;
}

Deno.test("--exclude leaves operations out of numbers, thresholds and the table, and lists them", () =>
  inShop(async () => {
    const report = await runForReport("--exclude", "POST /**");
    assert.deepEqual(schemaProblems(report), []);
    assert.equal(report.exclusions?.length, 1);
    assert.equal(report.exclusions[0]?.source, "command line");
    assert.equal(report.summary.operations.total, 1);
    assert.equal(report.operations.length, 2);
    assert.equal(report.operations.filter(({ excluded }) => excluded === 0).length, 1);
    await fails(run("--format text --fail-under-operations 100"));
    const passing = await succeeds(run([
      ...["--format", "text", "--fail-under-operations", "100", "--exclude", "POST /**"],
    ]));
    assert.match(
      passing.out,
      /\nExcluded: 1 exclusion\n {2}POST \/\*\* \(command line\)\n {4}leaves out 1 operation/,
    );
    assert.match(passing.out, /\nTotal of 1 operation /);
    assert.doesNotMatch(passing.out, /\nPOST /);
    const uncalled = await run(["--format", "text", "--exclude", "GET /**"]);
    assert.match(uncalled.out, /\nPOST \/books +0 [^]*\nTotal of 1 operation +0 /);
  }));

Deno.test("--include measures only what matches", () =>
  inShop(async () => {
    const report = await runForReport("--include", "GET /**");
    assert.equal(report.summary.operations.total, 1);
    assert.equal(report.exclusions?.[0]?.pattern, "not included");
  }));

Deno.test("excluding every operation causes a warning, and fails a run with thresholds", () =>
  inShop(async () => {
    const scope = "--include tag:shop --format json";
    const warned = await succeeds(run(scope));
    assert.match(warned.err, /Warning: Every operation is excluded, so nothing is measured\./);
    const { err } = await fails(
      run(`${scope} --fail-under-operations 90`),
      /^Warning: Every operation is excluded, [^]*\nThreshold not met:\n {2}operations: not measured/,
    );
    assert.equal(err.split("Every operation is excluded").length, 2, "it is said once");
    assert.match(err, /Warning: The include pattern "tag:shop" \(command line\) matches nothing\./);
  }));

Deno.test("a pattern that matches nothing causes a warning, or a failure with --fail-on stale-exclusions", () =>
  inShop(async () => {
    const options = ["--format", "json", "--exclude", "GET /book"];
    const sentence =
      'The exclusion "GET /book" (command line) matches nothing. Did you mean GET /books?';
    const warned = await succeeds(run(options));
    assert.ok(warned.err.includes(`Warning: ${sentence}`), warned.err);
    const failed = await fails(run([...options, "--fail-on", "stale-exclusions"]));
    assert.ok(failed.err.includes(`Failed on stale-exclusions:\n  ${sentence}\n`), failed.err);
    assert.ok(!failed.err.includes("Warning: The exclusion"), "it is said once");
    assert.ok(failed.err.endsWith("covtool: exit 1: requirements not met (stale-exclusions)\n"));
  }));

Deno.test("the error about a malformed pattern suggests a valid one", () =>
  inShop(async () => {
    const { err } = await fails(
      run(["--exclude", "GET books"]),
      /--exclude: "GET books" is not a pattern\. Did you mean GET \/books\? Patterns are /,
    );
    assert.ok(err.endsWith(ERROR_EXIT));
  }));

Deno.test("x-covtool-ignore is listed with its file and line, and its date follows SOURCE_DATE_EPOCH", () =>
  inShop(async () => {
    const path = "openapi.yaml";
    const text = await Deno.readTextFile(path);
    const mark = 'post:\n      x-covtool-ignore: { reason: Not ours, until: "2026-05-28" }\n';
    const marked = text.replace("post:\n", mark);
    assert.notEqual(marked, text);
    await Deno.writeTextFile(path, marked);
    const line = marked.slice(0, marked.indexOf("x-covtool-ignore")).split("\n").length;
    const [exclusion] = (await runForReport()).exclusions ?? [];
    assert.equal(exclusion?.source, `${path}:${line}`);
    assert.equal(exclusion?.reason, "Not ours");
    assert.equal(exclusion?.stale, null);
    const later = await run("--format text", "1780090000");
    assert.match(later.err, /\(openapi\.yaml:\d+\) was meant until 2026-05-28\./);
    const variables = { SOURCE_DATE_EPOCH: "1780090000" };
    const checked = await succeeds(runCovtool("check openapi.yaml", { variables }));
    assert.match(checked.out, /\(openapi\.yaml:\d+\) was meant until 2026-05-28\./);
    const markdown = (await run("--format markdown")).out;
    assert.match(markdown, /<summary>Excluded: 1 exclusion<\/summary>[^]*Not ours/);
    const junit = (await run("--format junit")).out;
    assert.match(junit, /tests="7"[^]*<skipped message="Not ours"\/>/);
    const sarif = JSON.parse((await run("--format sarif")).out);
    const [{ level, message }] = sarif.runs[0].invocations[0].toolExecutionNotifications;
    assert.equal(level, "note");
    assert.match(
      message.text,
      /^Excluded: x-covtool-ignore at \/paths\/\S+ \(.*\): Not ours\. It leaves out 1 operation/,
    );
    const lcov = (await run("--format lcov")).out;
    assert.match(lcov, /FNF:1\n/);
    assert.doesNotMatch(lcov, /FN:\d+,POST/);
  }));
