import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { CoverageMap } from "../../mod.ts";
import { type LivePage, serveLivePage, writePage } from "../../src/cli/live_page.ts";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { readYaml } from "../../src/openapi/read_yaml.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";
import { shopApi } from "../shop_api.ts";
import { SHOP_DESCRIPTION } from "./shop_files.ts";

const DESCRIPTION = shopApi(Object.fromEntries(
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
    "the live page updates by itself, and keeps the scroll position",
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
      // The code runs in the browser, and this program doesn't have the browser's types.
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

Deno.test("live pages leave out the next requests if reports do", () => {
  const map = MeasuredApi.fromDict(readYaml(SHOP_DESCRIPTION).value);
  for (const name of ["shop", undefined]) {
    const shown = new ApiMaps([{ name, map }]);
    assert.ok(writePage(shown, {}).includes('"next":{"requests":[{'));
    assert.ok(!writePage(shown, { suggestions: false }).includes('"next":{"requests"'));
  }
});
