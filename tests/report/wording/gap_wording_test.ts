import assert from "node:assert/strict";
import { nextGap } from "../../../src/report/html/app/model/gap_walk.ts";
import { buildModel } from "../../../src/report/html/app/model/model.ts";
import { gapSentence } from "../../../src/report/html/app/views/gap_bar.tsx";
import { encodePageData } from "../../../src/report/html/encode_page_data.ts";
import type { PageData } from "../../../src/report/html/page_data.ts";
import { withSourceShop } from "../source_shop.ts";

/** What is said of a keyword or a response behind its name. */
const ENDING = / (never (?:failed|passed)(?:: .*)?|was never returned(?:: .*)?)$/;

function endings(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => ENDING.exec(sentence)?.[1] ?? []).sort();
}

Deno.test("SARIF and the page say of keywords and responses what to send in the same words", async () => {
  await withSourceShop((map) => {
    const report = map.report();
    const data = [...encodePageData(report, map.descriptionView(report))].join("");
    const model = buildModel(JSON.parse(data) as PageData);
    const page: string[] = [];
    for (const operation of model.operations) {
      for (let stop = nextGap(model, operation, null, 1); stop?.operation === operation;) {
        page.push(gapSentence(model, stop));
        stop = nextGap(model, operation, stop.gap.at, 1);
      }
    }
    const { runs: [{ results }] } = JSON.parse(map.generateReport({ format: "sarif" })) as {
      readonly runs: readonly [
        { readonly results: readonly { readonly message: { readonly text: string } }[] },
      ];
    };
    const sarif = results.map(({ message }) => message.text.replace(/\.$/, ""));
    assert.ok(endings(page).includes("never failed: send fewer than 3 characters"));
    assert.deepEqual(endings(sarif), endings(page));
  });
});
