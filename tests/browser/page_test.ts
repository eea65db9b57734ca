import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { gapCounts } from "../../src/report/gap_counts.ts";
import { openPage, test } from "./open_page.ts";
import { sampleReport } from "./sample_report.ts";

const VIEWS = {
  Overview: "#/",
  Operations: "#/operations",
  Gaps: "#/gaps",
  Unmatched: "#/unmatched",
  Diagnostics: "#/diagnostics",
};

function texts(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).allInnerTexts();
}

test("the overview shows the five dimensions with percentages and exact counts", async () => {
  const page = await openPage("shop");
  const { summary } = sampleReport("shop");
  assert.deepEqual(await texts(page, ".dimension dt"), [
    ...["Operations", "Parameters", "Keywords", "Examples", "Responses"],
  ]);
  assert.deepEqual(await texts(page, ".figure-group h2"), ["Sent", "Came back"]);
  const shown = (await texts(page, ".dimension dd")).join("\n");
  assert.match(
    shown,
    new RegExp(`${summary.operations.seen} of ${summary.operations.total} called`),
  );
  assert.match(
    shown,
    new RegExp(`: ${summary.keywords.full} full, ${summary.keywords.partial} partial`),
  );
  assert.match(shown, /62\.5%/);
});

test(
  "each number in the overview has a definition that links to how it is counted",
  async () => {
    const page = await openPage("shop");
    const definitions = await texts(page, ".dimension .definition");
    assert.equal(definitions.length, 5);
    assert.equal(definitions[2], "Schema keywords that a sent value passed or failed.");
    await page.click(".dimension .definition >> nth=2");
    await page.waitForSelector("h1:text-is('How coverage is counted')");
    await page.locator("h2:focus", { hasText: /^Keywords$/ }).waitFor();
  },
);

test(
  "the overview has the test coverage level, which links to the counts of its criteria",
  async () => {
    const page = await openPage("described");
    await page.click("a[href*='at=tcl']");
    await page.waitForSelector("h1:text-is('How coverage is counted')");
    await page.locator("h2:focus", { hasText: /^Test coverage level$/ }).waitFor();
    const rows = await texts(page, ".definitions tbody tr");
    assert.equal(rows.length, 10);
    assert.match(rows[0] ?? "", /^1\s*paths\s*\d+ of \d+$/);
    assert.match(rows[9] ?? "", /operation flows\s*not measured$/);
  },
);

test("the overview suggests the most valuable requests first", async () => {
  const page = await openPage("shop");
  const suggestions = await texts(page, ".suggestions > li");
  assert.equal(suggestions.length, 3);
  assert.match(
    suggestions[0] ?? "",
    /PUT \/books\/\{book_id\}\s+Call this operation Never called: 2 parameters, 83 keywords/,
  );
  await page.click(".suggestions a:has-text('PUT')");
  assert.match(page.url(), /#\/operation\/PUT:\/books\/\{book_id\}$/);
});

test("a suggestion to call an operation counts only what can be covered", async () => {
  const page = await openPage("silent");
  const [suggestion = ""] = await texts(page, ".suggestions > li");
  assert.match(suggestion, /Never called: 1 parameter and 1 keyword to cover\.$/);
});

test(
  "the overview has the next steps, server errors and levels before the groups",
  async () => {
    const page = await openPage("shop", { viewport: { width: 1366, height: 768 } });
    const headings = await texts(page, "main h2");
    const next = headings.indexOf("Do these next");
    assert.deepEqual(headings.slice(0, next), ["Sent", "Came back"]);
    const box = await page.locator(".suggestions > li").first().boundingBox();
    assert.ok(box !== null && box.y + box.height < 768, "above the fold");
    assert.match(await page.innerText(".notices"), /Server errors in \d+ operations?: .*500/);
    assert.match(await page.innerText(".notices"), /\(undocumented\)/);
    const report = sampleReport("shop");
    const { total, full, partial } = report.summary.keywords;
    const kinds = (await page.innerText(".kinds")).replace(/\s+/g, " ");
    const words = `${total - full} keywords not fully covered, ${partial} of them partial`;
    assert.ok(kinds.includes(words), kinds);
    const percent = report.summary.operations.percent ?? 0;
    const level = percent >= 80 ? "high" : percent >= 50 ? "medium" : "low";
    const first = page.locator(".percent").first();
    assert.ok((await first.getAttribute("class"))?.includes(`level-${level}`));
    const cells = await page.locator(".groups .cell").count();
    assert.equal(cells, report.operations.length);
    assert.equal(
      await page.locator(".groups .cell-never").count(),
      report.operations.filter(({ hits }) => hits === 0).length,
    );
    assert.ok(await page.locator(".groups .cell-alert").count() > 0);
    const shares = (await texts(page, ".group-counts")).map((text) =>
      Number(/([\d.]+)% missing/.exec(text)?.[1])
    );
    assert.ok(shares.length > 2);
    assert.deepEqual(shares, shares.toSorted((left, right) => right - left));
  },
);

test("a page only has the views, figures and definitions that its report has data for", async () => {
  const page = await openPage("shop");
  const { summary, traffic } = sampleReport("shop");
  assert.deepEqual((await texts(page, "nav a")).map((text) => text.replace(/\s+/g, " ")), [
    ...["Overview", "Operations 16", `Gaps ${gapCounts(summary, traffic).total}`],
    ...["Unmatched 5", "Diagnostics 3"],
  ]);
  assert.equal(await page.locator(".dimension").count(), 5);
  assert.equal(await page.locator(".unscripted").count(), 0);
  await page.click("footer >> text=How coverage is counted");
  await page.waitForSelector("#responses");
  assert.equal(await page.locator("#enforcement, #findings").count(), 0);
});

test("a link opens one operation with its keywords, examples and responses", async () => {
  const page = await openPage("shop", { hash: "#/operation/PATCH:/books/{book_id}" });
  const operation = sampleReport("shop").operations.find(({ operation_id }) =>
    operation_id === "patchBook"
  );
  const keywords = operation?.parameters.flatMap((parameter) => parameter.keywords) ?? [];
  assert.equal(await page.locator(".keywords tr.keyword").count(), keywords.length);
  const first = keywords.find(({ schema_path }) =>
    schema_path.endsWith("/BookPatch/properties/price/anyOf")
  );
  const row = await page.locator(
    "tr.branch:has(.branch-label:text-is('price')) + tr.keyword",
  ).innerText();
  assert.match(row, new RegExp(`anyOf\\s+${first?.valid}\\s+${first?.invalid}\\s+partial`));
  assert.match(await page.locator(".examples").last().innerText(), /7\.25/);
  assert.match(
    await page.innerText("section:has(> h2:text-is('Responses'))"),
    /404 Not Found\s+never returned\s+Request something that doesn't exist/,
  );
  assert.match(await page.title(), /^PATCH \/books\/\{book_id\} · Shop API/);
});

test("a link to an unknown operation shows a message", async () => {
  const page = await openPage("shop", { hash: "#/operation/GET:/nowhere%" });
  assert.match(await page.innerText("main"), /Operation not found[\s\S]*GET \/nowhere%/);
});

test("filters, search and sorting are kept in the address and restored from it", async () => {
  const page = await openPage("shop", { hash: "#/operations" });
  await page.fill("input[type=search]", "books");
  await page.click(".chip:has-text('Not covered')");
  assert.match(page.url(), /#\/operations\?q=books&state=never$/);
  const rows = page.locator("tbody tr:not(.group-head)");
  const never = await rows.allInnerTexts();
  assert.equal(never.length, 3);
  const address = page.url();
  await page.click("text=Clear");
  await page.locator("input[type=search]:focus").waitFor();
  await rows.nth(15).waitFor();
  assert.equal(await rows.count(), 16);
  await page.click("thead .col-gaps button");
  assert.equal(await page.getAttribute("th.col-gaps", "aria-sort"), "descending");
  await page.selectOption("label:has-text('Group by') select", "none");
  const gaps = (await texts(page, "td.col-gaps")).map((text) => Number(text.replace("none", "0")));
  assert.deepEqual(gaps, gaps.toSorted((left, right) => right - left));
  await page.goto("about:blank");
  await page.goto(address);
  assert.equal(await rows.count(), 3);
  assert.equal(await page.inputValue("input[type=search]"), "books");
});

test(
  "operations can be filtered by method, deprecation and undocumented statuses",
  async () => {
    const report = sampleReport("shop");
    const page = await openPage("shop", { hash: "#/operations?method=POST&by=path" });
    const rows = page.locator("tbody tr:not(.group-head)");
    assert.equal(
      await rows.count(),
      report.operations.filter(({ method }) => method === "POST").length,
    );
    await page.click(".chip:text-is('POST')");
    await page.check("label:has-text('Deprecated') input");
    assert.equal(
      await rows.count(),
      report.operations.filter(({ deprecated }) => deprecated).length,
    );
    await page.uncheck("label:has-text('Deprecated') input");
    await page.check("label:has-text('Undocumented') input");
    assert.equal(
      await rows.count(),
      report.operations.filter(({ undocumented_responses }) => undocumented_responses.length > 0)
        .length,
    );
  },
);

test("parameters open and close by keyboard, and the address keeps their state", async () => {
  const page = await openPage("shop", { hash: "#/operation/PATCH:/books/{book_id}" });
  const button = page.locator("#p1");
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await button.focus();
  await page.keyboard.press("Enter");
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  assert.match(page.url(), /open=0$/);
  await page.reload();
  assert.equal(await page.locator("#p1").getAttribute("aria-expanded"), "false");
});

test("an operation can show only its gaps", async () => {
  const page = await openPage("shop", { hash: "#/operation/PATCH:/books/{book_id}" });
  const before = await page.locator(".keywords tr.keyword").count();
  await page.check("label:has-text('Gaps only') input");
  const after = await texts(page, ".keywords tr.keyword");
  assert.ok(after.length < before);
  assert.ok(after.every((text) => /never|not covered/.test(text)));
});

test(
  "the search finds what was never sent by schema and property, in both lists",
  async () => {
    const page = await openPage("described", { hash: "#/operations" });
    const operations = page.locator("tbody tr:not(.group-head)");
    for (
      const [text, path] of [
        ["http://localhost/books/42?x=1", "/books/{id}"],
        ["format", "/books/{id}"],
        ["Person.name", "/books"],
        ["genre", "/books"],
        ["204", "/books/{id}"],
      ] as const
    ) {
      await page.fill(".search", text);
      await page.waitForFunction(() =>
        document.querySelectorAll("tbody tr:not(.group-head)").length === 1
      );
      assert.match(await operations.innerText(), new RegExp(path.replace(/[{}]/g, "\\$&")), text);
    }
    await page.goto(page.url().replace(/#.*/, "#/gaps?q=maximum&open=0"));
    await page.waitForSelector(".gap-list");
    assert.equal(await page.innerText("[role=status]"), "1 gap in 1 operation");
    assert.match((await texts(page, ".gap-list li")).join(), /^maximum never failed/);
  },
);

test("gaps can be filtered by kind, and are listed under their operation", async () => {
  const page = await openPage("shop", { hash: "#/gaps?kind=response" });
  const total =
    sampleReport("shop").gaps.filter(({ kind }) => kind === "response_uncovered").length;
  assert.match(await page.innerText("[role=status]"), new RegExp(`^${total} gaps in`));
  await page.click(".gap-group button >> nth=0");
  const list = await texts(page, ".gap-list li");
  assert.ok(list.length > 0 && list.every((text) => text.includes("was never returned")));
});

test("unmatched traffic shows its reasons and the base path that would help", async () => {
  const page = await openPage("shop", { hash: "#/unmatched" });
  assert.match(
    await page.innerText("table"),
    /OPTIONS 127\.0\.0\.1\/books\s+method not documented\s+1/,
  );
  const hostile = await openPage("hostile", { hash: "#/unmatched" });
  assert.match(await hostile.innerText("main"), /--base-path <\/script>/);
  assert.match(await hostile.innerText("main"), /4 more requests not listed/);
});

test("diagnostics show their place and file", async () => {
  const page = await openPage("shop", { hash: "#/diagnostics" });
  const text = await page.innerText("main");
  assert.match(text, /error[\s\S]*leads nowhere[\s\S]*openapi\.yaml:412:19/);
  assert.match(text, /parts\/products\.yaml:31/);
  await page.click(".chip:has-text('warning')");
  assert.equal(await page.locator(".rows li").count(), 1);
  assert.deepEqual(await texts(page, ".rows li p:first-child code"), ["minLength", "maxLength"]);
});

test("nothing in a hostile report is executed, loaded, breaks the page, or makes it wider than a phone", async () => {
  const viewport = { width: 360, height: 740 };
  for (const hash of [...Object.values(VIEWS), "#/operation/GET:%3F%23%25", "#/gaps?open=0.1.2"]) {
    const page = await openPage("hostile", { hash, viewport });
    assert.equal(await page.evaluate("window.attacked"), undefined);
    assert.equal(await page.locator("img, script:not(#report):not(body > script)").count(), 0);
    assert.doesNotMatch(await page.innerText("main"), /Operation not found/);
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), hash);
  }
});

test("every operation in a hostile report can be opened from the list", async () => {
  const page = await openPage("hostile", { hash: "#/operations" });
  for (let index = 0; index < 3; index += 1) {
    await page.click(`.operation-link >> nth=${index}`);
    await page.waitForSelector("h1.operation-name");
    assert.equal(await page.locator("h1.operation-name").count(), 1);
    await page.goBack();
    await page.waitForSelector("table.operations");
  }
});

test("on a phone, all tabs and the chosen filter are visible and can be tapped", async () => {
  const viewport = { width: 360, height: 740 };
  const page = await openPage("shop", { hash: "#/diagnostics", viewport });
  assert.equal(await page.evaluate("scrollY + scrollX"), 0);
  const isInReach = (tab: Locator): Promise<boolean> =>
    tab.boundingBox().then((box) =>
      box !== null && box.x >= 0 && box.x + box.width <= 360 && box.height >= 24
    );
  for (const [label, hash] of Object.entries(VIEWS)) {
    // Views that are opened later by their links, too.
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.locator("nav [aria-current]", { hasText: label }).waitFor();
    assert.equal(await page.locator("nav [aria-current]").count(), 1, hash);
    for (const tab of await page.locator(".top nav a").all()) {
      assert.ok(await isInReach(tab), `${hash} ${await tab.innerText()}`);
    }
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  }
  await page.evaluate("location.hash = '#/gaps'");
  const last = page.locator(".chips .chip").last();
  const kind = (await last.textContent())?.replace(/[\d,]+$/, "");
  await last.click();
  await page.reload();
  await page.locator(".chips [aria-pressed=true]", { hasText: kind ?? "" }).waitFor();
  assert.ok(await isInReach(last));
});

test("printed tables keep the numbers of every column with a heading", async () => {
  const page = await openPage("described", { hash: "#/operations" });
  await page.locator("tbody tr:not(.group-head) a").first().click();
  await page.locator("table.keywords").first().waitFor();
  await page.emulateMedia({ media: "print" });
  const empty = await page.evaluate(
    `[...document.querySelectorAll("table.plain")].flatMap((table) => {
    const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    return [...table.querySelectorAll("thead th")].flatMap((head, column) => {
      if (!isShown(head)) return [];
      const cells = [...table.querySelectorAll("tbody tr")].map((row) => row.cells[column])
        .filter((cell) => cell !== undefined && cell.textContent.trim() !== "");
      return cells.every((cell) => cell.innerText.trim() === "") && cells.length > 0
        ? [head.textContent] : [];
    });
  })`,
  );
  assert.deepEqual(empty, []);
  assert.ok(await page.locator(".line-link").first().isVisible());
});

test("the head of the operations stays visible and covers none of them", async () => {
  const page = await openPage("big", { hash: "#/operations" });
  const top = async (selector: string): Promise<number> =>
    (await page.locator(selector).first().boundingBox())?.y ?? NaN;
  const head = await page.locator("table.operations thead th").first().boundingBox();
  assert.ok(await top("table.operations tbody tr") >= (head?.y ?? NaN) + (head?.height ?? NaN) - 1);
  await page.evaluate("scrollTo(0, 1500)");
  assert.equal(await top("table.operations thead th"), 53);
});

test("the head of keywords stays visible like that of operations", async () => {
  const page = await openPage("tests", { hash: "#/operation/POST:/books" });
  await page.locator("tr.keyword").nth(40).waitFor();
  await page.evaluate("document.querySelectorAll('tr.keyword')[40].scrollIntoView()");
  const head = await page.locator("table.keywords thead th").first().boundingBox();
  const row = await page.locator("tr.keyword").nth(40).boundingBox();
  assert.equal(head?.y, 53);
  assert.ok((row?.y ?? NaN) >= 53 + (head?.height ?? NaN), "not below the head");
});

test("numbers are aligned with the end of their heads, and percentages are on one line", async () => {
  const page = await openPage("tests", { viewport: { width: 1280, height: 800 } });
  const percentages = await page.locator(".figures .percent").all();
  const boxes = await Promise.all(percentages.map((percent) => percent.boundingBox()));
  assert.equal(boxes.length, 8);
  assert.equal(new Set(boxes.map((box) => box?.y)).size, 1);
  await page.evaluate("location.hash = '#/operations'");
  const end = (selector: string): Promise<unknown> =>
    page.locator(selector).first().evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.firstChild ?? element);
      return Math.round(range.getBoundingClientRect().right);
    });
  for (const column of ["hits", "gaps"]) {
    assert.equal(await end(`thead .col-${column} button`), await end(`tbody td.col-${column}`));
  }
});

test("paths that need several lines break at slashes", async () => {
  const viewport = { width: 780, height: 800 };
  const page = await openPage("big", { hash: "#/operations?q=cover", viewport });
  const starts = await page.locator("tbody .path").evaluateAll((paths) =>
    paths.flatMap((path) => {
      const texts = document.createTreeWalker(path, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      let line = NaN;
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        for (const [index, character] of [...node.textContent ?? ""].entries()) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const { top } = range.getBoundingClientRect();
          if (Math.abs(top - line) > 9) found.push(character);
          line = top;
        }
      }
      return found;
    })
  );
  assert.ok(starts.length > 10);
  assert.deepEqual([...new Set(starts)], ["/"]);
});

test("figures fill each of their rows, however many there are", async () => {
  for (const kind of ["tests", "usage"] as const) {
    const page = await openPage(kind);
    for (const width of [1280, 1024, 768, 720, 600]) {
      await page.setViewportSize({ width, height: 800 });
      for (const group of await page.locator(".dimensions").all()) {
        const [all, last] = await Promise.all(
          [group, group.locator(".dimension").last()].map((one) => one.boundingBox()),
        );
        assert.ok(all && last);
        assert.equal(Math.round(last.x + last.width + 1), Math.round(all.x + all.width));
      }
    }
  }
});

test("1,200 operations are drawn only as far as one scrolls", async () => {
  const page = await openPage("big", { hash: "#/operations" });
  const rows = page.locator("tbody tr:not(.group-head)");
  const before = await rows.count();
  assert.ok(before < 300, `${before} rows`);
  await page.locator(".more").scrollIntoViewIfNeeded();
  await rows.nth(before).waitFor({ state: "attached" });
  await page.fill("input[type=search]", "area-53/me");
  await rows.nth(1).waitFor({ state: "detached" });
  assert.equal(await rows.count(), 1);
});

test("printing draws the whole list in light colours", async () => {
  const page = await openPage("big", { hash: "#/operations", colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const rows = page.locator("tbody tr:not(.group-head)");
  await rows.nth(1199).waitFor({ state: "attached" });
  assert.equal(await rows.count(), 1200);
  assert.equal(
    await page.evaluate("getComputedStyle(document.body).backgroundColor"),
    "rgb(255, 255, 255)",
  );
});

test("the theme follows the system until one is chosen, and the choice is kept", async () => {
  const page = await openPage("shop", { colorScheme: "dark" });
  const ground = (): Promise<unknown> =>
    page.evaluate("getComputedStyle(document.body).backgroundColor");
  const dark = await ground();
  await page.click("button.theme");
  const light = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await page.waitForSelector("main#main");
  assert.equal(await ground(), light);
});

test("the overview draws how coverage grew, with the same data as a table", async () => {
  const page = await openPage("shop");
  assert.deepEqual(
    await page.locator(".chart .chart-series text").allTextContents(),
    ["Operations", "Parameters", "Keywords", "Examples", "Responses"],
  );
  const lines = page.locator(".chart .chart-series path");
  for (const line of await lines.all()) {
    assert.match(await line.getAttribute("d") ?? "", /^M[\d.]+ [\d.]+(?:H[\d.]+V[\d.]+)+$/);
  }
  assert.equal(
    (await page.locator(".chart > text").allTextContents()).join(", "),
    "0, 10 min, 20 min, 30 min, 40 min, 50 min",
  );
  await page.click(".chart-table summary");
  const last = await page.locator(".chart-table tbody tr").last().innerText();
  const shown = await texts(page, ".dimension .percent");
  assert.equal(last.replace(/\s+/g, " "), `59 min ${shown.join(" ")}`);
});

test("traffic without times has a sentence instead of a chart", async () => {
  const page = await openPage("timeless");
  assert.equal(await page.locator(".chart").count(), 0);
  assert.match(await page.innerText("main"), /The traffic has no timestamps/);
});

test("going back leads to the same view, filters and position", async () => {
  const page = await openPage("big", { hash: "#/operations?q=orders" });
  await page.evaluate("scrollTo(0, 1500)");
  const link = page.locator("tbody .operation-link").nth(20);
  const name = await link.innerText();
  await link.click();
  await page.waitForSelector("h1.operation-name");
  assert.equal((await page.innerText("h1")).replace(/\s+/g, " "), name.replace(/\s+/g, " "));
  assert.equal(await page.evaluate("scrollY"), 0);
  await page.goBack();
  await page.waitForSelector("table.operations");
  assert.ok(Number(await page.evaluate("scrollY")) > 500);
  assert.equal(await page.inputValue("input[type=search]"), "orders");
});

test("print keeps line numbers, and no line leaves the paper", async () => {
  const page = await openPage("described", { hash: "#/operation/POST:/books" });
  await page.waitForSelector(".source-line");
  await page.setViewportSize({ width: 700, height: 900 });
  await page.emulateMedia({ media: "print" });
  const numbers = page.locator(".source .line-number");
  assert.ok(await numbers.count() > 5);
  for (const number of await numbers.all()) {
    const box = await number.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.width > 8, await number.innerText());
  }
  assert.ok(await page.locator(".keywords .line-link, .keywords td a").first().isVisible());
  const overflow = await page.evaluate(
    "Math.max(...[...document.querySelectorAll('.source table')].map((one) => one.scrollWidth))",
  );
  assert.ok(Number(overflow) <= 700);
});

test(
  "an operation that was never called shows its hidden gaps, and its list adds up",
  async () => {
    const page = await openPage("described", { hash: "#/gaps?q=delete&open=2" });
    await page.waitForSelector(".gap-list");
    // The operation, its path parameter with its format, and its response.
    const parts = (await texts(page, ".gap-list li")).join("\n");
    assert.match(parts, /id was never sent, so 1 keyword is not covered/);
    assert.match(await page.innerText(".gap-group button"), /4 gaps/);
    await page.goto(page.url().replace(/#.*/, "#/gaps?q=delete&kind=keyword&open=2"));
    await page.waitForFunction(() => document.querySelectorAll(".gap-list li").length === 1);
    assert.equal(await page.innerText("[role=status]"), "1 gap in 1 operation");
  },
);

test("without JavaScript, the five dimensions are still in the page", async () => {
  const page = await openPage("shop", { javaScriptEnabled: false });
  const text = await page.innerText("main");
  assert.match(text, /Shop API[\s\S]*Operations\s+62\.5%\s+10 of 16 called/);
});

test(
  "if scripts are forbidden, the page is a table of all operations, and says why",
  async () => {
    // Jenkins' default for files; the second policy allows scripts, except in the page itself.
    const policies = [
      "sandbox; default-src 'none'; img-src 'self'; style-src 'self';",
      "script-src 'self'; object-src 'none'",
    ];
    const { operations } = sampleReport("shop");
    const show = async (kind: "shop" | "apis", policy: string): Promise<void> => {
      const page = await openPage(kind, { policy });
      // It is hidden at first for pages whose script starts late.
      await page.locator("p.unscripted").waitFor({ state: "visible" });
      assert.match(await page.innerText("p.unscripted"), /doesn't run the script of this page/);
      const rows = await texts(page, ".operations-static tbody tr");
      for (const { method, path, hits, summary } of operations) {
        const found = rows.findLast((row) => row.endsWith(`\t${method} ${path}`));
        const { total, partial, full } = summary.keywords;
        const keywords = total === 0 ? "–" : `${partial + full}/${total}`;
        assert.ok(
          found?.startsWith(`${hits}\t`) && found.includes(`\t${keywords}\t`),
          found ?? path,
        );
      }
    };
    await Promise.all(policies.flatMap((policy) => [show("shop", policy), show("apis", policy)]));
  },
);

test("an empty report says that nothing was recorded", async () => {
  const page = await openPage("empty");
  assert.match(await page.innerText("main"), /The description has no operations\./);
  assert.match(await page.innerText("main"), /No traffic was recorded/);
  assert.deepEqual(await texts(page, ".column h2"), ["Traffic"]);
  // No view reports an error.
  for (const hash of Object.values(VIEWS)) await page.goto(page.url().replace(/#.*|$/, hash));
});

test("if nothing matches, the overview gives possible reasons", async () => {
  const page = await openPage("strays");
  assert.match(
    await page.innerText(".notices"),
    /^No recorded request matches an operation: .* Unmatched traffic$/s,
  );
});

test("server errors that the description documents as default are listed with the others", async () => {
  const page = await openPage("tests");
  const notices = await page.innerText(".notices");
  assert.match(notices, /^Server errors in 3 operations: .*GET \/books 500/);
  assert.match(notices, /3 server errors/);
});
