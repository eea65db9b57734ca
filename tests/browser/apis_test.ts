import assert from "node:assert/strict";
import { openPage, test } from "./open_page.ts";
import { ATTACK } from "./sample_report.ts";

test("the page of several APIs begins with an overview of all, with links to each", async () => {
  const page = await openPage("apis");
  assert.equal(await page.title(), "Platform · API coverage");
  const names = page.locator(".apis tbody th a:first-child");
  assert.deepEqual(await names.allInnerTexts(), ["Library", "Shop", ATTACK]);
  assert.deepEqual(await page.locator(".apis tbody a[href$='/findings']").allInnerTexts(), [
    ...["4", "0", "0"],
  ]);
  assert.equal(await page.locator("main:focus").count(), 0);
  await page.click(".apis >> text=Library");
  await page.waitForSelector("main:focus .figures");
  assert.equal(await page.title(), "Overview · Library · API coverage");
  await page.click("nav >> text=Operations");
  await page.click("a[href$='operation/GET:/books']");
  await page.waitForSelector("h2:text-is('Source')");
  assert.match(page.url(), /#\/~Library\/operation\/GET:\/books$/);
  await page.click("text=All APIs");
  await page.waitForSelector("main:focus .apis");
  await page.click(".apis tbody tr:nth-child(3) th a:first-child");
  await page.waitForSelector(".figures");
  await page.goBack();
  await page.waitForSelector(".apis");
  await page.goBack();
  await page.waitForSelector("h2:text-is('Source')");
});

test("a link into one of several APIs opens there", async () => {
  const page = await openPage("apis", { hash: "#/~Shop/gaps" });
  await page.waitForSelector("nav [aria-current] >> text=Gaps");
  assert.equal(await page.title(), "Gaps · Shop API · API coverage");
  assert.equal(await page.innerText(".brand"), "Shop API");
});

test("what changed since the baseline leads to the same API's lists", async () => {
  const page = await openPage("apis", { hash: "#/~Shop" });
  await page.click(".changes a >> nth=0");
  await page.waitForSelector("nav [aria-current] >> text=Gaps");
  assert.match(page.url(), /#\/~Shop\/gaps\?since=new$/);
});

test("the verdict is above the numbers of all APIs, and of each", async () => {
  const page = await openPage("apis");
  const verdict = page.getByRole("region", { name: "Verdict" });
  const failed = { overall: await verdict.innerText(), ofShop: "" };
  assert.match(
    failed.overall,
    /^Failed: 1 of 2 requirements not met\n+Shop: [^]*responses\n1 requirement met/,
  );
  const cells = page.locator(".apis tbody td:nth-child(9)");
  assert.deepEqual(await cells.allInnerTexts(), ["–", "1 of 2", "–"]);
  await page.click(".apis >> text=Shop");
  await page.waitForSelector(".figures");
  failed.ofShop = await verdict.innerText();
  assert.match(
    failed.ofShop,
    /^Failed: 1 of 2 .*\n+[^]*responses\n1 requirement met\n+Since the baseline: keywords −2\.5 points$/,
  );
  const [answer, numbers] = await Promise.all(
    [verdict, page.locator(".figures")].map((part) => part.boundingBox()),
  );
  assert.ok(answer && numbers && answer.y + answer.height <= numbers.y);
  await verdict.getByText("1 requirement met").click();
  assert.match(await verdict.innerText(), /operations/);
});

test("on a phone, each API shows all its numbers with labels", async () => {
  const page = await openPage("apis", { viewport: { width: 390, height: 800 } });
  for (const cell of await page.locator(".apis tbody td").all()) {
    const box = await cell.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, await cell.innerText());
    assert.ok(await cell.getAttribute("data-label"));
  }
});

test("column heads sort the rows, also by keyboard, and announce it", async () => {
  const page = await openPage("apis");
  const names = page.locator(".apis tbody th a:first-child");
  const head = page.locator(".apis thead th", { hasText: "Findings" });
  assert.equal(await head.getAttribute("aria-sort"), null);
  await page.getByRole("button", { name: "API", exact: true }).click();
  assert.deepEqual(
    await names.allInnerTexts(),
    [ATTACK, "Library", "Shop"].sort((a, b) => a.localeCompare(b)),
  );
  await page.getByRole("button", { name: "Findings" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  assert.equal((await names.allInnerTexts())[0], "Library");
  await page.keyboard.press("Enter");
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.equal((await names.allInnerTexts())[2], "Library");
  await page.keyboard.press("Enter");
  assert.equal(await head.getAttribute("aria-sort"), null);
  assert.deepEqual(await names.allInnerTexts(), ["Library", "Shop", ATTACK]);
});
