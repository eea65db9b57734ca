// Tests small descriptions whose counters were all worked out by hand from the semantics (tests/fixtures/worked).
import assert from "node:assert/strict";
import type { Report } from "../../mod.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { FOLDER, jsonIn, loadMap, readTraffic, recordedIn, workedNames } from "./worked_fixture.ts";

/** The part of a report that a fixture states. */
function stated(report: Report): unknown {
  const { operations, parameters, keywords, examples, responses } = report.summary;
  const seen = ({ seen, total }: { seen: number; total: number }) => ({ seen, total });
  return {
    summary: {
      operations: seen(operations),
      parameters: seen(parameters),
      keywords: { partial: keywords.partial, full: keywords.full, total: keywords.total },
      examples: seen(examples),
      responses: seen(responses),
    },
    operations: report.operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      hits: operation.hits,
      parameters: operation.parameters.map((parameter) => ({
        location: parameter.location,
        parameter: parameter.parameter,
        hits: parameter.hits,
        keyword_total: parameter.keyword_total,
        malformed: parameter.malformed,
        not_recorded: parameter.not_recorded,
        unsupported: parameter.unsupported,
        keywords: Object.fromEntries(
          parameter.keywords.map(({ schema_path, valid, invalid, satisfiability }) => [
            schema_path,
            [valid, invalid, satisfiability],
          ]),
        ),
        examples: Object.fromEntries(
          parameter.examples.map(({ schema_path, hits }) => [schema_path, hits]),
        ),
      })),
      responses: Object.fromEntries(
        operation.responses.map(({ status_code, hits }) => [status_code, hits]),
      ),
      undocumented_responses: Object.fromEntries(
        operation.undocumented_responses.map(({ status_code, hits }) => [status_code, hits]),
      ),
    })),
    unmatched: report.unmatched.map(({ method, host, path, reason, count }) => ({
      method,
      host,
      path,
      reason,
      count,
    })),
    suggested_base_path: report.suggested_base_path,
    diagnostic_pointers: report.diagnostics
      .filter(({ severity }) => severity !== "info")
      .map(({ schema_path }) => schema_path)
      .sort(),
  };
}

for (const name of workedNames()) {
  Deno.test(`all counters equal those worked out by hand: ${name}`, async () => {
    const folder = FOLDER + name;
    const report = (await recordedIn(folder)).report();
    assert.deepEqual(stated(report), jsonIn(`${folder}/expected.json`));
    assertPossibleCounts(report);
  });

  Deno.test(`parts that are recorded separately add up: ${name}`, async () => {
    const folder = FOLDER + name;
    const merged = await loadMap(folder);
    for (const { request, response, timestamp } of readTraffic(folder).toReversed()) {
      const part = await loadMap(folder);
      part.record(request, response, timestamp);
      merged.mergeHits(part.exportHits());
    }
    const generatedAt = "2026-01-31T12:00:00Z";
    const whole = await recordedIn(folder);
    assert.deepEqual(merged.report({ generatedAt }), whole.report({ generatedAt }));
  });
}
