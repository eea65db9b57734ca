/**
 * Checks which folder imports which: the table of docs/architecture.md and CONTRIBUTING.md, kept as code.
 * It also refuses cycles, and anything of Deno or Node.js in the core.
 *
 *     deno run --allow-read scripts/check_imports.ts
 *
 * @module
 */
import { finish } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";

/** Modules directly in src that every folder may import. */
const FOUNDATION = [
  "src/files/builtin.ts",
  "src/values/input_limits.ts",
  "src/files/is_granted.ts",
  "src/values/errors.ts",
  "src/values/json_media_type.ts",
  "src/values/indent_yaml.ts",
  "src/values/json_type.ts",
  "src/values/diagnostic.ts",
  "src/values/parse_json.ts",
  "src/values/replaced_text.ts",
  "src/values/text_position.ts",
  "src/values/version.ts",
];

/** What the files of a part of the project may import, beside their own part and the foundation. */
interface Rule {
  /** The beginning of the paths that it is about; the first that fits decides. */
  readonly part: string;
  /** Beginnings of paths. */
  readonly allowed: readonly string[];
  /** True where the code runs on Deno and Node.js only, and may name them. */
  readonly platform?: boolean;
}

const RULES: readonly Rule[] = [
  { part: "src/http/", allowed: [] },
  { part: "src/schema/", allowed: [] },
  // Masks secrets in text: of traffic, and of what covtool says.
  { part: "src/redact/", allowed: [] },
  {
    part: "src/openapi/",
    allowed: ["src/schema/", "src/redact/", "src/map/results.ts", "src/files/files.ts"],
  },
  { part: "src/map/", allowed: ["src/schema/", "src/openapi/", "src/http/", "src/redact/"] },
  { part: "src/record/importers/", allowed: ["src/http/", "src/files/files.ts"] },
  { part: "src/record/plugins/", allowed: ["src/http/"] },
  {
    part: "src/record/",
    allowed: [
      "src/http/",
      "src/redact/",
      "src/schema/",
      "src/map/",
      "src/record/importers/",
      "src/record/plugins/",
      "src/files/files.ts",
    ],
  },
  // Make the report model and find its lines; reporters see nothing but that.
  { part: "src/report/build/build_report.ts", allowed: ["src/map/", "src/report/"] },
  { part: "src/report/build/report_tests.ts", allowed: ["src/map/", "src/report/"] },
  {
    part: "src/report/build/build_source_coverage.ts",
    allowed: ["src/map/", "src/openapi/", "src/report/"],
  },
  {
    part: "src/report/build/build_annotated_source.ts",
    allowed: ["src/map/", "src/openapi/", "src/report/"],
  },
  {
    part: "src/report/build/build_description_view.ts",
    allowed: ["src/map/", "src/values/json_pointer.ts", "src/report/"],
  },
  { part: "src/report/", allowed: ["src/map/results.ts", "src/map/thresholds.ts"] },
  {
    part: "src/proxy/",
    allowed: ["src/http/", "src/record/", "src/redact/", "src/files/draft_file.ts"],
    platform: true,
  },
  { part: "src/cli/", allowed: ["src/", "mod.ts"], platform: true },
  { part: "src/runners/", allowed: ["src/"], platform: true },
  { part: "src/files/files.ts", allowed: [] },
  { part: "src/files/draft_file.ts", allowed: [] },
  { part: "src/files/write_text_file.ts", allowed: ["src/files/draft_file.ts", "src/files/files.ts"] },
  { part: "src/files/file_identity.ts", allowed: ["src/files/files.ts"] },
  {
    part: "src/coverage_map/coverage_map.ts",
    allowed: [
      "src/map/",
      "src/record/",
      "src/report/",
      "src/openapi/",
      "src/http/",
      "src/redact/",
      "src/files/files.ts",
      "src/files/file_identity.ts",
      "src/files/write_text_file.ts",
    ],
  },
  { part: "mod.ts", allowed: ["src/"] },
  { part: "proxy.ts", allowed: ["src/proxy/", "src/http/", "src/redact/"], platform: true },
  { part: "server.ts", allowed: ["src/record/plugins/"] },
  { part: "cli.ts", allowed: ["src/cli/"], platform: true },
  ...[
    "vitest.ts",
    "vitest_setup.ts",
    "node_test.ts",
    "deno.ts",
    "jest.ts",
    "jest_setup.ts",
    "playwright.ts",
    "collect.ts",
  ].map((
    part,
  ) => ({ part, allowed: ["src/runners/", "src/http/", "src/record/plugins/"], platform: true })),
  ...FOUNDATION.map((part) => ({ part, allowed: [] })),
];

/** Parts that must not be reached from the library: only from other entries. */
const OUTSIDE_LIBRARY = ["src/cli/", "src/proxy/", "src/runners/"];

// Formatted code has its imports at the beginning of a line; examples in comments do not.
const STATIC = /^(?:import|export)\s(?:([^;"]*?)\sfrom\s)?"([^"]+)"/gm;
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*\bimport\("([^"]+)"\)/gm;
const TYPES_ONLY = /^type\s|^\{(?:\s*type\s[^,}]*,?)+\s*\}$/;

/** One import of a module. */
export interface Import {
  readonly specifier: string;
  /** Whether it is gone when the code runs. */
  readonly isType: boolean;
}

/** What a module imports: static, re-exported and dynamic imports. */
export function importsOf(source: string): Import[] {
  const imports: Import[] = [];
  for (const [, names = "", specifier = ""] of source.matchAll(STATIC)) {
    imports.push({ specifier, isType: TYPES_ONLY.test(names) });
  }
  for (const [, specifier = ""] of source.matchAll(DYNAMIC)) {
    imports.push({ specifier, isType: false });
  }
  return imports;
}

/**
 * What is wrong with the imports of a set of modules.
 *
 * @param sources the text of each module by its path, relative to the project.
 * @returns sentences that begin with the path.
 */
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
    for (const { specifier, isType } of importsOf(source)) {
      if (!specifier.startsWith(".")) continue;
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      // Types may refer to each other; code that loads in a circle may find things missing.
      if (!isType) edges.push(target);
      if (!isAllowed(path, target, rule)) problems.push(`${path}: may not import ${target}.`);
    }
    graph.set(path, edges);
  }
  return [
    ...problems,
    ...cycles(graph).map((cycle) => `${cycle[0]}: imports itself: ${cycle.join(" → ")}.`),
  ];
}

function isAllowed(path: string, target: string, rule: Rule): boolean {
  if (path === "mod.ts" && OUTSIDE_LIBRARY.some((part) => target.startsWith(part))) return false;
  if (FOUNDATION.includes(target)) return true;
  // A part that lies within another one, as record/importers does, is not of the outer one's own.
  const own = RULES.find(({ part }) => target.startsWith(part))?.part === rule.part;
  return own || rule.allowed.some((part) => target.startsWith(part));
}

function namesPlatform(source: string): boolean {
  const code = source.replace(/^\s*(?:\/?\*|\/\/).*$/gm, "");
  return /\bDeno\s*\./.test(code) ||
    importsOf(source).some(({ specifier }) => specifier.startsWith("node:"));
}

/** One cycle for each module that closes one, as the paths on the way round. */
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
