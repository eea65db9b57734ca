import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describedMap, findLine } from "./described_map.ts";
import { gapCounts } from "../../src/report/gap_counts.ts";
import { openPage, test } from "./open_page.ts";
import { ATTACK } from "./sample_report.ts";

const POST = "#/operation/POST:/books";
const GET = "#/operation/GET:/books";

/** The line of text in a file, as the page shows it. */
function sourceLine(page: Page, file: number, text: string): ReturnType<Page["locator"]> {
  return page.locator(`[id="l${file}.${findLine(text)}"]`);
}

/** Waits until the target of the address has the focus. */
async function focused(page: Page, id: string): Promise<void> {
  await page.locator(`[id="${id}"]:focus`).waitFor();
}

test("the description's lines are marked with what was covered", async () => {
  const page = await openPage("described", { hash: GET });
  const state = (text: string): Promise<string | null> =>
    sourceLine(page, 0, text).getAttribute("class");
  await sourceLine(page, 0, "name: limit").waitFor();
  assert.match(await state("maximum: 100") ?? "", /line-partial/);
  assert.match(await state("description: Wrong") ?? "", /line-plain/);
  assert.match(await state('"400"') ?? "", /line-none/);
  assert.match(await state('"200"') ?? "", /line-full/);
  // The lines of a parameter that was never sent count too.
  assert.match(await state("enum: [novel, poetry]") ?? "", /line-none/);
  assert.match(
    await sourceLine(page, 0, "maximum: 100").locator("a").getAttribute("title") ?? "",
    /^Line \d+, partial\. maximum in query limit: 1 valid, 0 invalid$/,
  );
});

test("components in other files are below the operation, and collapsed", async () => {
  const page = await openPage("described", { hash: POST });
  const parts = page.locator(".source-part h3");
  await parts.first().waitFor();
  assert.deepEqual(
    await parts.locator(".source-name > bdi").allInnerTexts(),
    ["POST /books", "Book", "Person"],
  );
  assert.match(await parts.nth(2).innerText(), /people\.yaml:1–6[\s\S]*partial/);
  await parts.nth(2).locator("button").click();
  const line = sourceLine(page, 1, "minLength: 2");
  await line.waitFor();
  assert.match(await line.getAttribute("class") ?? "", /line-partial/);
});

test("a keyword links to its line, and the line to its keyword", async () => {
  const page = await openPage("described", { hash: POST });
  const keyword = page.locator("tr.keyword:has(th bdi:text-is('maxLength'))");
  await keyword.locator(".line-link").click();
  const line = sourceLine(page, 0, "maxLength: 40");
  await line.waitFor();
  assert.match(await line.getAttribute("class") ?? "", /target/);
  await focused(page, `l0.${findLine("maxLength: 40")}`);
  await line.locator("a").click();
  await page.locator("tr.keyword.target:focus").waitFor();
  assert.match(await page.locator("tr.keyword.target").innerText(), /^maxLength/);
});

test("a schema is a tree that follows each reference once", async () => {
  const page = await openPage("described", { hash: POST });
  const branches = await page.locator("tr.branch").allInnerTexts();
  assert.deepEqual(branches.map((text) => text.replace(/\s+/g, " ").trim()), [
    ...["body Book", "body.title: title", "body.author: author Person", "body.author.name: name"],
    "body.reviewer: reviewer Person shown above",
  ]);
  const name = page.locator("tr.branch button:has(.branch-label:text-is('author'))");
  await name.click();
  assert.equal(await page.locator("tr.keyword:has-text('minLength')").count(), 0);
  assert.match(await name.innerText(), /\d+ gaps/);
  const row = await page.locator("tr.keyword:has-text('maxLength')").innerText();
  assert.match(row, /^maxLength 40\s+2\s+1\s+full/);
});

test("the rows of a schema mark which of its values were sent", async () => {
  const page = await openPage("described", { hash: POST });
  const lines = (await page.locator("tr.values").allTextContents()).map((text) =>
    text.replace(/\s+/g, " ").trim()
  );
  assert.deepEqual(lines, [
    "Values of body.title: an empty text: never sent, 40 characters (the most): never sent, 1 to 39 characters: sent, characters outside ASCII: never sent,",
    "Values of body.author: present: sent, left out: sent,",
    "Values of body.author.name: present: sent, left out: never sent, 2 characters (the least): never sent, 3 characters or more: sent, characters outside ASCII: never sent,",
    "Values of body.reviewer: present: never sent, left out: sent,",
  ]);
});

test('"Gaps only" also shows values that were never sent where nothing else is missing', async () => {
  const page = await openPage("large", { hash: "#/operation/POST:/items/0?missing=1" });
  const row = page.locator("tr.branch:has(.branch-label:text-is('note')) + tr.values");
  assert.match(await row.innerText(), /^Values of body.note:\s+present\s+: never sent,/);
});

test("every gap of a keyword says what to send", async () => {
  const page = await openPage("described", { hash: GET });
  assert.match(
    await page.locator("tr.keyword:has-text('maximum')").innerText(),
    /never failed\s*(– )?Send more than 100\./,
  );
});

test(
  "an operation shows parameters and responses first, then what to do in collapsed lines",
  async () => {
    const page = await openPage("described", { hash: POST });
    const headings = await page.locator("main section > h2, main .section-head > h2")
      .allInnerTexts();
    const order = ["Parameters", "Responses", "Do these next", "Source"];
    assert.deepEqual(headings.filter((text) => order.includes(text)), order);
    const lines = page.locator(".suggestions > li");
    assert.equal(await lines.count(), 5);
    assert.equal(await page.locator(".suggestions button").count(), 0);
    for (const line of await lines.all()) {
      const { height = 0 } = await line.boundingBox() ?? {};
      assert.ok(height > 0 && height < 70, `${height}: ${await line.innerText()}`);
    }
    await page.getByRole("button", { name: /^Show \d+ more$/ }).click();
    assert.ok(await lines.count() > 5);
    await lines.nth(1).locator("summary").click();
    await lines.nth(1).getByRole("button", { name: "Copy as curl" }).waitFor();
  },
);

test("sorting turns the schema tree into a list of keywords with their places, and back", async () => {
  const page = await openPage("described", { hash: POST });
  const rows = page.locator("table.keywords tbody tr");
  const head = page.locator("table.keywords th button:has-text('Invalid')");
  const tree = await rows.allInnerTexts();
  await head.click();
  const counts = (await rows.locator("td:nth-child(3)").allInnerTexts()).map(Number);
  assert.ok(new Set(counts).size > 1);
  assert.deepEqual(counts, counts.toSorted((left, right) => right - left));
  assert.match((await rows.locator("th").allInnerTexts()).join("\n"), /body\.title maxLength/);
  await head.click();
  await head.click();
  assert.deepEqual(await rows.allInnerTexts(), tree);
});

test("the whole page follows an address that changes again while a view is drawn", async () => {
  const page = await openPage("described", { hash: POST });
  const bar = page.locator(".gap-bar [role=status]");
  const gaps: { readonly hash: string; readonly text: string }[] = [];
  for (let step = 0; step < 2; step++) {
    const before = page.url();
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.href !== before);
    const { hash } = new URL(page.url());
    await focused(page, new URLSearchParams(hash.split("?")[1]).get("at") ?? "");
    gaps.push({ hash, text: await bar.innerText() });
  }
  await page.evaluate((hash) => void (location.hash = hash), GET);
  await page.locator("h1", { hasText: "GET" }).waitFor();
  await page.evaluate(([first = "", second = ""]) => {
    // The page's own listener ran first, so the view has been drawn.
    addEventListener("hashchange", () => void (location.hash = second), { once: true });
    location.hash = first;
  }, gaps.map(({ hash }) => hash));
  const [, last] = gaps;
  await page.waitForURL((url) => url.hash === last?.hash);
  await page.waitForTimeout(500);
  assert.equal(await bar.innerText(), last?.text);
});

test("n and p go from gap to gap through all operations, and the bar shows the position", async () => {
  const page = await openPage("described");
  const { summary, traffic } = (await describedMap()).report();
  const gaps = gapCounts(summary, traffic).total;
  const seen: string[] = [];
  while (!seen.at(-1)?.includes(`${gaps} of ${gaps}`)) {
    const before = page.url();
    await page.keyboard.press("n");
    await page.waitForURL((url) => url.href !== before);
    await focused(page, new URLSearchParams(page.url().split("?")[1]).get("at") ?? "");
    seen.push(await page.locator(".gap-bar [role=status]").innerText());
    assert.ok(seen.length <= gaps, seen.join("\n"));
  }
  assert.match(
    seen[0] ?? "",
    /^Gap 1 of \d+ type of limit never failed: send something other than/,
  );
  assert.ok(seen.some((text) => /DELETE \/books\/\{id\} was never called/.test(text)));
  assert.ok(
    seen.some((text) => /minLength of Person.name never failed: send fewer than 2/.test(text)),
  );
  const last = page.url();
  await page.keyboard.press("k");
  await page.waitForURL((url) => url.href !== last);
  const back = seen.at(-2) ?? "";
  await focused(page, new URLSearchParams(page.url().split("?")[1]).get("at") ?? "");
  assert.equal(await page.locator(".gap-bar [role=status]").innerText(), back);
});

test("parts without gaps stay hidden from gap to gap, with keys and links", async () => {
  const page = await openPage("described", { hash: GET });
  const toggle = page.getByLabel("Gaps only");
  await toggle.check();
  await page.keyboard.press("n");
  const first = await page.locator(".gap-bar strong").innerText();
  await page.click("text=Next gap");
  await page.locator(".gap-bar strong", { hasNotText: first }).waitFor();
  assert.ok(await toggle.isChecked());
});

test("? opens the list of keys, and the keys can be switched off", async () => {
  const page = await openPage("described");
  await page.keyboard.press("?");
  const help = page.locator("dialog.help");
  await help.waitFor();
  assert.match(await help.innerText(), /n or j\s+next gap/);
  await help.locator("input[type=checkbox]").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  const before = page.url();
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  assert.equal(await help.count(), 0);
  assert.equal(page.url(), before);
  await page.click("button[aria-label='Keyboard shortcuts']");
  await help.locator("input[type=checkbox]").check();
  await help.locator("button:text-is('Close')").click();
  await page.keyboard.press("n");
  await page.waitForSelector(".operation-page");
});

test("the search key opens the operations if a view has no search", async () => {
  const page = await openPage("described", { hash: GET });
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus").waitFor();
  assert.match(page.url(), /#\/operations$/);
});

test("keys typed into a field stay there", async () => {
  const page = await openPage("described", { hash: "#/operations" });
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus").waitFor();
  await page.keyboard.type("np?");
  assert.equal(await page.inputValue("input[type=search]"), "np?");
  assert.equal(await page.locator("dialog").count(), 0);
});

test("the tests that covered something are named, and can be searched", async () => {
  const page = await openPage("described", { hash: POST });
  const row = page.locator("tr.keyword:has(th bdi:text-is('maxLength'))");
  await row.locator(".tests summary").click();
  const text = await row.locator(".tests").innerText();
  assert.match(text, /^2 tests\s+valid in\s+/);
  assert.ok(text.includes(ATTACK.replace("\u0000", "").slice(0, 40)), text);
  assert.match(text, /invalid in\s+books > refuses long titles$/);
  await page.goto(page.url().replace(/#.*/, "#/operations?q=refuses+long"));
  await page.waitForSelector("table.operations");
  assert.deepEqual(await page.locator("tbody .operation-link").allInnerTexts(), ["POST /books"]);
});

test("a deep link opens the exact keyword, also in a large report", async () => {
  const page = await openPage("described", { hash: `${POST}?at=k0.6` });
  await focused(page, "k0.6");
  assert.ok(await page.locator("[id='k0.6']").isVisible());
});

test("no text of a description or name of a test is executed", async () => {
  const attacks = "#/operation/GET:/attacks";
  for (const hash of [GET, POST, attacks, `${POST}?at=l0.${findLine("maxLength: 40")}`]) {
    const page = await openPage("described", { hash });
    await page.waitForSelector(".source-part");
    assert.equal(await page.evaluate("window.attacked"), undefined);
    if (hash === attacks) {
      assert.match(await page.innerText(".keywords"), /<\/script><script>window\.attacked/);
      assert.match(await page.innerText("main"), /1 body sent as <\/script>/);
    }
    assert.equal(await page.locator("img").count(), 0);
  }
});

test("a response is not said to be missing if the traffic has no responses", async () => {
  const page = await openPage("silent", { hash: "#/operation/GET:/books" });
  const row = page.locator("table:has(th:has-text('State')) tr:has(code:text-is('404'))");
  assert.match(await row.innerText(), /^404 Not Found\s+not measured\s+0/);
});
