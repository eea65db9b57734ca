import assert from "node:assert/strict";
import { openPage, test } from "./open_page.ts";

test("the matrix of 20 identities and 1,000 operations is grouped by tag, and can be sorted", async () => {
  const page = await openPage("access", { hash: "#/access" });
  await page.waitForSelector(".access-matrix tbody tr >> nth=20");
  assert.equal(await page.locator(".access-matrix thead th").count(), 22);
  assert.match(
    await page.innerText(".access-matrix .group-head >> nth=0"),
    /Tag 0\s*250 operations/,
  );
  const row = page.locator(".access-matrix tbody tr", { hasText: "/r0/{id}" }).first();
  const cells = await row.locator("td").allInnerTexts();
  assert.match(cells[0] ?? "", /to refuse/);
  assert.match(cells[1] ?? "", /allowed[^]*to refuse[^]*objects of others/);
  assert.match(cells[2] ?? "", /to allow[^]*allowed[^]*objects of others/);
  assert.match(cells[3] ?? "", /refused/);
  // Screen readers get what colour and shape show.
  const heard = await row.locator("td >> nth=2").evaluate((cell) => cell.textContent);
  assert.match(heard ?? "", /to allow, not tried/);
  assert.match(heard ?? "", /allowed, should be refused/);
  // With the keyboard: column heads sort, worst first.
  await page.focus(".access-matrix thead th:nth-child(4) button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".access-matrix.sorted");
  assert.match(await page.innerText(".access-matrix tbody tr >> nth=0"), /\/r0\/\{id\}/);
  // The operation stays visible beside the last identity.
  await page.locator(".scroll").evaluate((region) => region.scrollLeft = 10_000);
  assert.ok((await page.locator(".access-matrix tbody th >> nth=0").boundingBox())?.x ?? -1 >= 0);
  await page.click(".access-matrix tbody th a >> nth=0");
  await page.waitForSelector("h2 >> text=Who may do it?");
});
