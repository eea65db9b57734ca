import assert from "node:assert/strict";
import { generateBadgeReport } from "../../src/report/badge_report.ts";
import { shopReport } from "../report/shop_report.ts";
import { openSvg, test } from "./open_page.ts";

const DIMENSIONS = ["operations", "parameters", "keywords", "examples", "responses"] as const;

for (const dimensions of [["keywords"], ["operations", "keywords"], DIMENSIONS] as const) {
  test(
    `a badge of ${dimensions.join(" and ")} shows its texts inside their boxes`,
    async () => {
      const title = `<script>document.title = "forged"</script>`;
      const page = await openSvg(generateBadgeReport(shopReport({ title }), dimensions));
      const boxes = await page.evaluate(`(() => {
      const boxes = (name) => [...document.querySelectorAll(name)].map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom };
      });
      return { texts: boxes("text"), rects: boxes("g rect"), title: document.title };
    })()`) as {
        readonly texts: readonly DOMRectReadOnly[];
        readonly rects: readonly DOMRectReadOnly[];
        readonly title: string;
      };
      assert.equal(boxes.texts.length, 2);
      boxes.texts.forEach((text, index) => {
        const rect = boxes.rects[index];
        assert.ok(rect !== undefined && text.right > text.left);
        assert.ok(text.left >= rect.left + 3 && text.right <= rect.right - 3, `text ${index}`);
        assert.ok(text.top >= rect.top && text.bottom <= rect.bottom, `text ${index}`);
      });
      assert.notEqual(boxes.title, "forged");
    },
  );
}
