import type { Problems } from "../formats/problems.ts";

/**
 * The status of a response, from a number or its text; undefined if no response came, for which recorders write 0, -1
 * or nothing. A status that HTTP doesn't have (RFC 9110, section 15) is said: one with three digits counts all the same,
 * since some servers send them.
 *
 * @param place The place of the status in problems.
 *
 * @example
 * ```ts
 * import { Problems } from "../formats/problems.ts";
 * import { readStatus } from "./read_status.ts";
 * import assert from "node:assert/strict";
 *
 * const problems = new Problems("shop.har");
 * assert.equal(readStatus("204", "entries[0]", problems), 204);
 * assert.equal(readStatus(-1, "entries[1]", problems), undefined);
 * assert.equal(readStatus(999, "entries[2]", problems), 999);
 * assert.deepEqual(problems.sentences(), [
 *   "shop.har: a status outside 100 to 599, which HTTP doesn't have, is counted as recorded (at entries[2]).",
 * ]);
 * ```
 */
export function readStatus(value: unknown, place: string, problems: Problems): number | undefined {
  const status = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof status !== "number" || status === 0 || status === -1) return undefined;
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    problems.add("a status outside 100 to 599 is ignored, as if no response came", place);
    return undefined;
  }
  if (status > 599) {
    problems.add(
      "a status outside 100 to 599, which HTTP doesn't have, is counted as recorded",
      place,
    );
  }
  return status;
}
