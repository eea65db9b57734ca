import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** WCAG 2.2 at AA, and what axe calls good practice. */
const ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Only colours differ between the themes, so all other rules are tried in the light one alone. The last look is that of a
 * new page.
 */
const LOOKS = [
  { colorScheme: "light", width: 360, runOnly: ALL },
  { colorScheme: "dark", width: 1280, runOnly: ["color-contrast", "link-in-text-block"] },
  { colorScheme: "light", width: 1280, runOnly: ALL },
] as const;

/** What axe finds in a page in light colours, in dark ones and on a phone, and whether it is wider than its window. */
export async function axeProblems(page: Page, height = 900): Promise<string[]> {
  const problems: string[] = [];
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  for (const { colorScheme, width, runOnly } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // Nothing is described in detail but what fails, and styles aren't read again, as no script may from a disk.
    const options = { resultTypes: ["violations"], preload: false, runOnly };
    const { violations } = await page.evaluate(
      `axe.run(${JSON.stringify(options)})`,
    ) as { readonly violations: readonly Violation[] };
    const look = `${page.url()} ${colorScheme} ${width}`;
    problems.push(...violations.map(({ id, help, nodes }) => {
      const found = nodes.slice(0, 3).map(({ html, failureSummary }) =>
        `${html} ${failureSummary}`
      );
      return `${look}: ${id}, ${help}: ${found.join("\n")}`;
    }));
    const wide = await page.evaluate("document.documentElement.scrollWidth") as number;
    if (wide > width) problems.push(`${look}: ${wide} pixels wide`);
  }
  return problems;
}
