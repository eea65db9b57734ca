// Tests "Do these next" in the page: requests that can be copied, and gaps that link to them.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openPage, test } from "./open_page.ts";

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

test("requests in the overview can be copied for curl, fetch and .http", async () => {
  const page = await openPage("described");
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
});

test("requests can be copied as tests for the runner in the config", async () => {
  const page = await openPage("tests");
  const first = page.locator(".suggestions > li").first();
  await first.getByRole("button", { name: "Copy as a test for vitest" }).click();
  await first.getByText("Copied as a test for vitest.").waitFor();
  const text = await copied(page);
  assert.match(text, /^import \{ expect, test \} from "vitest";\n/);
  assert.equal(text.match(/^test\("/gm)?.length, 1);
});

test(
  "requests can be copied if the page has no clipboard, and are shown if that fails too",
  async () => {
    const page = await openPage("described");
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
  },
);

test("gaps link to the request that closes them", async () => {
  const page = await openPage("described", { hash: "#/gaps?open=0.1.2" });
  const link = page.getByRole("link", { name: /^Request for/ }).first();
  await link.click();
  await page.waitForSelector(".operation-page");
  const focused = await page.evaluate(() => document.activeElement?.id ?? "");
  assert.match(focused, /^q\d+$/);
  assert.match(await page.locator(`#${focused}`).innerText(), /Closes (half of )?\d+ gap/);
});

test("gaps in the schema tree and in examples link to their request", async () => {
  for (const [operation, table] of [["POST:/books", ".keywords"], ["GET:/books", ".examples"]]) {
    const page = await openPage("described", { hash: `#/operation/${operation}` });
    await page.locator(`${table} a`, { hasText: /^Request$/ }).first().click();
    await page.waitForFunction(() => /^q\d+$/.test(document.activeElement?.id ?? ""));
  }
});

test("if a report has no request for a gap, the command that finds one can be copied", async () => {
  const page = await openPage("large", { hash: "#/operation/POST:/items/0" });
  const command = "covtool suggest description --operation 'POST /items/0'";
  assert.equal(await page.locator(".more-requests code").innerText(), command);
  await page.getByRole("button", { name: "Copy the command" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
  assert.equal(await copied(page), command);
});

test("operations that were never called have a request in large APIs too", async () => {
  const page = await openPage("large", { hash: "#/operation/POST:/items/150" });
  const first = page.locator(".suggestions > li").first();
  await first.locator("summary").click();
  assert.match(await first.locator("pre").innerText(), /^curl .*\$SERVER.*\/items\/150/);
  assert.match(await page.locator(".more-requests").innerText(), /^Requests for the other gaps/);
  await page.goto(page.url().replace(/#.*/, "#/gaps?open=1"));
  await page.locator(".gap-list a", { hasText: /^Request$/ }).first().waitFor();
});

test("what to do next is above the fold, also on a phone", async () => {
  for (const [width, height, item] of [[1280, 800, 2], [390, 844, 1]] as const) {
    const page = await openPage("described", { viewport: { width, height } });
    const heading = page.locator(".suggestions > li .operation-link, .suggestions > li a");
    const box = await page.locator(".suggestions > li").nth(item - 1).boundingBox();
    assert.ok(await heading.count() > 0);
    assert.ok(box !== null && box.y + 20 < height, `${width}: ${box?.y}`);
  }
});
