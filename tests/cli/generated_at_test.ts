import assert from "node:assert/strict";
import { generatedAt } from "../../src/cli/generated_at.ts";

Deno.test("a report carries the time of now, in whole seconds of UTC", () => {
  assert.equal(generatedAt({}, 1769860800_123), "2026-01-31T12:00:00Z");
  assert.equal(generatedAt({ SOURCE_DATE_EPOCH: "" }, 1769860800_123), "2026-01-31T12:00:00Z");
});

Deno.test("SOURCE_DATE_EPOCH takes the place of now", () => {
  assert.equal(generatedAt({ SOURCE_DATE_EPOCH: "1700000000" }, 0), "2023-11-14T22:13:20Z");
  assert.equal(generatedAt({ SOURCE_DATE_EPOCH: "0" }, 5), "1970-01-01T00:00:00Z");
});

Deno.test("a SOURCE_DATE_EPOCH that is no number of seconds is an error", () => {
  for (const epoch of ["yesterday", "-1", "1.5", "9".repeat(20)]) {
    assert.throws(() => generatedAt({ SOURCE_DATE_EPOCH: epoch }, 0), {
      name: "CommandError",
      message:
        `SOURCE_DATE_EPOCH is "${epoch}". It has to be a whole number of seconds since 1970.`,
    });
  }
});
