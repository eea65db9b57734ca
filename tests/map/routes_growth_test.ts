import assert from "node:assert/strict";
import { CoveragePlan } from "../../src/map/coverage_plan.ts";
import { compileRoutes } from "../../src/map/routes.ts";
import { loadFromDict } from "../../src/openapi/load.ts";
import { readModel, referencesOf } from "../../src/openapi/read_model.ts";
import { countedWork, growthOf } from "../counted_work.ts";

/** A description in which the path of each of so many operations is made of its number. */
function describe(size: number, item: (index: number) => object, more: object = {}): object {
  const paths = Array.from({ length: size }, (_, index) => [`/p${index}`, item(index)]);
  return { openapi: "3.1.0", paths: Object.fromEntries(paths), ...more };
}

function servers(size: number, prefix: string): object[] {
  return Array.from({ length: size }, (_, index) => ({ url: `/${prefix}${index}` }));
}

function load(description: object): () => void {
  return () => {
    const documents = loadFromDict(description);
    const references = referencesOf(documents);
    void new CoveragePlan(readModel(documents, references), documents, references);
  };
}

function assertLinear(growth: readonly number[]): void {
  for (const factor of growth) assert.ok(factor < 2.3, `${growth}`);
}

Deno.test("many servers and many operations take no more work than their sum", () =>
  assertLinear(
    growthOf((size) => load(describe(size, () => ({ get: {} }), { servers: servers(size, "s") }))),
  ));

Deno.test("operations with servers of their own do not copy those of the description", () => {
  const item = (index: number) => ({
    servers: [{ url: `/i${index}` }],
    get: { servers: [{ url: `/o${index}` }] },
  });
  assertLinear(growthOf((size) => load(describe(size, item, { servers: servers(size, "s") }))));
});

for (const [where, path] of [["before", "/x/v{}-{id}"], ["behind", "/x/{id}.v{}"]] as const) {
  const operations = (size: number) =>
    Array.from({ length: size }, (_, index) => ({
      method: "GET",
      path: path.replace("{}", String(index)),
    }));

  Deno.test(`paths with text ${where} a template are compiled one after the other`, () =>
    assertLinear(growthOf((size) => {
      const all = operations(size);
      return () => {
        const routes = compileRoutes(all, {});
        routes.match("GET", "/x/1");
      };
    })));

  Deno.test(`one of many paths with text ${where} a template is found at once`, () => {
    const work = [250, 1000].map((size) => {
      const routes = compileRoutes(operations(size), {});
      const url = path.replace("{}", String(size - 1)).replace("{id}", "1");
      routes.match("GET", url);
      return countedWork(() => {
        const match = routes.match("GET", url);
        assert.equal(match.kind === "operation" && match.index, size - 1);
      });
    });
    assert.ok(Math.max(...work) < 40, `${work}`);
  });
}
