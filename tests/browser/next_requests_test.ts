// "Do these next" in the page: requests that can be copied, and gaps that lead to them.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, closeBrowser, openPage } from "./open_page.ts";

Deno.test.afterAll(closeBrowser);

async function copied(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement("textarea");
    field.id = "pasted";
    document.body.append(field);
    field.focus();
  });
  await page.keyboard.press("Control+V");
  return await page.inputValue("#pasted");
}

browserTest("requests of the overview are copied for curl, fetch and .http", async () => {
  const { page, complaints, requests } = await openPage("described");
  const first = page.locator(".suggestions > li").first();
  await first.getByRole("button", { name: "Copy as curl" }).click();
  await first.getByText("Copied as curl").waitFor();
  const curl = await copied(page);
  assert.match(curl, /^curl .*\/books/);
  await page.locator("#pasted").evaluate((field) => field.remove());
  await first.getByRole("button", { name: "Copy as fetch" }).click();
  await first.getByText("Copied as fetch").waitFor();
  assert.match(await copied(page), /^await fetch\(/);
  await page.locator("#pasted").evaluate((field) => field.remove());
  await first.getByRole("button", { name: "Copy as .http" }).press("Enter");
  await first.getByText("Copied as .http").waitFor();
  assert.match(await copied(page), /^(@SERVER|[A-Z]+ http)/);
  await first.getByText("Show the request").click();
  assert.equal(await first.locator("pre").innerText(), curl);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
  await page.context().close();
});

browserTest(
  "requests are copied where the page has no clipboard, and shown if that fails too",
  async () => {
    const { page } = await openPage("described");
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const first = page.locator(".suggestions > li").first();
    const button = first.getByRole("button", { name: "Copy as curl" });
    await button.click();
    await first.getByText("Copied as curl").waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Copy as curl",
    );
    assert.match(await copied(page), /^curl /);
    await page.evaluate(() => document.execCommand = () => false);
    await button.click();
    await first.getByText("The browser doesn't let the page copy").waitFor();
    assert.match(await first.locator("pre").innerText(), /^curl /);
    await page.context().close();
  },
);

browserTest("gaps lead to the request that closes them", async () => {
  const { page } = await openPage("described", { hash: "#/gaps?open=0.1.2" });
  const link = page.getByRole("link", { name: /^Request for/ }).first();
  await link.click();
  await page.waitForSelector(".operation-page");
  const focused = await page.evaluate(() => document.activeElement?.id ?? "");
  assert.match(focused, /^q\d+$/);
  assert.match(await page.locator(`#${focused}`).innerText(), /Closes \d+ gap/);
  await page.context().close();
});
