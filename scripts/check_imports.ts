/**
 * Checks which folder imports which: the table of docs/architecture.md, kept as code.
 * It also rejects cycles, and Deno or Node.js APIs in the core.
 *
 *     deno run --allow-read scripts/check_imports.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

/** The imports that one part of the project may have from other parts. */
export interface Rule {
  /** The path prefix of the files that the rule applies to; the first rule that matches decides. */
  readonly part: string;
  /** Path prefixes. */
  readonly allowed: readonly string[];
  /** True if the code runs on Deno and Node.js only, and may use their APIs. */
  readonly platform?: boolean;
}

function rooms(...names: readonly string[]): string[] {
  return names.map((name) => `src/${name}/`);
}

/** The part of the map that reporters may import. */
const RESULTS = ["src/map/results.ts", "src/map/thresholds.ts"];

/** The part of the map that `run`, the commands and the test runners may import. */
const MAP = [
  ...RESULTS,
  "src/map/access.ts",
  "src/map/base_path.ts",
  "src/map/scope_pattern.ts",
  "src/map/statistic.ts",
];

/** The parser with positions, for the config file. */
const POSITIONS = [
  "src/openapi/parse_document.ts",
  "src/openapi/locate.ts",
  "src/openapi/document_set.ts",
];

/** Suggestions and the formats that they are written in. */
const SUGGESTIONS = ["src/suggest/formats/", "src/suggest/suggestion.ts"];

/** Code that writes traffic, with secrets masked, for test runners and the proxy. */
const WRITERS = ["src/traffic/write/", "src/redact/"];

export const RULES: readonly Rule[] = [
  { part: "src/values/", allowed: [] },
  // The only modules that access files, on platforms that have files; the rest of the core calls these.
  { part: "src/files/", allowed: rooms("values") },
  { part: "src/http/", allowed: rooms("values") },
  { part: "src/redact/", allowed: rooms("http", "values") },
  { part: "src/schema/", allowed: rooms("values") },
  { part: "src/openapi/", allowed: rooms("redact", "schema", "files", "values") },
  { part: "src/map/", allowed: rooms("redact", "schema", "openapi", "http", "values") },
  { part: "src/traffic/", allowed: rooms("redact", "http", "files", "values") },
  { part: "src/plugins/", allowed: rooms("redact", "http", "values") },
  { part: "src/record/", allowed: rooms("redact", "http", "map", "schema", "values") },
  {
    part: "src/suggest/",
    allowed: rooms("redact", "record", "map", "openapi", "schema", "http", "values"),
  },
  { part: "src/mutate/", allowed: rooms("record", "map", "suggest", "schema", "http", "values") },
  // Builds the report model and finds source lines; reporters read nothing but the model.
  { part: "src/report/build/", allowed: rooms("redact", "map", "openapi", "report", "values") },
  {
    part: "src/report/",
    allowed: [...rooms("redact", "values"), ...RESULTS, ...SUGGESTIONS, "src/map/statistic.ts"],
  },
  {
    part: "src/coverage_map/",
    allowed: rooms(
      ...["map", "record", "suggest", "traffic", "plugins", "report", "openapi", "redact", "files"],
      ...["http", "values"],
    ),
  },
  {
    part: "src/proxy/",
    allowed: [...rooms("http", "files", "values"), ...WRITERS],
    platform: true,
  },
  {
    part: "src/run/",
    allowed: [
      ...rooms("coverage_map", "record", "traffic", "report", "redact", "http", "files", "values"),
      ...MAP,
      ...POSITIONS,
      ...SUGGESTIONS,
      "src/mutate/levels.ts",
    ],
    platform: true,
  },
  {
    part: "src/cli/",
    allowed: [
      ...rooms(
        ...["run", "proxy", "mutate", "coverage_map", "traffic", "report", "redact", "http"],
        ...["files", "values"],
      ),
      ...MAP,
      ...SUGGESTIONS,
    ],
    platform: true,
  },
  {
    part: "src/runners/",
    allowed: [...rooms("run", "plugins", "report", "http", "files", "values"), ...WRITERS, ...MAP],
    platform: true,
  },
  { part: "src/entries/server.ts", allowed: rooms("plugins", "http") },
  { part: "src/entries/proxy.ts", allowed: rooms("proxy", "redact", "http"), platform: true },
  { part: "src/entries/plugins.ts", allowed: rooms("plugins", "coverage_map", "traffic", "http") },
  {
    part: "src/entries/report.ts",
    allowed: rooms("coverage_map", "report", "map", "suggest", "redact", "values"),
  },
  { part: "src/entries/", allowed: rooms("runners", "run", "plugins", "http"), platform: true },
  {
    part: "mod.ts",
    allowed: rooms(
      ...["coverage_map", "map", "record", "suggest", "traffic", "plugins", "report", "openapi"],
      ...["schema", "redact", "http", "values"],
    ),
  },
  { part: "cli.ts", allowed: rooms("cli", "run", "values"), platform: true },
];

// Formatted code has its imports at the beginning of a line; examples in comments do not.
const STATIC = /^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"/gm;
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*\bimport\("([^"]+)"\)/gm;

/** Returns the specifiers of a module's imports: static, re-exported, dynamic and type imports. */
export function importSpecifiers(source: string): string[] {
  return [STATIC, DYNAMIC].flatMap((imports) =>
    [...source.matchAll(imports)].map(([, specifier = ""]) => specifier)
  );
}

/** Checks the imports of modules; returns a sentence for each problem. */
export function importProblems(sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, source] of sources) {
    const rule = RULES.find(({ part }) => path.startsWith(part));
    if (rule === undefined) {
      problems.push(
        `${path}: no rule says what it may import; put it into a folder, or name it in scripts/check_imports.ts.`,
      );
      continue;
    }
    if (rule.platform !== true && namesPlatform(source)) {
      problems.push(
        `${path}: the core runs everywhere, so it may use neither Deno nor node: modules.`,
      );
    }
    const edges: string[] = [];
    for (const specifier of importSpecifiers(source)) {
      if (!specifier.startsWith(".")) continue;
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      // Type imports count too: modules that can't do without each other are one module in several files.
      edges.push(target);
      if (!isAllowed(target, rule)) problems.push(`${path}: may not import ${target}.`);
    }
    graph.set(path, edges);
  }
  return [
    ...problems,
    ...cycles(graph).map((cycle) => `${cycle[0]}: imports itself: ${cycle.join(" → ")}.`),
  ];
}

function isAllowed(target: string, rule: Rule): boolean {
  // A part inside another one, such as report/build, doesn't belong to the outer part.
  const own = RULES.find(({ part }) => target.startsWith(part))?.part === rule.part;
  return own || rule.allowed.some((part) => target.startsWith(part));
}

function namesPlatform(source: string): boolean {
  const code = source.replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  return /\bDeno\s*\./.test(code) ||
    importSpecifiers(source).some((specifier) => specifier.startsWith("node:"));
}

/** Returns the import cycles, each as a list of paths that begins and ends with the same module. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  function visit(path: string): void {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.push([...trail.slice(start), path]);
      return;
    }
    if (done.has(path)) return;
    trail.push(path);
    for (const target of graph.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  }
  for (const path of graph.keys()) visit(path);
  return found;
}

if (import.meta.main) {
  const paths = (await sourceFiles(ROOT, [".ts", ".tsx"])).filter((path) =>
    path.startsWith("src/") || /^\w+\.ts$/.test(path)
  );
  const sources = new Map<string, string>();
  for (const path of paths) sources.set(path, await Deno.readTextFile(`${ROOT}/${path}`));
  finish("import directions and cycles", importProblems(sources));
}
