// What a request closes, in the unit of the number of gaps.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CoverageMap, type Report } from "../../mod.ts";
import { closedGapsIn } from "../../src/report/closed_gaps.ts";
import { gapCounts } from "../../src/report/gap_counts.ts";

const BOOKSHOP = new URL("../../examples/bookshop/", import.meta.url);

async function bookshop(): Promise<CoverageMap> {
  const map = await CoverageMap.fromPath(fileURLToPath(new URL("openapi.yaml", BOOKSHOP)));
  const { interactions } = JSON.parse(readFileSync(new URL("traffic.json", BOOKSHOP), "utf8"));
  for (const { request, response } of interactions) map.record(request, response);
  return map;
}

Deno.test("a request closes as many gaps as the number of gaps falls by", async () => {
  const map = await bookshop();
  const report = map.report();
  const totalOf = ({ summary, traffic }: Report): number => gapCounts(summary, traffic).total;
  const before = totalOf(report);
  const closedGaps = closedGapsIn(report);
  const { requests } = map.nextRequests(report);
  let [closedSome, halvedSome] = [0, 0];
  for (const { request, closes } of requests.slice(0, 40)) {
    const { closed, halved } = closedGaps(closes);
    const after = await bookshop();
    const { keywords } = after.statistic();
    after.record({ ...request, url: request.url.replace("$SERVER", "http://localhost") });
    // Others may have been chosen for some of it before, so it closes that much at least.
    const fallen = before - totalOf(after.report());
    assert.ok(fallen >= closed, `${request.method} ${request.url}: ${fallen} < ${closed}`);
    const { partial, full } = after.statistic().keywords;
    assert.ok(partial + full - keywords.partial - keywords.full >= halved);
    if (closed > 0) closedSome++;
    if (halved > 0) halvedSome++;
  }
  assert.ok(closedSome > 5 && halvedSome > 5, `${closedSome}, ${halvedSome}`);
  const [best] = requests;
  assert.ok(best);
  const { closed, halved } = closedGaps(best.closes);
  const after = await bookshop();
  after.record({ ...best.request, url: best.request.url.replace("$SERVER", "http://localhost") });
  assert.equal(totalOf(after.report()), before - closed);
  assert.ok(halved > 0);
});
