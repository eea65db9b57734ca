import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import type { Report } from "../../src/report/report.ts";
import { fakeHost } from "../cli/fake_host.ts";

const BOOKSHOP = new URL("../../examples/bookshop/openapi.yaml", import.meta.url).pathname;
const RECORDINGS = ["mitmproxy.har", "ruby-vcr.yml", "traffic.jsonl"] as const;

function fixture(name: string): string {
  return new URL(`../fixtures/shows/${name}`, import.meta.url).pathname;
}

async function runForReport(...recordings: readonly string[]): Promise<Report> {
  const host = fakeHost();
  const code = await main(["report", BOOKSHOP, ...recordings, "--format", "json"], host);
  assert.equal(code, 0, host.err());
  assert.equal(host.err(), "");
  return JSON.parse(host.out());
}

/** Removes times and durations, which may differ. */
function withoutTimes(report: Report): unknown {
  return JSON.parse(
    JSON.stringify(
      report,
      (key, value) =>
        ["elapsed", "timeline"].includes(key) || key.endsWith("_at") ? undefined : value,
    ),
  );
}

/** Removes response bodies and headers, which the traffic file doesn't have. */
function withoutContent(report: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      report,
      (key, value) =>
        ["findings", "headers", "links", "media_types", "response_keywords"].includes(key) ||
          value?.criterion === "response_properties"
          ? undefined
          : value,
    ),
  );
}

Deno.test("curl through mitmproxy, Ruby VCR and a traffic file of the same requests give equal reports", async () => {
  const [har, vcr, file] = await Promise.all(
    RECORDINGS.map(async (name) => withoutTimes(await runForReport(fixture(name)))),
  );
  assert.deepEqual(vcr, har);
  assert.deepEqual(withoutContent(file), withoutContent(har));
  const { summary, traffic } = await runForReport(fixture("mitmproxy.har"));
  assert.equal(traffic.recorded, 12);
  assert.equal(traffic.matched, 12);
  assert.deepEqual(summary, {
    operations: { seen: 8, total: 16, percent: 50, succeeded: 8 },
    parameters: { seen: 16, total: 31, percent: 100 * 16 / 31 },
    keywords: { partial: 113, full: 5, total: 281, percent: 100 * 118 / 281 },
    examples: { seen: 7, total: 31, percent: 700 / 31 },
    responses: { seen: 11, total: 44, percent: 25, measured: true },
    tcl: { level: 0, missing: ["paths"], not_measured: [] },
    enforcement: { enforced: 1, not_enforced: 0, total: 260, percent: 100 / 260, measured: true },
    response_keywords: {
      seen: 277,
      violated: 4,
      total: 753,
      percent: 100 * 277 / 753,
      measured: true,
    },
    values: { seen: 59, total: 327, percent: 5900 / 327, measured: true },
  });
});

Deno.test("a recording without response bodies doesn't measure them", async () => {
  const { findings, summary } = await runForReport(fixture("traffic.jsonl"));
  assert.deepEqual(findings, []);
  assert.deepEqual(summary.response_keywords, {
    seen: 0,
    violated: 0,
    total: null,
    percent: null,
    measured: false,
  });
});

Deno.test("several recordings of the same requests give the coverage of one", async () => {
  const all = await runForReport(...RECORDINGS.map(fixture));
  const { summary } = await runForReport(fixture("mitmproxy.har"));
  assert.equal(all.traffic.recorded, 36);
  assert.deepEqual(all.summary, summary);
});
