import assert from "node:assert/strict";
import { compileRoutes } from "../../src/map/routes.ts";
import { countedWork, workGrowth } from "../counted_work.ts";

for (const [where, path] of [["before", "/x/v{}-{id}"], ["behind", "/x/{id}.v{}"]] as const) {
  const operations = (size: number) =>
    Array.from({ length: size }, (_, index) => ({
      method: "GET",
      path: path.replace("{}", String(index)),
    }));

  Deno.test(`the time to compile paths with text ${where} a template grows linearly`, () => {
    for (
      const factor of workGrowth((size) => {
        const all = operations(size);
        return () => void compileRoutes(all, {}).match("GET", "/x/1");
      })
    ) assert.ok(factor < 2.3, `${factor}`);
  });

  Deno.test(`finding one of many paths with text ${where} a template takes constant time`, () => {
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
