import assert from "node:assert/strict";
import { documentedChanges } from "../../scripts/docs/walkthrough.ts";
import { unknownNames } from "../../scripts/docs/named_code.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

/** The section of CONTRIBUTING.md whose code creates files. */
const WALKS = "Adding a format, a reporter, a keyword, an option or a command";

const SOURCES = new Map([
  ["mod.ts", 'export { Plan } from "./src/map/plan.ts";'],
  ["src/map/plan.ts", "export class CoveragePlan {\n  match(url: string): void {}\n}"],
  ["src/map/gaps.ts", "export function gaps(): void {}"],
  ["src/cli/plan.ts", "export const planCommand = 1;"],
]);

Deno.test("existing files, folders, functions and types are accepted", () => {
  const page = [
    "`mod.ts`, `src/map`, `src/map/`, `map/gaps.ts` with `gaps()`, `match()` of `map/plan.ts`, `gaps.ts`, and `g…s.ts`.",
    "`CoveragePlan` of `src/map/plan.ts` has `match()` and `plan.match()`.",
    "```sh",
    "cat `src/none.ts`",
    "```",
  ].join("\n");
  assert.deepEqual(unknownNames(page, SOURCES), []);
});

Deno.test("missing files, folders, functions and types are reported", () => {
  const page = "`src/gone`, `src/map/gone.ts`, `gone_….ts`, `aps.ts`, `map.ts`, `HitsStore`; " +
    "`first()`, `src/map/gaps.ts` with `match()`, and `src/map/plan.ts` with `gaps()`.";
  assert.deepEqual(unknownNames(page, SOURCES), [
    "`src/gone` is no file or folder.",
    "`src/map/gone.ts` is no file or folder.",
    "`gone_….ts` is no file or folder.",
    "`aps.ts` is no file or folder.",
    "`map.ts` is no file or folder.",
    "`HitsStore` is no type of the sources.",
    "`first()` stands with no file.",
    "`match()` is not declared in src/map/gaps.ts.",
    "`gaps()` is not declared in src/map/plan.ts.",
  ]);
});

/** Every file of the project, with the text of source files. */
async function projectSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const path of await sourceFiles(`${ROOT}/tests/fixtures`, [""])) {
    sources.set(`tests/fixtures/${path}`, "");
  }
  for (const path of await sourceFiles(ROOT, [""])) {
    const isCode = /\.tsx?$/.test(path);
    sources.set(path, isCode ? await Deno.readTextFile(`${ROOT}/${path}`) : "");
  }
  return sources;
}

for (const page of ["CONTRIBUTING.md", "docs/architecture.md"]) {
  Deno.test(`${page} only names existing files, functions and types`, async () => {
    const text = await Deno.readTextFile(`${ROOT}/${page}`);
    const sources = await projectSources();
    // Files that the walks create may be named.
    for (const { path, kind, text: added } of documentedChanges(text, WALKS)) {
      if (kind === "file") sources.set(path, added);
    }
    assert.deepEqual(unknownNames(text, sources), []);
  });
}

for (const page of ["docs/decisions.md", "docs/performance.md", "docs/testing.md"]) {
  Deno.test(`${page} only names existing files`, async () => {
    const files = [
      ...(await Deno.readTextFile(`${ROOT}/${page}`)).matchAll(/`(src|scripts|tests)\/[^`]+`/g),
    ];
    assert.ok(files.length > 0);
    assert.deepEqual(unknownNames(files.join("\n"), await projectSources()), []);
  });
}
