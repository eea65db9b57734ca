/**
 * Writes the sample reports as pages, to look at them in a browser.
 *
 *     deno run -A tests/browser/write_samples.ts <folder>
 *
 * @module
 */
import { generateHtmlReport } from "../../src/report/html_report.ts";
import { sampleReport } from "./sample_report.ts";

const folder = Deno.args[0] ?? ".";
await Deno.mkdir(folder, { recursive: true });
for (const kind of ["shop", "big", "hostile", "empty"] as const) {
  const report = sampleReport(kind);
  await Deno.writeTextFile(
    `${folder}/${kind}.html`,
    generateHtmlReport([{ name: undefined, report, input: {} }]),
  );
  await Deno.writeTextFile(`${folder}/${kind}.json`, JSON.stringify(report, null, 2));
}
