import fc from "fast-check";
import assert from "node:assert/strict";
import { ApiMaps, SingleApiHits } from "../../src/coverage_map/api_maps.ts";
import { splitHitsLines } from "../../src/map/hits_file/read_hits.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { concatBytes } from "../../src/values/collections.ts";
import { RecordingError } from "../../src/values/errors.ts";

/** A description with a few operations under a server's path. */
function description(title: string, server?: string) {
  return {
    openapi: "3.1.0",
    info: { title, version: "1" },
    ...(server !== undefined && { servers: [{ url: server }] }),
    paths: {
      "/items": {
        get: {
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
          responses: { 200: { description: "Items" } },
        },
      },
      "/items/{id}": { get: { responses: { 200: { description: "An item" } } } },
    },
  };
}

const PREFIXES = ["/a", "/b", "/b/c"] as const;

function mapAt(prefix: string): MeasuredApi {
  return MeasuredApi.fromDict(description(prefix), { basePath: prefix, location: prefix });
}

const sent = fc.record({
  method: fc.constantFrom("GET", "POST"),
  prefix: fc.constantFrom(...PREFIXES),
  path: fc.constantFrom("/items", "/items/7", "/items?limit=3", "/items?limit=x", "/gone"),
  host: fc.constantFrom("http://localhost:8080", "https://api.example", ""),
});

/** Only a few runs, because each makes several maps. */
const RUNS = { numRuns: 40 };

type Sent = typeof sent extends fc.Arbitrary<infer Value> ? Value : never;

function record(target: Pick<MeasuredApi, "record">, { method, prefix, path, host }: Sent): void {
  target.record({ method, url: `${host}${prefix}${path}` }, { status_code: 200 });
}

function report(map: MeasuredApi) {
  return map.report({ generatedAt: "" });
}

Deno.test("each of several APIs with different base paths counts as if it had seen its traffic alone", () => {
  fc.assert(
    fc.property(fc.array(sent), (traffic) => {
      const maps = new ApiMaps(PREFIXES.map((name) => ({ name, map: mapAt(name) })));
      for (const one of traffic) record(maps, one);
      for (const [index, name] of PREFIXES.entries()) {
        const alone = mapAt(name);
        for (const one of traffic) if (one.prefix === name) record(alone, one);
        assert.deepEqual(maps.apis[index] && report(maps.apis[index].map), report(alone));
      }
    }),
    RUNS,
  );
});

Deno.test("an API among several counts as it does alone", () => {
  fc.assert(fc.property(fc.array(sent), (traffic) => {
    const alone = MeasuredApi.fromDict(description("B", "https://api.example/b"));
    const map = MeasuredApi.fromDict(description("B", "https://api.example/b"));
    const maps = new ApiMaps([{ name: "B", map }]);
    for (const one of traffic) {
      record(alone, one);
      record(maps, one);
    }
    assert.deepEqual(report(map), report(alone));
    assert.deepEqual(maps.traffic(), alone.traffic());
  }));
});

Deno.test("hits of several APIs are merged into the right APIs in any order", () => {
  fc.assert(
    fc.property(fc.array(sent), fc.nat(), (traffic, cut) => {
      const fresh = () => new ApiMaps(PREFIXES.map((name) => ({ name, map: mapAt(name) })));
      const [whole, left, right, merged] = [fresh(), fresh(), fresh(), fresh()];
      traffic.forEach((one, index) => {
        record(whole, one);
        record(index < cut % 9 ? left : right, one);
      });
      merged.mergeHits(right.exportHits());
      merged.mergeHits(left.exportHits());
      assert.deepEqual(
        merged.apis.map(({ map }) => report(map)),
        whole.apis.map(({ map }) => report(map)),
      );
    }),
    RUNS,
  );
});

Deno.test("hits of APIs with the same description are told apart by name", () => {
  const fresh = () =>
    new ApiMaps(["Green", "Blue"].map((name) => ({
      name,
      map: MeasuredApi.fromDict(description("Shop"), { hosts: [`${name.toLowerCase()}.example`] }),
    })));
  const maps = fresh();
  maps.record({ method: "GET", url: "https://blue.example/items" });
  const merged = fresh();
  merged.mergeHits(maps.exportHits());
  assert.deepEqual(merged.apis.map(({ map }) => map.traffic().matched), [0, 1]);
});

Deno.test("hits of an unknown API are refused with a message that names all APIs", () => {
  const maps = new ApiMaps([{ name: "A", map: mapAt("/a") }, { name: "B", map: mapAt("/b") }]);
  const other = MeasuredApi.fromDict(description("Elsewhere"), { location: "else.yaml" });
  assert.throws(
    () => maps.mergeHits(other.exportHits(), { location: "x.hits" }),
    (error: Error) =>
      error instanceof RecordingError &&
      /hits of "Elsewhere" \(else\.yaml\), which is none of the APIs A, B/.test(error.message),
  );
});

Deno.test("hits of an earlier version of a description are carried over on request", () => {
  const earlier = description("Shop");
  const now = { ...description("Shop"), tags: [{ name: "new" }] };
  const maps = new ApiMaps([
    { name: "Users", map: mapAt("/a") },
    { name: "Shop", map: MeasuredApi.fromDict(now) },
  ]);
  const old = MeasuredApi.fromDict(earlier);
  old.record({ method: "GET", url: "/items" });
  assert.throws(() => maps.mergeHits(old.exportHits()), /has changed.*--carry/);
  assert.deepEqual(maps.mergeHits(old.exportHits(), { carry: true }), []);
  assert.deepEqual(maps.apis.map(({ map }) => map.traffic().matched), [0, 1]);
  const moved = JSON.parse(JSON.stringify(now).replaceAll("/items", "/things"));
  const next = new ApiMaps([{ name: "Shop", map: MeasuredApi.fromDict(moved) }]);
  assert.deepEqual(next.mergeHits(old.exportHits(), { carry: true }), [
    { kind: "operation", operation: "GET /items", hits: 1, api: "Shop" },
  ]);
});

Deno.test("of the hits of two versions of an API with one title, those of one are read", () => {
  const shop = (version: number, later: object = {}) =>
    MeasuredApi.fromDict({
      ...description("Shop", `/v${version}`),
      tags: [{ name: version }],
      ...later,
    });
  const exported = (...versions: readonly number[]): Uint8Array => {
    const maps = new ApiMaps(versions.map((one) => ({ name: `v${one}`, map: shop(one) })));
    for (const one of versions) maps.record({ method: "GET", url: `/v${one}/items` });
    return maps.exportHits();
  };
  const read = (map: MeasuredApi, bytes: Uint8Array, carry = false): number => {
    const hits = new SingleApiHits(map);
    for (const line of splitHitsLines(bytes)) hits.add(line, { location: "team.hits", carry });
    hits.end();
    return map.traffic().matched;
  };
  for (const versions of [[1, 2], [2, 1]]) assert.equal(read(shop(2), exported(...versions)), 1);
  const changed = { version: 9 }; // something in the description has changed since
  const later = new ApiMaps([{ name: "v2", map: shop(2, changed) }]);
  later.record({ method: "GET", url: "/v2/items" });
  const all = concatBytes([exported(1, 2), later.exportHits()]);
  assert.equal(read(shop(2, changed), all, true), 2);
  for (const hits of [exported(1), all]) {
    assert.throws(() => read(shop(2, changed), hits), /hits of a different description/);
  }
});

Deno.test("what hits of one of several APIs lose is known once all lines are read", () => {
  const old = new ApiMaps([{ name: "Shop", map: MeasuredApi.fromDict(description("Shop")) }]);
  old.record({ method: "GET", url: "/items" });
  for (const title of ["Shop", "Store"]) {
    const moved = JSON.parse(JSON.stringify(description(title)).replaceAll("/items", "/things"));
    const hits = new SingleApiHits(MeasuredApi.fromDict(moved));
    hits.add(old.exportHits(), { carry: true });
    assert.deepEqual(hits.end(), [{ kind: "operation", operation: "GET /items", hits: 1 }]);
  }
});

Deno.test("record() of several APIs refuses a value that isn't a request", () => {
  const maps = new ApiMaps([{ name: "A", map: mapAt("/a") }]);
  assert.throws(() => maps.record({ method: "GET" } as never), TypeError);
});

Deno.test("interactions with a count are counted that often, even if two APIs match", () => {
  const maps = new ApiMaps([
    { name: "a", map: mapAt("/same") },
    { name: "b", map: mapAt("/same") },
  ]);
  maps.record({ method: "GET", url: "/same/items" }, undefined, undefined, undefined, { count: 7 });
  maps.record({ method: "GET", url: "/same/items" });
  maps.record({ method: "GET", url: "/gone" }, undefined, undefined, undefined, { count: 2 });
  assert.deepEqual(maps.traffic(), { recorded: 10, matched: 8 });
  assert.deepEqual(maps.ties().map(({ requests }) => requests), [8]);
});
