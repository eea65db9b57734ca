// Tests schemas with several recursive paths: the work to generate values must not double with each level.
import assert from "node:assert/strict";
import type { CoverageMap } from "../../mod.ts";
import { countedWork } from "../counted_work.ts";
import { RECURSIVE_SHAPES } from "../property/recursive_shapes.ts";
import { jsonContent, shopApi } from "../shop_api.ts";
import { mapOfBody } from "../json_body.ts";
import { mapFrom } from "./map_from.ts";

const SERVER = "http://localhost";

/** Limit of work for the requests in a report, about half a second. Without it, most take fifty times as long. */
const MAX_WORK = 3_000_000;

/** Repeats a shape in a chain of schemas, each referring to the next, and the last to the first or to any object. */
function inRow(schemas: Readonly<Record<string, object>>, length: number, isCircle: boolean) {
  const row = Array.from({ length }, (_, index) => {
    const next = isCircle ? (index + 1) % length : index + 1;
    return Object.entries(schemas).map(([name, schema]) => [
      `${name}${index}`,
      JSON.parse(
        JSON.stringify(schema)
          .replaceAll('schemas/N"', `schemas/N${next}"`)
          .replaceAll(/schemas\/([AB])"/g, `schemas/$1${index}"`)
          .replaceAll("example.org/n", `example.org/n${index}`),
      ),
    ]);
  });
  const last = isCircle ? {} : { [`N${length}`]: { type: "object" } };
  return { ...Object.fromEntries(row.flat()), ...last };
}

function newMap(schemas: Readonly<Record<string, object>>, name: string): CoverageMap {
  return mapOfBody({ $ref: `#/components/schemas/${name}` }, schemas, { values: false });
}

for (const [shape, { schemas }] of Object.entries(RECURSIVE_SHAPES)) {
  Deno.test(`the requests in a report take limited work: ${shape}`, () => {
    const maps = [
      newMap(structuredClone(schemas), "N"),
      ...[8, 24].flatMap((length) =>
        [true, false].map((isCircle) => newMap(inRow(schemas, length, isCircle), "N0"))
      ),
    ];
    for (const map of maps) {
      const report = map.report();
      const work = countedWork(() => {
        const { requests } = map.nextRequests(report);
        assert.ok(requests.length > 0);
      });
      assert.ok(work < MAX_WORK, `${work} steps`);
    }
  });
}

Deno.test("work grows linearly for alternatives that are the same schema", () => {
  const { schemas } = RECURSIVE_SHAPES["oneOf of a property"] ?? { schemas: {} };
  const [small = 0, large = 0] = [24, 48].map((length) => {
    const map = newMap(inRow(schemas, length, true), "N0");
    return countedWork(() => void map.suggestRequests({ server: SERVER }));
  });
  assert.ok(large < 2.4 * small, `${small} and ${large} steps`);
});

Deno.test("many operations with a difficult body take no more work in a report than one", () => {
  const { schemas } = RECURSIVE_SHAPES["unevaluated items"] ?? { schemas: {} };
  const work = (operations: number): number => {
    const post = { requestBody: jsonContent({ $ref: "#/components/schemas/N0" }) };
    const map = mapFrom(shopApi(
      Object.fromEntries(
        Array.from({ length: operations }, (_, index) => [`/p${index}`, { post }]),
      ),
      { components: { schemas: inRow(schemas, 12, true) } },
    ));
    const report = map.report();
    return countedWork(() => void map.nextRequests(report));
  };
  assert.ok(work(40) < 4 * work(1), `${work(1)} and ${work(40)} steps`);
});

Deno.test("a long text that a pattern refuses is matched only once", () => {
  const work = (count: number): number => {
    // Texts of this length are not searched for, so each candidate is matched.
    const long = { type: "string", maxLength: 20_000 + count, pattern: "^(?=^\\$)(?=^\\S+$).*$" };
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, long]),
    );
    const map = mapOfBody({ type: "object", properties }, {}, { values: false });
    return countedWork(() => void map.suggestRequests({ server: SERVER }));
  };
  const [one, eight] = [work(1), work(8)];
  assert.ok(eight < 1.5 * one, `${one} and ${eight} steps`);
});

Deno.test("a value that doubles with each level isn't generated, and others show its keywords", () => {
  const to = (level: number) => ({ $ref: `#/components/schemas/S${level}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 24 }, (_, level) => [
      `S${level}`,
      { properties: { a: to(level + 1), b: to(level + 1) }, required: ["a", "b"] },
    ]),
  );
  const map = newMap({ ...schemas, S24: { type: "integer" } }, "S0");
  const { requests, unreachable } = map.suggestRequests({ server: SERVER });
  assert.ok(requests.length > 0);
  assert.deepEqual(unreachable, []);
  for (const { request } of requests) assert.ok((request.body ?? "").length < 1_000_000);
});
