/**
 * Keeps the house from growing unnoticed: counts files and lines of TypeScript and the modules that a report loads, and
 * fails above the limits below.
 *
 *     deno run -A scripts/check_size.ts
 *
 * @module
 */
import { finish, print } from "./print.ts";
import { runOrThrow } from "./run.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

interface SizeLimit {
  /** Beginnings of paths. */
  readonly folders: readonly string[];
  readonly lines: number;
  readonly files: number;
}

/** A capability that needs more raises these, with a line here that says for what. */
const LIMITS: readonly SizeLimit[] = [
  // Hits without values, links of responses and marks of values on the page took 240; gaps for classes of values, and the
  // fewest requests that show all of them, 1,050 and 3 files; finding these in time in proportion to the classes, 85. What
  // pages still receive at the end of a test took 31, and 35 of tests; words for what is between limits, and for values that
  // aren't counted, 53 and 70; the shortest way to a class of a recursive schema, 37 and 25. Giving the reason of an entry
  // where none can be read, and ending covtool probe with its last answer, took 27, and 26 of tests; telling what changed
  // by what it is about, not by its words, 7; counting nothing that no request can carry, or nobody can tell, 45 and 93; all expressions of links, 22 and 31; all expressions of links, 22 and 31; files of tests as formatters lay them out, 106;
  // noting where the only broken keyword of a value is, 42; loading less at every start, 13; files in the place of folders, and empty texts, 22;
  // lookaheads that begin with ^, 6; errors of check for programs, 24;
  // the only rule that a response breaks, 8; URLs that cannot be read, 8; chains of calls on one line, 1; names of files with room for any tag, 4; who is meant by probe --identities, 17.
  { folders: ["src/"], lines: 96_209, files: 619 },
  // What ends covtool mutate and its tests, and what it shows of failures, took 105.
  // Sending the conformance set by all clients in one process, in a third of the time, took 130; beginning with
  // folders that take long, 6; where entries that merge keys share are written, 11; long lines in those, 62;
  // a schema false as that keyword, 22; tests of both, 30;
  // lookaheads that begin with ^, 26; tests of both, 34; tests of both, 5; config files of PowerShell, 10; tests of both, 9; tests of both, 46.
  { folders: ["tests/", "scripts/"], lines: 84_414, files: 662 },
];

/** The modules that `covtool report` loads to write a page or a text: each of these and what it imports. */
const REPORT = [
  ...["cli.ts", "src/cli/main.ts", "src/cli/report.ts", "src/coverage_map/suggest_for.ts"],
];
const MAX_REPORT_MODULES = 402;

/** The modules of the project that some of its modules load before anything else is asked for. */
export function loadedModules(
  roots: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const loaded = new Set(roots);
  for (const path of loaded) for (const found of imports.get(path) ?? []) loaded.add(found);
  return loaded;
}

/** What each module imports when it is loaded, types left out. */
async function staticImports(): Promise<ReadonlyMap<string, readonly string[]>> {
  const info = await runOrThrow(Deno.execPath(), ["info", "--json", "cli.ts"], { cwd: ROOT });
  const { modules } = JSON.parse(info) as {
    readonly modules: readonly {
      readonly specifier: string;
      readonly dependencies?: readonly {
        readonly code?: { readonly specifier?: string };
        readonly isDynamic?: boolean;
      }[];
    }[];
  };
  const path = (specifier: string): string => specifier.replace(`file://${ROOT}/`, "");
  return new Map(modules.map(({ specifier, dependencies = [] }) => [
    path(specifier),
    dependencies.flatMap(({ code, isDynamic }) =>
      isDynamic || !code?.specifier?.startsWith("file:") ? [] : [path(code.specifier)]
    ),
  ]));
}

/** Sentences for what is above its limit; where nothing is, none. */
export function sizeProblems(
  lengths: ReadonlyMap<string, number>,
  limits: readonly SizeLimit[],
): string[] {
  return limits.flatMap(({ folders, lines, files }) => {
    const sizes = [...lengths].filter(([path]) => folders.some((start) => path.startsWith(start)));
    const total = sizes.reduce((sum, [, length]) => sum + length, 0);
    const name = folders.join(" and ");
    print(`${name}: ${total} lines (at most ${lines}) in ${sizes.length} files (${files})`);
    const advice = "Make something else unnecessary, or raise the limit in scripts/check_size.ts.";
    return [
      ...total > lines ? [`${name} has ${total} lines; the limit is ${lines}. ${advice}`] : [],
      ...sizes.length > files
        ? [`${name} has ${sizes.length} files; the limit is ${files}. ${advice}`]
        : [],
    ];
  });
}

if (import.meta.main) {
  const lengths = new Map<string, number>();
  for (const path of await sourceFiles(ROOT, [".ts", ".tsx"])) {
    const text = await Deno.readTextFile(`${ROOT}/${path}`);
    lengths.set(path, text.split("\n").length - 1);
  }
  const { size } = loadedModules(REPORT, await staticImports());
  print(`A report loads ${size} modules (at most ${MAX_REPORT_MODULES})`);
  finish("size", [
    ...sizeProblems(lengths, LIMITS),
    ...size > MAX_REPORT_MODULES
      ? [`A report loads ${size} modules; the limit is ${MAX_REPORT_MODULES}. Import when asked.`]
      : [],
  ]);
}
