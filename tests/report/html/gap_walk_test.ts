import assert from "node:assert/strict";
import { isDimensionGap } from "../../../src/map/results.ts";
import { type GapStop, nextGap, operationGaps } from "../../../src/report/html/app/model/gaps.ts";
import type { Model } from "../../../src/report/html/app/model/model.ts";
import { parseSpot, spotName } from "../../../src/report/html/app/model/route.ts";
import type { Report } from "../../../src/report/report.ts";
import { runCovtool } from "../../cli/fake_host.ts";
import { sampleReport } from "../../browser/sample_report.ts";
import { pageModel } from "../page_model.ts";

const shop = (): Model => pageModel(sampleReport("shop"));

function walk(model: Model, direction: 1 | -1): GapStop[] {
  const stops: GapStop[] = [];
  let stop = nextGap(model, null, "", direction);
  while (stop !== null) {
    stops.push(stop);
    stop = nextGap(model, stop.operation, stop.gap.at, direction);
  }
  return stops;
}

Deno.test("nextGap() visits every gap once, numbered in the order of the operations", () => {
  const model = shop();
  const stops = walk(model, 1);
  assert.equal(stops[0]?.first, 1);
  assert.equal(stops.at(-1)?.last, model.gaps.total);
  stops.forEach(({ first, operation }, index) => {
    const before = stops[index - 1];
    assert.equal(first, (before?.last ?? 0) + 1);
    assert.ok(operation.index >= (before?.operation.index ?? 0));
  });
});

Deno.test("nextGap() returns the same way backwards", () => {
  const model = shop();
  const names = (stops: GapStop[]): string[] =>
    stops.map(({ operation, gap }) => `${operation.key} ${gap.at}`);
  assert.deepEqual(names(walk(model, -1)), names(walk(model, 1)).toReversed());
});

Deno.test("nextGap() continues from a place that isn't a gap", () => {
  const model = shop();
  const operation = model.byKey.get("PATCH:/books/{book_id}");
  assert.ok(operation);
  assert.match(nextGap(model, operation, "p1", 1)?.gap.at ?? "", /^k1\./);
  assert.match(nextGap(model, operation, "p1", -1)?.gap.at ?? "", /^k0\./);
  assert.equal(nextGap(model, operation, "l0.5", 1)?.operation.index, operation.index + 1);
});

Deno.test("operationGaps() finds the gaps of the report with their ids", async () => {
  const shop = new URL("../../../examples/bookshop/", import.meta.url).pathname;
  const files = [`${shop}openapi.yaml`, `${shop}traffic.json`];
  const { out } = await runCovtool(["report", "--no-config", ...files, "--format", "json"]);
  const report = JSON.parse(out) as Report;
  const model = pageModel(report);
  assert.deepEqual(
    model.operations.flatMap((one) => operationGaps(one).flatMap(({ ids }) => ids)),
    report.gaps.filter(isDimensionGap).map(({ id }) => id),
  );
});

Deno.test("parseSpot() reads only what spotName() writes", () => {
  for (const name of ["o0", "p3", "k2.14", "e0.1", "r4", "l1.300"]) {
    const spot = parseSpot(name);
    assert.ok(spot);
    assert.equal(spotName(spot.kind, spot.index, name.includes(".") ? spot.row : undefined), name);
  }
  for (const name of ["", "3", "x1", "k1.", "k-1", "o0 onclick", "k1.2.3"]) {
    assert.equal(parseSpot(name), null);
  }
});
