import assert from "node:assert/strict";
import { browserTest, closeBrowser, openPage } from "./open_page.ts";
import { ATTACK } from "./sample_report.ts";

Deno.test.afterAll(closeBrowser);

browserTest("the page of several APIs begins with all of them and leads to each", async () => {
  const { page, complaints, requests } = await openPage("apis");
  assert.equal(await page.title(), "Platform · API coverage");
  const names = page.locator(".apis tbody th a:first-child");
  assert.deepEqual(await names.allInnerTexts(), ["Library", "Shop", ATTACK]);
  assert.deepEqual(await page.locator(".apis tbody th a[href$='/findings']").allInnerTexts(), [
    "4 findings",
  ]);
  await page.click(".apis >> text=Library");
  await page.waitForSelector(".dimensions");
  assert.equal(await page.title(), "Overview · Library · API coverage");
  await page.click("nav >> text=Operations");
  await page.click("a[href$='operation/GET:/books']");
  await page.waitForSelector("h2:text-is('Source')");
  assert.match(page.url(), /#\/~Library\/operation\/GET:\/books$/);
  await page.click("text=All APIs");
  await page.waitForSelector(".apis");
  await page.click(".apis tbody tr:nth-child(3) th a:first-child");
  await page.waitForSelector(".dimensions");
  await page.goBack();
  await page.waitForSelector(".apis");
  await page.goBack();
  await page.waitForSelector("h2:text-is('Source')");
  assert.deepEqual([complaints, requests], [[], []]);
  await page.close();
});

browserTest("a link into one of several APIs opens there", async () => {
  const { page } = await openPage("apis", { hash: "#/~Shop/gaps" });
  await page.waitForSelector("nav [aria-current] >> text=Gaps");
  assert.equal(await page.title(), "Gaps · Shop API · API coverage");
  assert.equal(await page.innerText(".brand"), "Shop API");
  await page.close();
});
