import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { growthOf } from "../counted_work.ts";

function numbered<T>(size: number, make: (index: number) => T): T[] {
  return Array.from({ length: size }, (_, index) => make(index));
}

/** Loads an operation with these parameters, records one request to it, and takes its statistic. */
function useOperation(parameters: readonly object[], query: string): () => void {
  const get = { parameters, responses: {} };
  const description = { openapi: "3.1.0", info: {}, paths: { "/a": { get } } };
  return () => {
    const map = CoverageMap.fromDict(description);
    map.record({ method: "GET", url: `/a?${query}` });
    assert.equal(map.statistic().operations.seen, 1);
  };
}

const INTEGER = { type: "integer" };

function assertLinear(growth: readonly number[]): void {
  for (const factor of growth) assert.ok(factor < 2.3, `${growth}`);
}

Deno.test("many objects in one query do not each keep the names of all others", () =>
  assertLinear(growthOf((size) =>
    useOperation(
      numbered(size, (index) => ({
        name: `q${index}`,
        in: "query",
        schema: { type: "object", properties: { [`p${index}`]: INTEGER } },
      })),
      "p1=1",
    )
  )));

Deno.test("the properties of an object that many schemas declare are each found at once", () =>
  assertLinear(growthOf((size) => {
    const allOf = numbered(size, (index) => ({ properties: { [`p${index}`]: INTEGER } }));
    const schema = { type: "object", allOf };
    return useOperation([{ name: "q", in: "query", schema }], "p1=1");
  })));

Deno.test("an object of many properties is taken from a query of as many pairs", () =>
  assertLinear(growthOf((size) => {
    const names = numbered(size, (index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, INTEGER]));
    const schema = { type: "object", properties };
    return useOperation(
      [{ name: "q", in: "query", schema }],
      names.map((name) => `${name}=1`).join("&"),
    );
  })));
