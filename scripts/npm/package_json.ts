/** The settings of deno.json that package.json shares. */
export interface Settings {
  readonly version: string;
  readonly license: string;
  /** Entry points: `.` or `./name`, and the module. */
  readonly exports: Readonly<Record<string, string>>;
  /** Libraries by name: `npm:name@^1.2`. */
  readonly imports: Readonly<Record<string, string>>;
  /** The entry points' source texts, from {@linkcode readSources}; without them no entry is known to set up tests. */
  readonly sources?: Readonly<Record<string, string>>;
}

export interface PackageEntry {
  /** `.` or `./name`, as in `exports`. */
  readonly name: string;
  /** The module in the sources: `proxy.ts`. */
  readonly source: string;
  /** The module's file name without its extension: `proxy`. */
  readonly base: string;
}

/** Name of the package and the program. */
export const PACKAGE_NAME = "covtool";

/** The oldest Node.js that the package is tested with. */
export const OLDEST_NODE = 22;

/** Supported versions of Node.js: they have `process.getBuiltinModule`, through which the library reaches files. */
const NODE_RANGE = ">=22.15";

/** The folder of the CommonJS declarations, with a package.json of `"type": "commonjs"`. */
export const COMMONJS_TYPES = "types/commonjs";

/** The entry of deno.json that is the program: on npm it is `bin` instead. */
const PROGRAM = "./cli";

/** The entry points of the library, in the order of deno.json. */
export function packageEntries({ exports }: Pick<Settings, "exports">): PackageEntry[] {
  return Object.entries(exports).filter(([name]) => name !== PROGRAM).map(([name, module]) => {
    const source = module.replace(/^\.\//, "");
    return { name, source, base: source.replace(/^.*\//, "").replace(/\.ts$/, "") };
  });
}

/** Reads the modules of the entry points of a checkout: their text, by path. */
export async function readSources(
  root: string,
  settings: Settings,
): Promise<Readonly<Record<string, string>>> {
  const texts = packageEntries(settings).map(async ({ source }) =>
    [source, await Deno.readTextFile(`${root}/${source}`)] as const
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** True if an entry has a CommonJS form: all but those that set up tests of Deno, which loads them as modules. */
export function hasCommonJs(
  { source }: PackageEntry,
  { sources }: Pick<Settings, "sources">,
): boolean {
  return !/ from "\.\.\/runners\/set_up_deno\.ts"/.test(sources?.[source] ?? "");
}

/**
 * True if the CommonJS form of an entry imports the ESM code of reports only when needed, as the entries for test
 * runners do: reports are large, and the processes of tests write none. Other entries have everything in one file.
 */
export function loadsReportsLate(
  { source }: PackageEntry,
  { sources }: Pick<Settings, "sources">,
): boolean {
  return / from "\.\.\/runners\//.test(sources?.[source] ?? "");
}

/** True if importing an entry sets up the tests of the process, so that bundlers must keep the import. */
function setsUpTests({ source }: PackageEntry, { sources }: Pick<Settings, "sources">): boolean {
  return /^\w+\(/m.test(sources?.[source] ?? "");
}

export function packageJson(
  settings: Settings,
  libraries: Iterable<string>,
  repository?: string,
): Readonly<Record<string, unknown>> {
  return {
    name: PACKAGE_NAME,
    version: settings.version,
    description: "Measures how much of an API (OpenAPI 2.0 to 3.2) your tests exercise.",
    keywords: [
      ...["openapi", "swagger", "coverage", "api-coverage", "api-testing", "json-schema", "http"],
      ...["har", "postman"],
    ],
    license: settings.license,
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
    type: "module",
    engines: { node: NODE_RANGE },
    // npm considers "./bin/covtool.js" invalid, and publishes the package without it.
    bin: { [PACKAGE_NAME]: "bin/covtool.js" },
    // For tools that do not support `exports`, such as TypeScript with `moduleResolution: "node"`.
    ...olderFields(packageEntries(settings), settings),
    exports: {
      ...Object.fromEntries(
        packageEntries(settings).map((entry) => [entry.name, exportTargets(entry, settings)]),
      ),
      "./report.schema.json": "./report.schema.json",
      "./gaps.schema.json": "./gaps.schema.json",
      "./usage.schema.json": "./usage.schema.json",
      "./config.schema.json": "./config.schema.json",
      "./package.json": "./package.json",
    },
    // Only these modules have side effects when they are imported; bundlers can drop unused code of the others.
    sideEffects: packageEntries(settings).flatMap((entry) => {
      if (!setsUpTests(entry, settings)) return [];
      const path = `./lib/${entry.base}`;
      return hasCommonJs(entry, settings) ? [`${path}.js`, `${path}.cjs`] : [`${path}.js`];
    }),
    dependencies: dependencies(settings, libraries),
  };
}

/** Returns the files of an entry, by export condition. */
function exportTargets(entry: PackageEntry, settings: Settings): Readonly<Record<string, unknown>> {
  const module = { types: typesPath(entry, "types"), default: `./lib/${entry.base}.js` };
  if (!hasCommonJs(entry, settings)) return module;
  const commonJs = { types: typesPath(entry, COMMONJS_TYPES), default: `./lib/${entry.base}.cjs` };
  return { import: module, require: commonJs };
}

function typesPath({ source }: PackageEntry, folder: string): string {
  return `./${folder}/${source.replace(/\.ts$/, ".d.ts")}`;
}

/** Returns the fields for tools that do not support `exports`; such tools call `require()`. */
function olderFields(
  entries: readonly PackageEntry[],
  settings: Settings,
): Readonly<Record<string, unknown>> {
  const main = entries.find(({ name }) => name === ".");
  const others = entries.filter((entry) => entry !== main && hasCommonJs(entry, settings));
  return {
    ...(main !== undefined && {
      main: `./lib/${main.base}.cjs`,
      types: typesPath(main, COMMONJS_TYPES),
    }),
    typesVersions: {
      "*": Object.fromEntries(
        others.map((entry) => [entry.name.slice(2), [typesPath(entry, COMMONJS_TYPES)]]),
      ),
    },
  };
}

function dependencies(settings: Settings, libraries: Iterable<string>): Record<string, string> {
  const names = new Set<string>();
  for (const library of libraries) {
    if (library.startsWith("node:")) continue;
    names.add(library.split("/").slice(0, library.startsWith("@") ? 2 : 1).join("/"));
  }
  const found: Record<string, string> = {};
  for (const name of [...names].sort()) {
    const range = settings.imports[name]?.match(/^npm:(.+)@([^@]+)$/);
    if (range?.[1] !== name || range[2] === undefined) {
      throw new TypeError(
        `deno.json: "imports" does not say which version of ${name} is meant, as "npm:${name}@^1.2" would.`,
      );
    }
    found[name] = range[2];
  }
  return found;
}
