import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeProblems } from "../axe_problems.ts";
import { openPage, type PageKind, test } from "./open_page.ts";

/** Views of each sample: `described` shows a description beside its report, `scoped` shows exclusions. */
const VIEWS: Partial<Readonly<Record<PageKind, readonly string[]>>> = {
  shop: [
    ...[
      "#/",
      "#/operations",
      "#/operations?q=nothing+matches",
      "#/operation/PATCH:/books/{book_id}",
    ],
    ...["#/operation/DELETE:/books/{book_id}", "#/gaps?open=1.2", "#/unmatched", "#/diagnostics"],
  ],
  described: [
    ...["#/", "#/operation/GET:/books", "#/operation/POST:/books?at=k0.3"],
    ...["#/operation/POST:/books?at=l0.59", "#/findings"],
  ],
  scoped: ["#/operations", "#/excluded"],
  roles: ["#/access", "#/operation/GET:/r0/{id}"],
  apis: ["#/", "#/~Library"],
  usage: ["#/"],
};

/** Opens everything that can be opened. */
async function openAll(page: Page): Promise<void> {
  const closed = page.locator(
    ".source-part button[aria-expanded=false], main details:not([open]) > summary",
  );
  while (await closed.count() > 0) await closed.first().dispatchEvent("click");
}

/** Navigates like a link. Loading the page again would take seconds with axe. */
async function lead(page: Page, hash: string): Promise<void> {
  // The page's own listener ran first, so the view has been drawn.
  const drawn =
    "new Promise((drawn) => addEventListener('hashchange', () => drawn(), { once: true }))";
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}; ${drawn}`);
}

for (const [kind, hashes = []] of Object.entries(VIEWS) as [PageKind, readonly string[]][]) {
  test(`axe finds no problem in light and dark colours and on a phone, and everything fits: ${kind}`, async () => {
    const page = await openPage(kind, { hash: hashes[0] ?? "", bypassCSP: kind === "usage" });
    for (const [index, hash] of hashes.entries()) {
      if (index > 0) await lead(page, hash);
      if (kind === "described" && hash.startsWith("#/operation/")) {
        await page.waitForSelector(".source-part");
      }
      if (kind === "described" || kind === "usage") await openAll(page);
      // High enough for everything, because the bar of gaps covers content that could be scrolled.
      assert.deepEqual(await axeProblems(page, kind === "described" ? 6000 : 900), []);
    }
  });
}

test("every link of a suggestion is 24 pixels high, also on a phone", async () => {
  for (const width of [1280, 390]) {
    const page = await openPage("shop", { hash: "#/", viewport: { width, height: 900 } });
    await page.waitForSelector(".suggestions a");
    const heights = await page.evaluate(
      `[...document.querySelectorAll(".suggestions a")].map((a) => a.getBoundingClientRect().height)`,
    ) as readonly number[];
    assert.ok(heights.every((height) => height >= 24), heights.join(" "));
  }
});

test("axe finds no problem in the list of keys", async () => {
  const page = await openPage("described");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help");
  assert.deepEqual(await axeProblems(page), []);
});

test("the first tab stop skips to the content", async () => {
  const page = await openPage("shop");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  assert.doesNotMatch(page.url(), /#main/);
});

test("a new view takes the focus and sets the window's title", async () => {
  const page = await openPage("shop");
  await page.click("nav >> text=Gaps");
  await page.locator("main:focus").waitFor();
  assert.match(await page.title(), /^Gaps · Shop API/);
});

test("states are shown in words, not only by colour", async () => {
  const page = await openPage("shop", { hash: "#/operations" });
  const states = await page.locator("tbody .row-name .mark").allTextContents();
  assert.ok(states.length > 0 && states.every((text) => /not covered|partial|full/.test(text)));
});
