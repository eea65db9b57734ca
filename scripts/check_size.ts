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
  /** Path prefixes. */
  readonly folders: readonly string[];
  readonly lines: number;
  readonly files: number;
}

/**
 * The limits equal the current sizes. A change that removes code lowers them; a change that needs more raises them, and
 * is named here if it belongs to none of the groups.
 */
const LIMITS: readonly SizeLimit[] = [
  // Lines by reason, where one was named. Gaps for classes of values, and the fewest requests that cover them: 1,100.
  // Names that say more, and so break lines: 330. Hits without values, and links and marks of values on the page: 240.
  // Exchanges that end halfway or whose response nobody reads: 200. Counting, comparing and proposing only what can be
  // transferred and distinguished: 227. More detailed messages about errors, changes and what isn't counted: 205.
  // Suggested tests in the layout of formatters, for everything that the languages can express: 160. Members of an
  // `allOf` identified by their content: 93. Speed: 80. Lists of gaps that fit a prompt, and verdicts on what traffic
  // can't show: 67. A page that fits a phone, and is right about empty reports: 55. Cassettes of go-vcr and php-vcr:
  // 52. Suggested tests that escape any text of a description: 48. Responses that come before the upload ends, later
  // WebSockets, quiet completions: 43. The line of a test to add an assertion to: 36. Stable ids: 35. Traefik's JSON
  // and quoted fields of logs: 33. Compressed responses of Polly.js: 29. Exact times below the chart: 28. Positions of
  // the results of `covtool check` as data: 25. Plainer code after fixes: 23. Stubs and contracts, which aren't
  // traffic: 22. A JUnit test for each condition: 13. Errors of identities with positions, and inherited security: 11
  // each. Where a description begins after other output, and the next step of `covtool init`: 8. The reason for a
  // threshold without a figure: 6. One way to escape patterns and to find tokens: 5; hosts that recorders replaced, 15;
  // logs that look like JSON or YAML, 12; access logs in logs of containers, 45; senders named by tests that bypass
  // authentication, 8; descriptions without a title, 3; lines of tests beside what mentions their names, 12.
  // Some seventy mends, where two features meet: 380; some eighty, where documents and program differed: 350.
  { folders: ["src/"], lines: 95_723, files: 597 },
  // Tests of these. Ends of `covtool mutate`: 105. Sending and checking the conformance set in one process: 140.
  // Tests of the mends where two features meet: 1,230; where documents and program differed: 980.
  { folders: ["tests/", "scripts/"], lines: 88_888, files: 666 },
];

/** The modules that `covtool report` loads to write a page or a text, with everything that they import. */
const REPORT = [
  ...["cli.ts", "src/cli/main.ts", "src/cli/report.ts", "src/coverage_map/suggest_for.ts"],
];
const MAX_REPORT_MODULES = 389;

/** Returns the modules that `roots` import statically, directly or indirectly, including `roots`. */
export function loadedModules(
  roots: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const loaded = new Set(roots);
  for (const path of loaded) for (const found of imports.get(path) ?? []) loaded.add(found);
  return loaded;
}

/** Returns the static imports of each module, without type imports. */
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

/** Prints all sizes; returns a sentence for each one that is above its limit. */
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
