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

/**
 * The limits are what there is. What makes code unnecessary lowers them; what needs more raises them, and is named here
 * if none of the groups has it.
 */
const LIMITS: readonly SizeLimit[] = [
  // Gaps for classes of values, and the fewest requests that show them, took 1,100 lines; hits without values, links and
  // marks of values on the page, 240; tests laid out as formatters do, and all that a language can't write, 160; saying
  // more of what went wrong, of what changed and of what isn't counted, 205; counting, comparing and proposing only what
  // can be carried and told, 227; speed, 80; ids that stay, 35; exact times below the chart, 28; answers before uploads
  // end, later WebSockets and quiet completions, 43; members of an `allOf` known by what they say, 93; places of what
  // `covtool check` finds as data, 25; lists of gaps that fit a prompt, and verdicts on what traffic
  // can't show, 67; a page that tells what is true of nothing, and fits a phone, 55; tests whose texts stay texts
  // whatever a description has, 48; exchanges whose response nobody reads, and what ends halfway, 200; why a threshold
  // has no figure, as data, 6; errors of identities that know their place, 11; one way to escape patterns and to tell
  // tokens, 5; a test in JUnit for each condition, 13; the
  // line of a test to assert something in, 36; the security that an operation inherits, 11; what was
  // squeezed to pay for mends, written plainly again, 23; cassettes of go-vcr and php-vcr, 52;
  // compressed responses of Polly.js, 29; Traefik's JSON and quoted fields of logs, 33;
  // stubs and contracts told from traffic, 22;
  // where a description begins below what a program printed, and what `covtool init` names next, 8.
  { folders: ["src/"], lines: 96_927, files: 620 },
  // Tests of these; what ends `covtool mutate`, 105; sending and checking the conformance set in one process, 140.
  { folders: ["tests/", "scripts/"], lines: 86_233, files: 666 },
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
