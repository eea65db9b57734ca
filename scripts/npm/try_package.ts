import assert from "node:assert/strict";
import { CoverageMap, type Statistic } from "../../mod.ts";
import { tryOwnAuthority } from "../program/own_authority.ts";
import { run, runOrThrow } from "../run.ts";
import { sourceFiles } from "../source_files.ts";
import { serveRegistry } from "./local_registry.ts";
import { PACKAGE_NAME } from "./package_json.ts";
import {
  COMMONJS_PROGRAM,
  compilerSettings,
  NODE_PROGRAM,
  type Resolution,
  TYPED_ENTRIES,
  TYPED_PROGRAM,
} from "./try_projects.ts";

const SHOP = "examples/bookshop";
/** Arguments for a report on the demo, which is in the working directory. */
const REPORT = ["report", "openapi.yaml", "traffic.json", "--format", "json"];
/** The browser code of the report's page, without its model, from which reports have their texts. */
const PAGE = /^src\/report\/html\/app\/(?!model\/)/;
/** Variables that give reports a fixed time and no colours. */
const FIXED = { SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1" };

/** Returns the npm package that contains Node.js for a platform and needs no install script. */
export function nodePackage(os: string, arch: string): string {
  const platform = os === "windows" ? "win" : os;
  const processor = arch === "aarch64" ? "arm64" : "x64";
  return `node-${
    platform === "darwin" && processor === "arm64" ? "bin-" : ""
  }${platform}-${processor}`;
}

/** Makes an empty project in a new folder and copies the demo into it; returns the folder. */
export async function emptyProject(root: string, folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of ["openapi.yaml", "traffic.json"]) {
    await Deno.copyFile(`${root}/${SHOP}/${name}`, `${folder}/${name}`);
  }
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true, "type": "module" }\n');
  return folder;
}

export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await runOrThrow(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel", "error", ...packages],
    { cwd: folder },
  );
}

/** Installs the package from a registry, as users do, and compares the installed versions with npm-shrinkwrap.json. */
export async function tryPinned(folder: string, tarball: string): Promise<number> {
  const { packages } = JSON.parse(
    await runOrThrow("tar", ["-xzOf", tarball, "package/npm-shrinkwrap.json"]),
  ) as { readonly packages: Readonly<Record<string, { readonly version: string }>> };
  const registry = await serveRegistry(tarball);
  try {
    const cache = `${folder}/.npm`; // npm's own cache may have another package of this version
    await install(folder, "--registry", registry.url, "--cache", cache, PACKAGE_NAME);
  } finally {
    await registry.close();
  }
  const lock = JSON.parse(await Deno.readTextFile(`${folder}/package-lock.json`)) as {
    readonly packages: typeof packages;
  };
  const { "": _, [`node_modules/${PACKAGE_NAME}`]: __, ...installed } = lock.packages;
  const versions = (from: typeof packages, prefix = "") =>
    Object.entries(from).filter(([path]) => path !== "")
      .map(([path, { version }]) => `${prefix}${path} ${version}`).sort();
  assert.deepEqual(versions(installed), versions(packages, `node_modules/${PACKAGE_NAME}/`));
  return versions(installed).length;
}

/** The sources' results for the demo, which every other way of using covtool must match. */
export interface Expected {
  /** The program's report as JSON. */
  readonly report: string;
  /** The library's result. */
  readonly statistic: Statistic;
}

/** Measures the demo in a folder with the sources. */
export async function measureSources(root: string, folder: string): Promise<Expected> {
  const map = await CoverageMap.fromPath(`${folder}/openapi.yaml`);
  const text = await Deno.readTextFile(`${folder}/traffic.json`);
  for (const { request, response, timestamp } of JSON.parse(text).interactions) {
    map.record(request, response, timestamp);
  }
  const report = await runOrThrow(
    Deno.execPath(),
    ["run", "-A", "--config", `${root}/deno.json`, `${root}/cli.ts`, ...REPORT],
    { cwd: folder, env: FIXED },
  );
  return { report, statistic: map.statistic() };
}

/** Installs the tarball, and versions of Node.js as packages. */
export async function installNodes(
  folder: string,
  tarball: string,
  versions: readonly string[],
): Promise<void> {
  const node = nodePackage(Deno.build.os, Deno.build.arch);
  const nodes = versions.map((version) => `node-${version}@npm:${node}@${version}`);
  await install(folder, tarball, ...nodes);
}

/** Uses library and program with one of the installed versions of Node.js. */
export async function tryNode(folder: string, version: string, expected: Expected): Promise<void> {
  const bin = `${folder}/node_modules/node-${version}/bin`;
  const separator = Deno.build.os === "windows" ? ";" : ":";
  const env = { ...FIXED, PATH: `${bin}${separator}${Deno.env.get("PATH") ?? ""}` };
  const said = await runOrThrow("node", ["--version"], { cwd: folder, env });
  assert.match(said, new RegExp(`^v${version}\\.`));
  await Deno.writeTextFile(`${folder}/use.js`, NODE_PROGRAM);
  await runOrThrow("node", ["use.js"], { cwd: folder, env });
  const statistic = JSON.parse(await Deno.readTextFile(`${folder}/statistic.json`));
  assert.deepEqual(statistic, expected.statistic);
  await Deno.writeTextFile(`${folder}/use.cjs`, COMMONJS_PROGRAM);
  await runOrThrow("node", ["use.cjs"], { cwd: folder, env });
  const program = await run("npx", ["covtool", ...REPORT], { cwd: folder, env });
  assert.equal(program.code, 0, program.err);
  assert.equal(program.out, expected.report);
  const threads = [...REPORT, "traffic.json", "--jobs"];
  const one = await run("npx", ["covtool", ...threads, "1"], { cwd: folder, env });
  const two = await run("npx", ["covtool", ...threads, "2"], { cwd: folder, env });
  assert.deepEqual(two, one);
  const failing = await run("npx", ["covtool", ...REPORT, "--fail-under", "100"], {
    cwd: folder,
    env,
  });
  assert.equal(failing.code, 1, failing.err);
  await tryOwnAuthority([`${bin}/node`, `${folder}/node_modules/covtool/bin/covtool.js`]);
  await Deno.remove(`${folder}/authority`, { recursive: true });
}

/** Compiles a program that uses the package, in a folder where the package and TypeScript are installed. */
export async function tryTypes(folder: string, resolution: Resolution): Promise<void> {
  await Deno.writeTextFile(`${folder}/use.ts`, TYPED_PROGRAM);
  await Deno.writeTextFile(`${folder}/entries.ts`, TYPED_ENTRIES);
  await compile(folder, compilerSettings(resolution, ["use.ts", "entries.ts"]));
  if (resolution !== "nodenext") return;
  // TypeScript compiles these imports to `require()`; `verbatimModuleSyntax` would demand `import … = require()`.
  await Deno.writeTextFile(`${folder}/required.cts`, TYPED_ENTRIES);
  const settings = compilerSettings(resolution, ["required.cts"], { verbatimModuleSyntax: false });
  await compile(folder, settings);
}

async function compile(folder: string, settings: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/tsconfig.json`, settings);
  await runOrThrow("npx", ["tsc", "--project", "."], { cwd: folder });
}

/** Compiles the sources with the types of the oldest supported Node.js, so that they use nothing newer. */
export async function trySources(
  root: string,
  folder: string,
  entries: readonly string[],
): Promise<void> {
  const sources = (await sourceFiles(root, [".ts", ".json"])).filter((path) =>
    path.startsWith("src/") && !PAGE.test(path) || entries.includes(path)
  );
  for (const path of sources) {
    const target = `${folder}/sources/${path}`;
    await Deno.mkdir(target.replace(/\/[^/]+$/, ""), { recursive: true });
    await Deno.copyFile(`${root}/${path}`, target);
  }
  // The sources may use `Deno` after checking for it; the types of Node.js don't declare it.
  await Deno.writeTextFile(`${folder}/sources/deno.d.ts`, "declare const Deno: any;\n");
  const settings = compilerSettings("nodenext", ["deno.d.ts", ...entries], {
    // Node.js 20 has `isWellFormed`, which came into the standard only in ES2024.
    lib: ["es2023", "es2024.string", "dom", "dom.iterable", "dom.asynciterable"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    verbatimModuleSyntax: false,
    skipLibCheck: true,
  });
  await Deno.writeTextFile(`${folder}/sources/tsconfig.json`, settings);
  await runOrThrow("npx", ["tsc", "--project", "sources"], { cwd: folder });
}
