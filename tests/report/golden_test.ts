// The report of one small recording in every format, compared with the files of tests/fixtures/golden, and with a scope.
import assert from "node:assert/strict";
import process from "node:process";
import { withoutCode } from "../../scripts/compare_outputs.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { ScopeEntry } from "../../src/map/scope_entry.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { VERSION } from "../../src/values/version.ts";

/** The folders with the expected files, and what is left out there beside what the description says. */
const FOLDERS: Readonly<Record<string, readonly (string | ScopeEntry)[]>> = {
  "tests/fixtures/golden": [],
  "tests/fixtures/golden_scope": [
    { pattern: "response:404", reason: "The gateway sends it.", source: "covtool.yaml:3" },
    "keyword:enum",
    "tag:order",
  ],
};
const TRAFFIC = `${ROOT}/tests/fixtures/golden/traffic.json`;
/** Set it to anything to write the files instead of comparing with them. */
const UPDATE = "COVTOOL_UPDATE_GOLDEN";
const NEWS = `The report has changed. If it ought to, run this test with ${UPDATE}=1, ` +
  "look at the difference and commit it.";

/** What does not change when only the page's code or covtool's version does. */
function comparable(text: string): string {
  return text.replace(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, withoutCode)
    .replace(/sha256-[\w+/=]+/g, "sha256-")
    .replace(/("covtool_hits":.*"checksum":)"[^"]*"/, '$1"CHECKSUM"')
    .replaceAll(VERSION, "VERSION");
}

const CASES = Object.entries(FOLDERS).flatMap(([folder, exclude]) =>
  REPORTERS.map((reporter) => ({ ...reporter, folder, exclude }))
);

for (const { name, file, write, folder, exclude } of CASES) {
  Deno.test(`the ${name} report is what ${file} in ${folder} says`, async () => {
    const before = Deno.cwd();
    Deno.chdir(ROOT); // Paths in reports are relative to it.
    try {
      const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`, { exclude });
      const { interactions } = JSON.parse(await Deno.readTextFile(TRAFFIC));
      for (const { request, response, timestamp } of interactions) {
        map.record(request, response, timestamp);
      }
      const report = map.report({ generatedAt: "2026-01-31T12:00:00Z" });
      const source = () => map.sourceCoverage(report);
      const view = () => map.descriptionView(report);
      const hits = () => map.exportHits();
      const written = comparable([...write(report, { source, view, hits })].join(""));
      if (process.env[UPDATE] !== undefined) await Deno.writeTextFile(`${folder}/${file}`, written);
      assert.equal(written, await Deno.readTextFile(`${folder}/${file}`), NEWS);
    } finally {
      Deno.chdir(before);
    }
  });
}
