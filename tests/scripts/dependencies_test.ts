import assert from "node:assert/strict";
import { importSpecifiers } from "../../scripts/check_imports.ts";
import {
  hasCommonJs,
  loadsReportsLate,
  packageEntries,
  packageJson,
  readSources,
} from "../../scripts/npm/package_json.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";

type Imports = Readonly<Record<string, string>>;

const settings = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
const developing = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.dev.json`));
const { exports, imports } = settings as { readonly exports: Imports; readonly imports: Imports };
const { scopes } = developing as { readonly scopes: Readonly<Record<string, Imports>> };

/** Type packages, which are used through the packages that they describe. */
const TYPES = /^@types\//;

/** The text of every file in a folder; for the sources, also of the modules at the top. */
async function readTexts(folder: string): Promise<string[]> {
  const paths = (await sourceFiles(ROOT, [".ts", ".tsx", ".md"])).filter((path) =>
    folder === "src/" ? path.startsWith("src/") || /^\w+\.ts$/.test(path) : path.startsWith(folder)
  );
  return await Promise.all(paths.map((path) => Deno.readTextFile(`${ROOT}/${path}`)));
}

function isNamedIn(name: string, texts: readonly string[]): boolean {
  const quoted = new RegExp(`["' ]${name.replace(/[/.]/g, "\\$&")}(?:/[\\w./-]+)?["'\\s]`);
  return texts.some((text) => quoted.test(text));
}

Deno.test("deno.dev.json has the settings of deno.json, and the libraries of tests and scripts", () => {
  for (const key of ["name", "exports", "nodeModulesDir", "imports", "compilerOptions"]) {
    assert.deepEqual(developing[key], settings[key], key);
  }
  assert.equal(settings.scopes, undefined);
});

Deno.test("libraries are sorted, and those of tests and scripts are separate from those of the sources", async () => {
  assert.deepEqual(Object.keys(scopes), ["./docs/", "./examples/", "./scripts/", "./tests/"]);
  for (const list of [imports, ...Object.values(scopes)]) {
    assert.deepEqual(Object.keys(list), Object.keys(list).sort());
  }
  const texts = await readTexts("src/");
  const unused = (list: Imports, texts: readonly string[]): string[] =>
    Object.keys(list).filter((name) => !TYPES.test(name) && !isNamedIn(name, texts));
  assert.deepEqual(unused(imports, texts), [], "the sources import each of their libraries");
  for (const [folder, list] of Object.entries(scopes)) {
    const texts = await readTexts(folder.slice(2));
    assert.deepEqual(unused(list, texts), [], `${folder} imports each of its libraries`);
    assert.deepEqual(Object.keys(list).filter((name) => Object.hasOwn(imports, name)), []);
  }
});

Deno.test("the sources only import libraries of deno.json", async () => {
  for (const text of await readTexts("src/")) {
    for (const specifier of importSpecifiers(text)) {
      if (/^(?:\.|node:)/.test(specifier)) continue;
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
      assert.ok(name !== undefined && Object.hasOwn(imports, name), specifier);
    }
  }
});

Deno.test("a library has the same version in every scope", () => {
  const versions = new Map<string, string>();
  for (const list of [imports, ...Object.values(scopes)]) {
    for (const [name, version] of Object.entries(list)) {
      assert.equal(versions.get(name) ?? version, version, name);
      versions.set(name, version);
    }
  }
});

Deno.test("deno.json exports the library, the program, and every file of src/entries, sorted", async () => {
  const entries = [...Deno.readDirSync(`${ROOT}/src/entries`)].map(({ name }) => name).sort();
  const expected = entries.map((name) => [
    `./${name.replace(/\.ts$/, "").replaceAll("_", "-")}`,
    `./src/entries/${name}`,
  ]);
  assert.deepEqual(Object.entries(exports), [
    [".", "./mod.ts"],
    ["./cli", "./cli.ts"],
    ...expected,
  ]);
  for (const [, path] of expected) {
    const source = await Deno.readTextFile(`${ROOT}/${path}`);
    assert.match(source, /^\/\*\*[\s\S]*? @module\n \*\//, path);
  }
});

Deno.test("setup entries have side effects, Deno's has no CommonJS, and runner entries load reports lazily", async () => {
  const settings = { version: "1.0.0", license: "MIT", exports, imports: {} };
  const sources = await readSources(ROOT, settings);
  assert.deepEqual(packageJson({ ...settings, sources }, [])["sideEffects"], [
    ...["./lib/deno.js", "./lib/jest_setup.js", "./lib/jest_setup.cjs", "./lib/node_test.js"],
    "./lib/node_test.cjs",
  ]);
  const modules = packageEntries(settings).filter((entry) => !hasCommonJs(entry, { sources }));
  assert.deepEqual(modules.map(({ name }) => name), ["./deno"]);
  const late = packageEntries(settings).filter((entry) => loadsReportsLate(entry, { sources }));
  assert.deepEqual(late.map(({ name }) => name), [
    ...["./collect", "./deno", "./jest", "./jest-setup", "./node-test", "./playwright", "./vitest"],
    "./vitest-setup",
  ]);
});
