// Compares reports of one small recording in all formats with tests/fixtures/golden*: plain, with a scope, a baseline.
import { ROOT } from "../../scripts/source_files.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { ScopeEntry } from "../../src/map/scope_pattern.ts";
import { readBaseReport } from "../../src/report/base_report.ts";
import { compareReports } from "../../src/report/comparison/compare_reports.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { assertGolden } from "./assert_golden.ts";

/** Input for the reports of a folder. */
interface Golden {
  /** Exclusions in addition to those of the description. */
  readonly exclude?: readonly (string | ScopeEntry)[];
  /** The JSON report to compare with. */
  readonly baseline?: string;
  /** Number of interactions to skip at the beginning (default: none). */
  readonly skipped?: number;
  /** Default: all formats. */
  readonly formats?: readonly string[];
}

/** Folders with the expected files. */
const FOLDERS: Readonly<Record<string, Golden>> = {
  "tests/fixtures/golden": {},
  "tests/fixtures/golden_scope": {
    exclude: [
      { pattern: "response:404", reason: "The gateway sends it.", source: "covtool.yaml:3" },
      "keyword:enum",
      "tag:order",
    ],
  },
  "tests/fixtures/golden_baseline": {
    baseline: "tests/fixtures/golden/coverage.json",
    skipped: 1,
    formats: ["html", "json", "text", "markdown", "sarif", "junit"],
  },
};
const TRAFFIC = `${ROOT}/tests/fixtures/golden/traffic.json`;
const CASES = Object.entries(FOLDERS).flatMap(([folder, golden]) =>
  REPORTERS.filter(({ name }) => golden.formats?.includes(name) ?? true)
    .map((reporter) => ({ ...reporter, folder, ...golden }))
);

for (const { name, file, write, folder, exclude, baseline, skipped } of CASES) {
  Deno.test(`the ${name} report equals ${file} in ${folder}`, async () => {
    const before = Deno.cwd();
    Deno.chdir(ROOT); // paths in reports are relative to it
    try {
      const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`, { exclude: exclude ?? [] });
      const { interactions } = JSON.parse(await Deno.readTextFile(TRAFFIC));
      for (const { request, response, timestamp } of interactions.slice(skipped ?? 0)) {
        map.record(request, response, timestamp);
      }
      const measured = map.report({ generatedAt: "2026-01-31T12:00:00Z" });
      const report = baseline === undefined ? measured : {
        ...measured,
        comparison: compareReports(
          measured,
          readBaseReport(JSON.parse(await Deno.readTextFile(baseline))),
        ),
      };
      const input = {
        source: () => map.sourceCoverage(report),
        view: () => map.descriptionView(report),
        hits: () => map.exportHits(),
        proposals: () => [map.generateReport({ format: "overlay" })],
        next: () => map.nextRequests(report),
      };
      const written = [...write([{ name: undefined, report, input }])].join("");
      await assertGolden(`${folder}/${file}`, written);
    } finally {
      Deno.chdir(before);
    }
  });
}
