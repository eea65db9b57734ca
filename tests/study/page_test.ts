import assert from "node:assert/strict";
import { ROOT } from "../../scripts/source_files.ts";
import { type Analysis, analyze } from "./analysis.ts";
import { fillPage, makePage } from "./page.ts";
import { readResults } from "./results.ts";

Deno.test("the page's numbers and pictures follow from the raw results", () => {
  const results = readResults();
  const { analysis } = results;
  assert.ok(analysis);
  assert.deepEqual(withoutIntervals(analysis), withoutIntervals(analyze(results, 0)));
  const { sections, pictures } = makePage(results, analysis);
  const page = Deno.readTextFileSync(`${ROOT}/docs/evidence.md`);
  assert.equal(fillPage(page, sections), page);
  for (const [name, picture] of Object.entries(pictures)) {
    assert.equal(Deno.readTextFileSync(`${ROOT}/docs/images/${name}`), picture);
  }
});

/** What doesn't need bootstrap samples, which take minutes. */
function withoutIntervals(analysis: Analysis): unknown {
  return JSON.parse(JSON.stringify(analysis, (_, value) => {
    if (typeof value === "number") return Number(value.toPrecision(9));
    return value?.low === undefined ? value : value.value;
  }));
}
