import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** WCAG 2.2 at level AA, and axe's best practices. */
const ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The themes differ only in colours, so all other rules are only checked in the light theme. The last look equals that
 * of a new page.
 */
const LOOKS = [
  { colorScheme: "light", width: 360, runOnly: ALL },
  { colorScheme: "dark", width: 1280, runOnly: ["color-contrast", "link-in-text-block"] },
  { colorScheme: "light", width: 1280, runOnly: ALL },
] as const;

/** Problems that axe finds in light colours, in dark colours and on a phone, and overflow of the window. */
export async function axeProblems(page: Page, height = 900): Promise<string[]> {
  const problems: string[] = [];
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  for (const { colorScheme, width, runOnly } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // Only failures are described in detail, and styles aren't loaded again, because scripts can't read local files.
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
