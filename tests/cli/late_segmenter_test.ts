import assert from "node:assert/strict";
import { withLateSegmenter } from "../../src/cli/late_segmenter.ts";

Deno.test("withLateSegmenter() hands out segmenters that cut texts as the platform's do", async () => {
  const segmenter = await withLateSegmenter(() =>
    Promise.resolve(new Intl.Segmenter("en", { granularity: "grapheme" }))
  );
  const segments = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  assert.deepEqual(segments("ae\u0301👩‍👧"), ["a", "e\u0301", "👩‍👧"]);
  assert.deepEqual(segments("b"), ["b"]);
});

Deno.test("withLateSegmenter() leaves the platform's segmenter behind, whatever becomes of the loading", async () => {
  const { Segmenter } = Intl;
  await withLateSegmenter(() => Promise.resolve());
  assert.equal(Intl.Segmenter, Segmenter);
  await assert.rejects(
    withLateSegmenter(() => Promise.reject(new Error("not there"))),
    /not there/,
  );
  assert.equal(Intl.Segmenter, Segmenter);
});
