import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { CoverageMap } from "../../mod.ts";
import { type LivePage, serveLivePage } from "../../src/cli/live_page.ts";
import { get } from "node:http";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";
import { apiOf } from "../api_of.ts";

const DESCRIPTION = apiOf(Object.fromEntries(
  Array.from({ length: 80 }, (_, index) => [`/things${index}`, { get: {} }]),
));

function serve(map: CoverageMap): Promise<LivePage> {
  return serveLivePage({
    report: () => map.generateReport(),
    version: () => map.traffic().recorded,
    subject: "The proxy",
  });
}

Deno.test({
  ...needing(
    NEEDS_CHROMIUM,
    "the live page shows news by itself, at the place where the reader was",
  ),
  async fn() {
    const map = CoverageMap.fromDict(DESCRIPTION);
    const live = await serve(map);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(`${live.url}#/operations`);
      const report = page.frameLocator("iframe:not(.next)");
      await report.getByText("/things79").first().waitFor({ state: "attached" });
      await page.locator("iframe:not(.next)").waitFor();
      assert.equal(await page.title(), "Shop · API coverage · live");
      // The code runs in the browser, whose types this program does not have.
      const frame = `document.querySelector("iframe:not(.next)")`;
      await page.evaluate(`${frame}.contentWindow.scrollTo(0, 400); ${frame}.dataset.old = "1"`);
      map.record({ method: "GET", url: "http://h/things3" }, { status_code: 200 });
      await page.locator("iframe:not(.next):not([data-old])").waitFor();
      assert.equal(await page.evaluate(`${frame}.contentWindow.scrollY`), 400);
      assert.equal(await page.evaluate(`document.querySelectorAll("iframe").length`), 1);
      assert.equal(await page.locator("#state").innerText(), "Live");
      live.close();
      await page.getByText("The proxy has stopped").waitFor();
      assert.deepEqual(complaints, []);
    } finally {
      live.close();
      await browser.close();
    }
  },
});

Deno.test("the live page is for those who know its secret, by this machine's own names, and for no other page", async () => {
  const live = await serve(CoverageMap.fromDict(DESCRIPTION));
  const { port, pathname } = new URL(live.url);
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  const status = (host: string, path = `${pathname}report`, origin?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host, ...(origin !== undefined && { origin }) };
      const request = get(
        { host: "127.0.0.1", port, path, headers, agent: false },
        (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode ?? 0));
        },
      );
      request.on("error", reject);
    });
  assert.equal(await status(`127.0.0.1:${port}`), 200);
  assert.equal(await status(`localhost:${port}`), 200);
  assert.equal(await status(`evil.example:${port}`), 403);
  assert.equal(await status(`localhost:${port}`, "/etc/passwd"), 404);
  for (
    const path of ["/", "/report", "/news", `/${"0".repeat(32)}/report`, pathname.slice(0, -1)]
  ) {
    assert.equal(await status(`localhost:${port}`, path), 404, path);
  }
  const page = `${pathname}report`;
  assert.equal(await status(`localhost:${port}`, page, `http://localhost:${port}`), 200);
  for (const origin of ["http://evil.example", "null", "http://localhost:1"]) {
    assert.equal(await status(`localhost:${port}`, page, origin), 403, origin);
  }
  const other = await serve(CoverageMap.fromDict(DESCRIPTION));
  assert.notEqual(new URL(other.url).pathname, pathname);
  other.close();
  live.close();
});
