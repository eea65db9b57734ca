import assert from "node:assert/strict";
import { importProblems, importSpecifiers } from "../../scripts/check_imports.ts";

function problems(sources: Readonly<Record<string, string>>): string[] {
  return importProblems(new Map(Object.entries(sources)));
}

Deno.test("importSpecifiers() finds static, re-exported, dynamic and type imports, but not in comments", () => {
  const source = `import { a } from "./a.ts";
import type { B } from "./b.ts";
import { type C, type D } from "./c.ts";
import { type E, f } from "./e.ts";
import "./effect.ts";
export {
  g,
} from "./g.ts";
export * from "./h.ts";
import data from "./data.json" with { type: "json" };
/**
 * import { no } from "./no.ts";
 * await import("./no.ts")
 */
// import("./no.ts")
const late = await import("./late.ts");
`;
  assert.deepEqual(importSpecifiers(source), [
    ...["./a.ts", "./b.ts", "./c.ts", "./e.ts", "./effect.ts", "./g.ts", "./h.ts", "./data.json"],
    "./late.ts",
  ]);
});

Deno.test("imports that violate the table are reported, including types", () => {
  const against: readonly [string, string][] = [
    ["src/values/a.ts", "../http/a.ts"],
    ["src/http/a.ts", "../map/plan.ts"],
    ["src/schema/a.ts", "../http/a.ts"],
    ["src/openapi/a.ts", "../map/plan.ts"],
    ["src/traffic/a.ts", "../map/plan.ts"],
    ["src/traffic/a.ts", "../record/record.ts"],
    ["src/plugins/a.ts", "../map/results.ts"],
    ["src/report/a.ts", "../map/plan.ts"],
    ["src/report/a.ts", "./build/build_report.ts"],
    ["src/map/a.ts", "../record/a.ts"],
    ["src/map/a.ts", "../cli/a.ts"],
    ["src/record/a.ts", "../traffic/a.ts"],
    ["src/run/a.ts", "../cli/a.ts"],
    ["src/cli/a.ts", "../runners/a.ts"],
    ["src/runners/a.ts", "../cli/a.ts"],
    ["mod.ts", "./src/cli/main.ts"],
    ["mod.ts", "./src/proxy/serve.ts"],
    ["cli.ts", "./src/coverage_map/a.ts"],
  ];
  for (const [path, specifier] of against) {
    const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
    assert.deepEqual(
      problems({ [path]: `import type { A } from "${specifier}";` }),
      [`${path}: may not import ${target}.`],
    );
  }
});

Deno.test("a cycle is reported completely, even if only types close it", () => {
  const sources = (keyword: string) => ({
    "src/map/a.ts": `import { b } from "./b.ts";`,
    "src/map/b.ts": `import { c } from "./c.ts";`,
    "src/map/c.ts": `${keyword} { a } from "./a.ts";`,
  });
  for (const keyword of ["import", "import type"]) {
    assert.deepEqual(problems(sources(keyword)), [
      "src/map/a.ts: imports itself: src/map/a.ts → src/map/b.ts → src/map/c.ts → src/map/a.ts.",
    ]);
  }
});

Deno.test("the core may use neither Deno nor node: modules, except in comments", () => {
  const sentence = "the core runs everywhere, so it may use neither Deno nor node: modules.";
  assert.deepEqual(problems({ "src/map/a.ts": `Deno.exit(1);` }), [`src/map/a.ts: ${sentence}`]);
  assert.deepEqual(problems({ "src/map/a.ts": `import fs from "node:fs";` }), [
    `src/map/a.ts: ${sentence}`,
  ]);
  assert.deepEqual(
    problems({ "src/map/a.ts": `/**\n * Deno.serve(handler)\n */\n// Deno.exit(1)` }),
    [],
  );
});

Deno.test("a module without a rule is reported", () => {
  const [problem] = problems({ "src/new_thing.ts": "" });
  assert.match(problem ?? "", /^src\/new_thing\.ts: no rule says what it may import/);
});
