/**
 * Builds the npm package: the folder `dist/npm`, and the tarball that `npm publish` would upload.
 *
 *     deno run -A --config deno.dev.json scripts/build_npm.ts
 *
 * The code is bundled into one file for each entry point, and files that they share; libraries stay dependencies. Each
 * entry point also has a CommonJS form, for test suites that call `require()`.
 * The types are those that `deno pack` writes, which are also what JSR shows.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { resolve } from "node:path";
import {
  addLicences,
  bundledPackages,
  programPackages,
  withPackages,
} from "./npm/bundled_packages.ts";
import {
  COMMONJS_TYPES,
  hasCommonJs,
  loadsReportsLate,
  OLDEST_NODE,
  PACKAGE_NAME,
  packageEntries,
  type PackageEntry,
  packageJson,
  readSources,
  type Settings,
} from "./npm/package_json.ts";
import { reachedDeclarations, withPackageExamples } from "./npm/package_types.ts";
import { type DenoLock, shrinkwrap } from "./npm/shrinkwrap.ts";
import { print } from "./print.ts";
import { repositoryUrl } from "./repository_url.ts";
import { runOrThrow } from "./run.ts";
import { ROOT, sourceFiles } from "./source_files.ts";
import { inFolder } from "../tests/in_folder.ts";

/** The program's entry module on Node.js. */
const PROGRAM = "scripts/npm/program.ts";
/** Files copied into the package unchanged. */
const COPIED = { "README.md": "README.md", "LICENSE": "LICENSE", "CHANGELOG.md": "CHANGELOG.md" };
/** JSON Schemas of covtool's output and config file, by file name in the package. */
const SCHEMAS = {
  "report.schema.json": "src/report/report.schema.json",
  "gaps.schema.json": "src/report/gaps.schema.json",
  "usage.schema.json": "src/report/usage/usage_report.schema.json",
  "config.schema.json": "src/run/config/config.schema.json",
};

/** Writes the package to a folder, which is emptied first. */
export async function buildPackage(root: string, folder: string): Promise<void> {
  const stated = JSON.parse(await Deno.readTextFile(`${root}/deno.json`)) as Settings;
  const settings = { ...stated, sources: await readSources(root, stated) };
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const libraries = await writeCode(root, folder, settings);
  await writeTypes(root, folder, settings);
  const repository = repositoryUrl();
  const gitUrl = repository === undefined ? undefined : `git+${repository}.git`;
  const json = packageJson(settings, libraries, gitUrl);
  const lock = JSON.parse(await Deno.readTextFile(`${root}/deno.lock`)) as DenoLock;
  const texts = { "package.json": json, "npm-shrinkwrap.json": shrinkwrap(json, lock) };
  for (const [name, value] of Object.entries(texts)) {
    await Deno.writeTextFile(`${folder}/${name}`, JSON.stringify(value, undefined, 2) + "\n");
  }
  for (const [name, from] of Object.entries(SCHEMAS)) {
    await Deno.copyFile(`${root}/${from}`, `${folder}/${name}`);
  }
  for (const [from, to] of Object.entries(COPIED)) {
    await Deno.copyFile(`${root}/${from}`, `${folder}/${to}`);
  }
}

export async function packTarball(folder: string): Promise<string> {
  const parent = folder.replace(/\/[^/]+$/, "");
  const output = await runOrThrow("npm", ["pack", "--json", "--pack-destination", parent], {
    cwd: folder,
  });
  const [packed] = JSON.parse(output) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error("npm pack made no tarball.");
  return `${parent}/${packed.filename}`;
}

/** Bundles the entries and the program; returns the external modules that they import. */
async function writeCode(
  root: string,
  folder: string,
  settings: Settings,
): Promise<ReadonlySet<string>> {
  const entries = packageEntries(settings);
  const ofProgram = await programPackages(root);
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      ...entries.map(({ source, base }) => ({ in: source, out: `lib/${base}` })),
      { in: PROGRAM, out: "bin/covtool" },
    ],
    // Identifiers are not minified: stack traces and audits of the code need them.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [globalProcess(), withPackages(ofProgram)],
    outdir: folder,
    chunkNames: "lib/shared/[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: `node${OLDEST_NODE}`,
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
  });
  for (const path of Object.keys(metafile.outputs)) {
    const output = metafile.outputs[path] as esbuild.Metafile["outputs"][string]; // `path` is one of the keys
    await addLicences(resolve(root, path), ofProgram, output, root);
  }
  const imports = externalImports(metafile);
  const bundled = await bundledPackages(root);
  for (const entry of entries.filter((entry) => hasCommonJs(entry, settings))) {
    const module = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry.source],
      outfile: `${folder}/lib/${entry.base}.cjs`,
      bundle: true,
      packages: "external",
      format: "cjs",
      platform: "node",
      target: `node${OLDEST_NODE}`,
      charset: "utf8",
      ...(loadsReportsLate(entry, settings) && {
        inject: ["globals", "url"].map((name) => `${root}/scripts/npm/commonjs_${name}.ts`),
        define: { "import.meta.url": "moduleUrl" },
      }),
      plugins: [
        withPackages([...bundled, ...ofProgram]),
        ...(loadsReportsLate(entry, settings)
          ? [sharedModules(`${folder}/lib`, root, metafile)]
          : []),
      ],
      metafile: true,
      logLevel: "warning",
    });
    await addLicences(
      `${folder}/lib/${entry.base}.cjs`,
      [...bundled, ...ofProgram],
      module.metafile,
      root,
    );
    for (const imported of externalImports(module.metafile)) imports.add(imported);
  }
  await esbuild.stop();
  const path = `${folder}/bin/covtool.js`;
  await Deno.writeTextFile(path, `#!/usr/bin/env node\n${await Deno.readTextFile(path)}`);
  if (Deno.build.os !== "windows") await Deno.chmod(path, 0o755);
  return imports;
}

/** Replaces imports of `node:process` by the global `process`. */
function globalProcess(): esbuild.Plugin {
  return {
    name: "global process",
    setup(build) {
      build.onResolve(
        { filter: /^node:process$/ },
        () => ({ path: "process", namespace: "global" }),
      );
      build.onLoad({ filter: /^process$/, namespace: "global" }, () => ({
        contents: "export default globalThis.process; export const { pid } = globalThis.process;",
      }));
    },
  };
}

function externalImports({ outputs }: esbuild.Metafile): Set<string> {
  return new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ external, path }) => external === true && !path.startsWith("."))
        .map((imported) => imported.path)
    ),
  );
}

/** Resolves dynamic imports to the files of the ESM build: they are large, and some of their libraries are ESM only. */
function sharedModules(
  library: string,
  root: string,
  { outputs }: esbuild.Metafile,
): esbuild.Plugin {
  const made = new Map(
    Object.entries(outputs).map(([path, { entryPoint }]) => [
      entryPoint,
      new URL(path, `file://${root}/`).pathname,
    ]),
  );
  return {
    name: "shared modules",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = new URL(path, `file://${resolveDir}/`).pathname.slice(root.length + 1);
        const target = made.get(source);
        if (target === undefined) throw new Error(`${source} was not bundled.`);
        return { path: `./${target.slice(library.length + 1)}`, external: true };
      });
    },
  };
}

async function writeTypes(root: string, folder: string, settings: Settings): Promise<void> {
  const entries = packageEntries(settings);
  await inFolder({}, async (temporary) => {
    const tarball = `${temporary}/package.tgz`;
    await runOrThrow(
      Deno.execPath(),
      ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "--output", tarball],
      { cwd: root },
    );
    await runOrThrow("tar", ["-xzf", tarball, "-C", temporary]);
    const packed = `${temporary}/package`;
    const declarations = new Map<string, string>();
    for (const path of await sourceFiles(packed, [".d.ts"])) {
      declarations.set(path, await Deno.readTextFile(`${packed}/${path}`));
    }
    const exported = new Map<string, string>();
    for (const { source } of entries) {
      exported.set(source, await Deno.readTextFile(`${root}/${source}`));
    }
    const write = async (target: string, written: readonly PackageEntry[]): Promise<void> => {
      for (const [path, text] of reachedDeclarations(written, declarations)) {
        const file = `${folder}/${target}/${path}`;
        await Deno.mkdir(file.replace(/\/[^/]+$/, ""), { recursive: true });
        // Code on the same line after a comment compiles, but is hard to read in an editor.
        const readable = withPackageExamples(text, entries, exported)
          .replace(/\*\/ (?=\S)/g, "*/\n");
        await Deno.writeTextFile(file, readable);
      }
    };
    await write("types", entries);
    await write(COMMONJS_TYPES, entries.filter((entry) => hasCommonJs(entry, settings)));
    await Deno.writeTextFile(
      `${folder}/${COMMONJS_TYPES}/package.json`,
      '{ "type": "commonjs" }\n',
    );
    await runOrThrow(
      Deno.execPath(),
      ["fmt", "--quiet", "--no-config", "--line-width", "100", "."],
      { cwd: `${folder}/types` },
    );
  });
}

if (import.meta.main) {
  const folder = `${ROOT}/dist/npm`;
  await buildPackage(ROOT, folder);
  const tarball = await packTarball(folder);
  const { size } = await Deno.stat(tarball);
  print(`${tarball.slice(ROOT.length + 1)}: ${PACKAGE_NAME}, ${size} bytes`);
}
