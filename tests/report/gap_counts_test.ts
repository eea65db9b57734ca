import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CoverageMap, type Report } from "../../mod.ts";
import { closedGapsIn, type GapCounts, gapCounts, gapShare } from "../../src/report/gap_counts.ts";
import { gapWeight, operationGaps } from "../../src/report/html/app/model/gaps.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { GAP_KINDS } from "../../src/report/wording/gap_wording.ts";
import { pageModel } from "./page_model.ts";
import { FOLDER, loadMap, readTraffic, workedNames } from "../worked/worked_fixture.ts";

const KINDS = [...GAP_KINDS, "total"] as const;
const BOOKSHOP = fileURLToPath(new URL("../../examples/bookshop", import.meta.url));

/** All fixtures, and the bookshop, which is a complete API. */
const FOLDERS = [...workedNames().map((name) => FOLDER + name), BOOKSHOP];

function assertReconciled(report: Report, where: string): void {
  const { total } = gapCounts(report.summary, report.traffic);
  const model = pageModel(report);
  for (const kind of [...KINDS, "parts"] as const) {
    const sum = model.operations.reduce((sum, { gaps }) => sum + gaps[kind], 0);
    assert.equal(sum, model.gaps[kind], `${where}: ${kind}`);
  }
  assert.equal(model.gaps.total, total, where);
  const { examples, keywords } = report.summary;
  assert.equal(model.gaps.example, examples.total - examples.seen, where);
  assert.equal(model.gaps.keyword, keywords.total - keywords.full, where);
  for (const operation of model.operations) {
    const list = operationGaps(operation);
    for (const kind of KINDS) {
      const kinds = new Set(kind === "total" ? [] : [kind]);
      const listed = list.reduce((sum, gap) => sum + gapWeight(gap, kinds), 0);
      assert.equal(listed, operation.gaps[kind], `${where}: ${operation.key} ${kind}`);
    }
  }
}

function countAll(map: CoverageMap): GapCounts[] {
  const { operations, summary, traffic } = map.report();
  return [summary, ...operations.map((operation) => operation.summary)].map((counts) =>
    gapCounts(counts, traffic)
  );
}

for (const folder of FOLDERS) {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  Deno.test(`bars, lists and totals of gaps agree, with and without traffic: ${name}`, async () => {
    const map = await loadMap(folder);
    assertReconciled(map.report(), "nothing recorded");
    recordBatch(map, readTraffic(folder));
    assertReconciled(map.report(), "all recorded");
  });

  Deno.test(`the number of gaps never grows with more traffic: ${name}`, async () => {
    const map = await loadMap(folder);
    map.record({ method: "GET", url: "/", headers: { host: "localhost" } }, { status_code: 200 });
    let before = countAll(map);
    for (const { request, response, timestamp } of readTraffic(folder).slice(0, 60)) {
      map.record(request, response, timestamp);
      const after = countAll(map);
      after.forEach((counts, index) => {
        for (const kind of KINDS) {
          assert.ok(counts[kind] <= (before[index]?.[kind] ?? 0), `${kind} ${request.url}`);
        }
        assert.equal(counts.parts, before[index]?.parts);
      });
      before = after;
    }
  });
}

Deno.test("gapShare() is the share that is missing, and 0 if there is nothing", () => {
  const none = { seen: 0, total: 0 };
  const keywords = { partial: 0, full: 0, total: 0 };
  const counts = { operations: none, parameters: none, keywords, examples: none, responses: none };
  assert.equal(gapShare(gapCounts(counts, { recorded: 1 })), 0);
  assert.equal(
    gapShare(gapCounts({ ...counts, operations: { seen: 1, total: 4 } }, { recorded: 1 })),
    0.75,
  );
});

async function bookshop(): Promise<CoverageMap> {
  const map = await CoverageMap.fromPath(`${BOOKSHOP}/openapi.yaml`);
  const { interactions } = JSON.parse(readFileSync(`${BOOKSHOP}/traffic.json`, "utf8"));
  recordBatch(map, interactions);
  return map;
}

Deno.test("a request closes as many gaps as the total falls by", async () => {
  const map = await bookshop();
  const report = map.report();
  const total = ({ summary, traffic }: Report): number => gapCounts(summary, traffic).total;
  const before = total(report);
  const closedGaps = closedGapsIn(report);
  const { requests } = map.nextRequests(report);
  let [closedSome, halvedSome] = [0, 0];
  for (const [index, { request, closes }] of requests.slice(0, 12).entries()) {
    const { closed, halved } = closedGaps(closes);
    const after = await bookshop();
    const { keywords } = after.statistic();
    after.record({ ...request, url: request.url.replace("$SERVER", "http://localhost") });
    // It closes at least that many: earlier requests may have closed some of its gaps.
    const fallen = before - total(after.report());
    assert.ok(fallen >= closed, `${request.method} ${request.url}: ${fallen} < ${closed}`);
    if (index === 0) assert.equal(fallen, closed);
    const { partial, full } = after.statistic().keywords;
    assert.ok(partial + full - keywords.partial - keywords.full >= halved);
    if (closed > 0) closedSome++;
    if (halved > 0) halvedSome++;
  }
  assert.ok(closedSome > 5 && halvedSome > 5, `${closedSome}, ${halvedSome}`);
});
