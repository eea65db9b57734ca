import assert from "node:assert/strict";
import { findLine } from "./described_map.ts";
import { openPage, test } from "./open_page.ts";

test(
  "findings have a view by kind, with the line of the rule and how to reproduce them",
  async () => {
    const page = await openPage("described", { hash: "#/findings" });
    const titles = await page.locator("main h2").allInnerTexts();
    assert.deepEqual(titles, [
      "Rules that are not enforced",
      "Undocumented statuses",
      "Undocumented bodies",
    ]);
    const rule = page.locator(".finding", { hasText: "makes invalid" });
    await rule.locator(".line-link").waitFor();
    assert.match(
      await rule.innerText(),
      /^GET\s+\/attacks[^]*1 request that only enum of query q makes invalid was accepted with 200\.[^]*line \d+ · for example GET \/attacks[^ ]* \(200\) · first seen 2023-11-14[^]*To see it again, break only this rule\. Send an unlisted value\./,
    );
    await rule.locator("a >> text=enum").click();
    await page.waitForSelector("tr.target >> text=accepted although invalid: 1");
  },
);

test("the line of a finding links to the description", async () => {
  const page = await openPage("described", { hash: "#/findings?kind=keyword_not_enforced" });
  const line = page.locator(".finding .line-link");
  await line.waitFor();
  assert.equal(await page.locator(".finding").count(), 1);
  const number = Number(await line.innerText());
  assert.equal(number, findLine("  /attacks:") + 8);
  await line.click();
  await page.waitForSelector(".source-part .target");
});

test("keywords show if they are enforced, and operations show their findings", async () => {
  const page = await openPage("described", { hash: "#/operation/POST:/books" });
  assert.match(
    await page.locator("section", { has: page.locator("h2 >> text=Findings") }).innerText(),
    /Status 400 came once and isn't documented\./,
  );
  const row = page.locator("tr.keyword", { hasText: "maxLength" });
  assert.match(await row.innerText(), /proven: 1 refused/);
  assert.equal(await page.locator("tr.keyword", { hasText: "proven" }).count(), 1);
  assert.match(await page.innerText(".figures"), /Enforcement[^]*1 of \d+ rules proven/);
});

test("the overview counts findings and links to them", async () => {
  const page = await openPage("described");
  await page.click(".notices a >> text=rule not enforced");
  await page.waitForSelector("h1 >> text=Findings");
  assert.equal(await page.locator(".finding").count(), 1);
  await page.click("main a >> text=How they are found");
  await page.waitForSelector("#findings");
  assert.match(await page.innerText("main"), /Never alone: values failed the rule/);
});

test("findings can be searched by operation and sentence", async () => {
  const page = await openPage("described", { hash: "#/findings?q=status%20400" });
  assert.equal(await page.locator(".finding").count(), 1);
  await page.fill("input[type=search]", "nothing like it");
  await page.waitForSelector("text=No finding matches.");
});

test(
  "undocumented properties follow the findings, and operations show counts of credentials",
  async () => {
    const page = await openPage("lies", { hash: "#/findings" });
    const section = page.locator("section", { hasText: "Undocumented properties" });
    await section.locator("text=/statusCode came in 1 response with 415.").waitFor();
    assert.equal(await section.locator("li").count(), 6);
    await page.goto(page.url().replace(/#.*/, "#/operation/GET:/bookings"));
    await page.waitForSelector(
      "text=3 requests with credentials succeeded and 3 requests without succeeded.",
    );
  },
);
