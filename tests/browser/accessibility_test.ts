import axe from "axe-core";
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { closeBrowser, openPage, type PageKind, test } from "./open_page.ts";

Deno.test.afterAll(closeBrowser);

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const VIEWS = [
  ...["#/", "#/operations", "#/operations?q=nothing+matches", "#/operation/POST:/users"],
  ...["#/operation/DELETE:/users/{user_id}", "#/gaps?open=1.2", "#/unmatched", "#/diagnostics"],
];

/** The views that show a description beside its report. */
const DESCRIBED = [
  ...["#/", "#/operation/GET:/books", "#/operation/POST:/books?at=k0.3"],
  ...["#/operation/POST:/books?at=l0.59", "#/findings"],
];

/** The views that show what is excluded. */
const SCOPED = ["#/operations", "#/excluded"];

/** The views that show who may do what. */
const ACCESS = ["#/access", "#/operation/GET:/r0/{id}"];

/** The views of several APIs. */
const APIS = ["#/", "#/~Library"];

/** WCAG 2.2 at AA, and what axe calls good practice; nothing is described in detail but what fails. */
const RULES = JSON.stringify({
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
});

/** Everything that opens, opened. */
async function openAll(page: Page): Promise<void> {
  const closed = page.locator(".source-part button[aria-expanded=false]");
  while (await closed.count() > 0) await closed.first().click();
  for (const summary of await page.locator("main summary").all()) await summary.click();
}

async function findings(
  kind: PageKind,
  hash: string,
  colorScheme: "light" | "dark",
  width: number,
): Promise<string[]> {
  const { page } = await openPage(kind, {
    hash,
    colorScheme,
    // High enough for all of it: what lies under the bar of the gaps just now can be scrolled out of there.
    viewport: { width, height: kind === "described" ? 6000 : 900 },
  });
  if (kind === "described" && hash.startsWith("#/operation/")) {
    await page.waitForSelector(".source-part");
  }
  if (kind === "described") await openAll(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(`axe.run(document, ${RULES})`) as {
    readonly violations: readonly Finding[];
  };
  return violations.map(({ id, help, nodes }) =>
    `${hash} ${colorScheme} ${width}: ${id}, ${help}: ${
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")
    }`
  );
}

/** Colours do not depend on the width, so the narrow layout is looked at in one theme. */
const LOOKS = [["light", 1280], ["dark", 1280], ["light", 390]] as const;

for (const [colorScheme, width] of LOOKS) {
  test(`axe finds nothing at ${width} pixels in ${colorScheme} colours`, async () => {
    const all: string[] = [];
    for (const hash of VIEWS) all.push(...await findings("shop", hash, colorScheme, width));
    for (const hash of DESCRIBED) {
      all.push(...await findings("described", hash, colorScheme, width));
    }
    for (const hash of SCOPED) all.push(...await findings("scoped", hash, colorScheme, width));
    for (const hash of ACCESS) all.push(...await findings("access", hash, colorScheme, width));
    for (const hash of APIS) all.push(...await findings("apis", hash, colorScheme, width));
    assert.deepEqual(all, []);
  });
}

test("axe finds nothing in the list of keys", async () => {
  const { page } = await openPage("described");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help");
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(`axe.run(document, ${RULES})`) as {
    readonly violations: readonly Finding[];
  };
  assert.deepEqual(violations.map(({ id }) => id), []);
});

test("the first stop of the keyboard skips to the content", async () => {
  const { page } = await openPage("shop");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  assert.doesNotMatch(page.url(), /#main/);
});

test("a new view takes the focus and names the window", async () => {
  const { page } = await openPage("shop");
  await page.click("nav >> text=Gaps");
  await page.locator("main:focus").waitFor();
  assert.match(await page.title(), /^Gaps · Shop API/);
});

test("states are shown by words, not by colour alone", async () => {
  const { page } = await openPage("shop", { hash: "#/operations" });
  const states = await page.locator("tbody .row-name .mark").allTextContents();
  assert.ok(states.length > 0 && states.every((text) => /not covered|partial|full/.test(text)));
});
