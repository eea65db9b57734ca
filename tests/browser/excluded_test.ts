import assert from "node:assert/strict";
import { openPage, test } from "./open_page.ts";

test("exclusions have a view with reasons, sources and stale ones", async () => {
  const page = await openPage("scoped", { hash: "#/excluded" });
  const rows = await page.locator(".exclusions tbody tr").allInnerTexts();
  assert.equal(rows.length, 3);
  assert.match(
    rows[0] ?? "",
    /^POST \/books[^]*Tested <elsewhere>[^]*covtool\.yaml:3[^]*1 operation/,
  );
  assert.match(rows[1] ?? "", /^keyword:type[^]*no reason given/);
  assert.match(rows[2] ?? "", /Seen daily[^]*stale[^]*was meant until 2020-01-31/);
  await page.click(".exclusions a >> nth=0");
  await page.waitForSelector("h1 >> text=/books");
  assert.match(
    await page.innerText(".heading"),
    /Excluded: Tested <elsewhere> \(covtool\.yaml:3\)/,
  );
  assert.equal(await page.locator(".dimension").count(), 0, "there is nothing to measure");
  assert.match(await page.innerText("main"), /Nothing: this operation is excluded\./);
});

test("excluded operations stay in the list, are counted separately, and can be filtered", async () => {
  const page = await openPage("scoped", { hash: "#/operations" });
  const all = await page.locator("tbody tr .row-title").count();
  const excluded = page.locator("tr.state-excluded");
  assert.equal(await excluded.count(), 1);
  assert.match(await excluded.innerText(), /Excluded: Tested <elsewhere>/);
  const counted = await page.innerText("nav a[aria-current] .nav-count");
  assert.equal(Number(counted), all - 1);
  await page.click(".chip >> text=Excluded");
  await page.waitForFunction(() => document.querySelectorAll("tbody .row-title").length === 1);
});

test("rules of an excluded operation are neither proven nor broken", async () => {
  const shown = [];
  for (const kind of ["described", "scoped"] as const) {
    const page = await openPage(kind, { hash: "#/operations" });
    await page.click("tbody a >> text=/^POST/");
    await page.waitForSelector("h1 >> text=/books");
    const closed = page.locator("main [aria-expanded=false]");
    while (await closed.count() > 0) await closed.first().click();
    shown.push(await page.locator(".rule-flags").allInnerTexts());
  }
  assert.deepEqual(shown, [["proven: 1 refused"], []]);
});

test("an undocumented status of an excluded operation is no alert", async () => {
  const list = await openPage("scoped", { hash: "#/operations" });
  const flags = list.locator(".flags:has-text('undocumented')");
  assert.deepEqual(await flags.allInnerTexts(), ["undocumented 200"]);
  const overview = await openPage("scoped");
  assert.match(await overview.innerText(".facts"), /Undocumented statuses\s+1 operation$/);
  await overview.click(".facts a >> text=1 operation");
  assert.equal(await overview.locator("tbody .row-title").count(), 1);
});
