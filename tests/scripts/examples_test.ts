import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { exampleModule, examplesIn } from "../../scripts/docs/examples.ts";
import { runLimited } from "../../scripts/run_tests.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

const FENCE = "`".repeat(3);

Deno.test("examplesIn() finds code in comments and pages, with the line where it begins", () => {
  const comment = [
    "/**",
    " * Adds.",
    ` * ${FENCE}ts`,
    " * add(1);",
    " *",
    " *   add(2);",
    ` * ${FENCE}`,
    " */",
  ];
  assert.deepEqual(examplesIn(comment.join("\n")), [{ line: 4, code: "add(1);\n\n  add(2);\n" }]);
  const page = [`- one:`, `  ${FENCE}ts`, "  f();", "", "  g();", `  ${FENCE}`];
  assert.deepEqual(examplesIn(page.join("\r\n")), [{ line: 3, code: "f();\n\ng();\n" }]);
  for (const language of ["ts ignore", "json", ""]) {
    assert.deepEqual(examplesIn([`${FENCE}${language}`, "x", FENCE].join("\n")), []);
  }
});

Deno.test("exampleModule() imports like the file, and doesn't change texts", () => {
  const code = `import { a, type B } from "./a.ts";
import {
  c,
} from "../c.ts";
import "koa";
import d from "node:d";
const text = 'import { e } from "./e.ts"';
const f = await import("./f.ts");
`;
  const path = `${ROOT}/docs/deep/page.md`;
  const url = (name: string) => pathToFileURL(`${ROOT}/docs/${name}`).href;
  assert.equal(
    exampleModule("page.md:1", path, code, { koa: "npm:koa@3" }),
    `import { a, type B } from "${url("deep/a.ts")}";
import {
  c,
} from "${url("c.ts")}";
import "npm:koa@3";
import d from "node:d";
Deno.test("page.md:1", async () => {




const text = 'import { e } from "./e.ts"';
const f = await import("${url("deep/f.ts")}");
});
`,
  );
});

Deno.test("an example that fails has a name that says where it is", () =>
  inFolder({}, async (folder) => {
    const code = 'import assert from "node:assert/strict";\nassert.equal(1, 2);\n';
    const path = `${folder}/all_test.ts`;
    await Deno.writeTextFile(path, exampleModule("docs/a.md:7", `${ROOT}/docs/a.md`, code, {}));
    const args = ["test", "--no-check", path];
    const { code: exit, output } = await runLimited(args, 60_000, { NO_COLOR: "1" });
    assert.notEqual(exit, 0);
    assert.match(output, /^docs\/a\.md:7 \.\.\. FAILED/m);
  }));
