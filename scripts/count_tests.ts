/**
 * Counts the tests by kind, for docs/testing.md. Every test file is loaded and none of its tests is run, so that tests
 * made in loops count as well.
 *
 *     deno run -A scripts/count_tests.ts              prints the table
 *     deno run -A scripts/count_tests.ts --write      writes it into docs/testing.md, with the date and the commit
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

/** Tests of one kind. */
export interface TestKind {
  readonly name: string;
  /** Beginnings of paths of test files; of two kinds, the one with the longer beginning has a file. */
  readonly paths: readonly string[];
}

/** The kinds of tests, in the order of the page. */
export const TEST_KINDS: readonly TestKind[] = [
  {
    name: "units",
    paths: [
      ...["coverage_map", "files", "http", "map", "openapi", "record", "report", "run"],
      ...["schema", "suggest", "traffic", "values", "cli"],
    ].map((folder) => `tests/${folder}/`),
  },
  { name: "worked examples", paths: ["tests/worked/"] },
  { name: "conformance", paths: ["tests/conformance/"] },
  { name: "properties", paths: ["tests/property/"] },
  { name: "growth", paths: ["tests/property/growth_test.ts"] },
  { name: "fuzzing", paths: ["tests/fuzz/"] },
  { name: "real descriptions", paths: ["tests/corpus/"] },
  { name: "recordings of real tools", paths: ["tests/shows/"] },
  { name: "secrets", paths: ["tests/redact/", "tests/cli/secrets"] },
  { name: "plugins", paths: ["tests/plugins/"] },
  { name: "runners", paths: ["tests/runners/"] },
  { name: "proxy", paths: ["tests/proxy/", "tests/cli/proxy"] },
  { name: "faults", paths: ["tests/faults/"] },
  { name: "endurance", paths: ["tests/endurance/"] },
  { name: "browsers", paths: ["tests/browser/", "tests/site/"] },
  { name: "counted work", paths: ["tests/bench/"] },
  { name: "documentation", paths: ["tests/docs/"] },
  { name: "builds and scripts", paths: ["tests/scripts/", "tests/action/"] },
];

/** A row of the table. */
export interface CountedTests {
  readonly name: string;
  readonly files: number;
  readonly tests: number;
}

/**
 * Divides test files by kind. Files that belong to no kind are under their folder's path.
 *
 * @example
 * ```ts
 * import { filesByKind } from "./count_tests.ts";
 * import assert from "node:assert/strict";
 *
 * const files = filesByKind(["tests/property/growth_test.ts", "tests/other/a_test.ts"]);
 * assert.deepEqual(files.get("growth"), ["tests/property/growth_test.ts"]);
 * assert.deepEqual(files.get("tests/other"), ["tests/other/a_test.ts"]);
 * ```
 */
export function filesByKind(files: readonly string[]): Map<string, string[]> {
  const kinds = new Map<string, string[]>(TEST_KINDS.map(({ name }) => [name, []]));
  for (const file of files) {
    let kind = file.split("/").slice(0, 2).join("/");
    let longest = 0;
    for (const { name, paths } of TEST_KINDS) {
      for (const path of paths) {
        if (file.startsWith(path) && path.length > longest) [kind, longest] = [name, path.length];
      }
    }
    kinds.set(kind, [...kinds.get(kind) ?? [], file]);
  }
  for (const [kind, found] of kinds) if (found.length === 0) kinds.delete(kind);
  return kinds;
}

/** The number of tests that Deno's summary says it left out. */
export function filteredTests(output: string): number | undefined {
  // deno-lint-ignore no-control-regex -- the sequences that colour Deno's output
  const plain = output.replace(/\u001b\[[\d;]*m/g, "");
  const count = [...plain.matchAll(/\| (\d+) filtered out/g)].at(-1)?.[1];
  return count === undefined ? undefined : Number(count);
}

async function testsIn(files: readonly string[]): Promise<number> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--quiet", "--no-check", "--filter=/^$/", ...files],
    cwd: ROOT,
  }).output();
  const output = new TextDecoder().decode(stdout);
  const count = filteredTests(output);
  if (count === undefined) throw new Error(output + new TextDecoder().decode(stderr));
  return count;
}

/** The table in Markdown, with the sums in its last row. */
export function countsTable(rows: readonly CountedTests[]): string {
  const sum = (of: "files" | "tests") => rows.reduce((total, row) => total + row[of], 0);
  const cells = [...rows, { name: "all", files: sum("files"), tests: sum("tests") }]
    .map(({ name, files, tests }) => [name, String(files), tests.toLocaleString("en")]);
  const head = ["kind", "files", "tests"];
  const width = (column: number) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column))
      ).join(" | ")
    } |`;
  const rule = `| ${"-".repeat(width(0))} | ${"-".repeat(width(1) - 1)}: | ${
    "-".repeat(width(2) - 1)
  }: |`;
  return [line(head), rule, ...cells.map(line)].join("\n");
}

const BLOCK = /<!-- counts -->\n[\s\S]*?<!-- end of counts -->/;

async function main(): Promise<void> {
  const files = (await sourceFiles(ROOT, ["_test.ts", "_test.tsx"]))
    .filter((path) => path.startsWith("tests/"));
  const rows: CountedTests[] = [];
  for (const [name, paths] of filesByKind(files)) {
    rows.push({ name, files: paths.length, tests: await testsIn(paths) });
  }
  const table = countsTable(rows);
  print(table);
  if (!Deno.args.includes("--write")) return;
  const git = new Deno.Command("git", { args: ["log", "-1", "--format=%h"], cwd: ROOT });
  const commit = new TextDecoder().decode((await git.output()).stdout).trim();
  const date = new Date().toISOString().slice(0, 10);
  const path = `${ROOT}/docs/testing.md`;
  const page = await Deno.readTextFile(path);
  const block =
    `<!-- counts -->\n\nOn ${date}, with the commit ${commit}:\n\n${table}\n\n<!-- end of counts -->`;
  await Deno.writeTextFile(path, page.replace(BLOCK, () => block));
}

if (import.meta.main) await main();
