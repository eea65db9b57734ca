import axe from "axe-core";
import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";
import { generateUsageHtmlReport } from "../../src/report/usage/usage_html_report.ts";
import { PRODUCTION, TESTS, usageOf } from "../report/usage_sample.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";

let browser: Browser | undefined;

Deno.test.afterAll(async () => {
  await browser?.close();
});

const REPORT = usageOf(TESTS, PRODUCTION);
const PAGE = generateUsageHtmlReport({
  ...REPORT,
  untested: Array.from({ length: 12 }, () => REPORT.untested).flat().concat(
    REPORT.unused,
    REPORT.untested.slice(0, 30),
  ),
  unused: Array.from({ length: 25 }, () => REPORT.unused).flat(),
  not_measured: [{ side: "production", part: "request_headers" }],
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 375]) {
    Deno.test({
      ...needing(
        NEEDS_CHROMIUM,
        `the page that compares use with tests breaks no rule of WCAG 2.2 AA (${colorScheme}, ${width} pixels)`,
      ),
      sanitizeOps: false,
      sanitizeResources: false,
      fn: async () => {
        browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true, // for axe alone, which is a script
        });
        try {
          const page = await context.newPage();
          await page.setContent(PAGE);
          for (const summary of await page.locator("summary").all()) await summary.click();
          await page.evaluate(axe.source);
          const rules =
            '{"runOnly":["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]}';
          const { violations } = await page.evaluate(`axe.run(document, ${rules})`) as {
            readonly violations: readonly { readonly id: string; readonly nodes: unknown[] }[];
          };
          assert.deepEqual(violations, []);
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          assert.ok(Number(wide) <= width, `the page is ${wide} pixels wide`);
        } finally {
          await context.close();
        }
      },
    });
  }
}
