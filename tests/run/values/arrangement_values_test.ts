import assert from "node:assert/strict";
import { formatMessage } from "@optique/core/message";
import { groupingValue, sortingValue } from "../../../src/run/values/arrangement_values.ts";
import { topValue } from "../../../src/run/values/top_value.ts";
import { readRunOptions } from "../../../src/runners/run_options.ts";

function errorOf(result: ReturnType<ReturnType<typeof groupingValue>["parse"]>): string {
  return result.success ? "" : formatMessage(result.error, { quotes: false });
}

Deno.test("an unknown grouping or order suggests the one that was meant", () => {
  assert.equal(
    errorOf(groupingValue().parse("tags")),
    'Unknown grouping "tags". Did you mean tag? Choose tag or path.',
  );
  const result = sortingValue().parse("gap");
  assert.match(
    result.success ? "" : formatMessage(result.error, { quotes: false }),
    /Did you mean gaps\? Choose gaps, hits, coverage or path\.$/,
  );
});

Deno.test("--top takes a whole number or all", () => {
  assert.deepEqual(topValue().parse("10"), { success: true, value: 10 });
  assert.deepEqual(topValue().parse("All"), { success: true, value: "all" });
  for (const wrong of ["-1", "1.5", "", "many"]) {
    assert.equal(topValue().parse(wrong).success, false, wrong);
  }
});

Deno.test("test runners take groupBy, sort and top, and check them", () => {
  const { options } = readRunOptions(
    { schema: "openapi.yaml", groupBy: "tag", sort: "gaps", top: "all" },
    "vitest",
  );
  assert.deepEqual([options.groupBy, options.sort, options.top], ["tag", "gaps", "all"]);
  assert.throws(
    () => readRunOptions({ schema: "openapi.yaml", top: -1 }, "vitest"),
    /vitest: top must be a number of operations, or "all"\./,
  );
  assert.throws(
    () => readRunOptions({ schema: "a.yaml", sort: "name" as "path" }, "vitest"),
    /sort: Unknown order "name"\. Did you mean path\?/,
  );
});
