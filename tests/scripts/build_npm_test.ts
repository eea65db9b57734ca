import assert from "node:assert/strict";
import { packageEntries, packageJson } from "../../scripts/npm/package_json.ts";
import { reachedDeclarations, withPackageExamples } from "../../scripts/npm/package_types.ts";
import { shrinkwrap } from "../../scripts/npm/shrinkwrap.ts";

const SETTINGS = {
  version: "1.2.3",
  license: "MIT",
  exports: { ".": "./mod.ts", "./cli": "./cli.ts", "./plugins/koa": "./src/plugins/koa_plugin.ts" },
  imports: { "pako": "npm:pako@^3.0.3", "@scope/name": "npm:@scope/name@^2", "old": "npm:pako@^1" },
};

Deno.test("the package has every entry of deno.json, and the program as bin", () => {
  const json = packageJson(SETTINGS, []);
  const mod = { types: "mod.d.ts", file: "mod" };
  const koa = { types: "src/plugins/koa_plugin.d.ts", file: "koa_plugin" };
  const both = ({ types, file }: typeof mod) => ({
    import: { types: `./types/${types}`, default: `./lib/${file}.js` },
    require: { types: `./types/commonjs/${types}`, default: `./lib/${file}.cjs` },
  });
  assert.deepEqual(json.exports, {
    ".": both(mod),
    "./plugins/koa": both(koa),
    "./report.schema.json": "./report.schema.json",
    "./gaps.schema.json": "./gaps.schema.json",
    "./usage.schema.json": "./usage.schema.json",
    "./config.schema.json": "./config.schema.json",
    "./package.json": "./package.json",
  });
  assert.deepEqual(json.bin, { covtool: "bin/covtool.js" });
  assert.equal(json.version, "1.2.3");
});

Deno.test("dependencies are the imported libraries, with the versions in deno.json", () => {
  const { dependencies } = packageJson(SETTINGS, ["pako", "@scope/name/part", "node:fs", "pako"]);
  assert.deepEqual(dependencies, { "@scope/name": "^2", pako: "^3.0.3" });
  assert.throws(
    () => packageJson(SETTINGS, ["left-pad"]),
    /does not say which version of left-pad/,
  );
  assert.throws(() => packageJson(SETTINGS, ["old"]), /which version of old/);
});

Deno.test("npm-shrinkwrap.json pins libraries and their dependencies once each, with checksums", () => {
  const lock = {
    npm: {
      "pako@3.0.4": { integrity: "sha512-p", dependencies: ["@scope/name"] },
      "@scope/name@2.1.0_peer@1.0.0": { integrity: "sha512-s", dependencies: ["pako"] },
      "unused@1.0.0": { integrity: "sha512-u" },
    },
  };
  const json = packageJson(SETTINGS, ["pako"]);
  const { packages, ...head } = shrinkwrap(json, lock) as {
    packages: Readonly<Record<string, object>>;
  };
  const { "": own, ...pinned } = packages;
  assert.deepEqual(head, { name: "covtool", version: "1.2.3", lockfileVersion: 3, requires: true });
  assert.deepEqual((own as { dependencies: object }).dependencies, { pako: "^3.0.3" });
  assert.deepEqual(pinned, {
    "node_modules/pako": {
      version: "3.0.4",
      integrity: "sha512-p",
      dependencies: { "@scope/name": "2.1.0" },
    },
    "node_modules/@scope/name": {
      version: "2.1.0",
      integrity: "sha512-s",
      dependencies: { pako: "3.0.4" },
    },
  });
  const twice = { npm: { ...lock.npm, "pako@2.0.0": { integrity: "" } } };
  assert.throws(() => shrinkwrap(json, twice), /several versions of pako/);
  assert.throws(() => shrinkwrap(json, { npm: {} }), /no version of pako/);
});

Deno.test("the package has its repository if it is known", () => {
  assert.ok(!("repository" in packageJson(SETTINGS, [])));
  const url = "git+https://github.com/ada/covtool.git";
  assert.deepEqual(packageJson(SETTINGS, [], url).repository, { type: "git", url });
});

const ENTRIES = packageEntries(SETTINGS);

Deno.test("the error about a missing declaration names the file that needs it", () => {
  const declarations = new Map([["mod.d.ts", 'export { A } from "./src/a.js";\n']]);
  assert.throws(
    () => reachedDeclarations(ENTRIES, declarations),
    /^TypeError: mod\.d\.ts: has no types: src\/a\.d\.ts is missing/,
  );
});

Deno.test("examples import what an entry exports from the package, and are otherwise unchanged", () => {
  const sources = new Map([
    ["mod.ts", 'export { Shop, Book } from "./src/shop.ts";'],
    ["src/plugins/koa_plugin.ts", 'export { koa } from "./koa.ts";'],
  ]);
  const lines = [
    ' * import { Shop, Book } from "./shop.ts";',
    ' * import { koa } from "../koa.ts";',
    ' * import { hidden } from "./hidden.ts";',
    'import { Shop } from "./shop.js";',
    ' * import { koa } from "@covtool/covtool/plugins/koa";',
  ];
  assert.deepEqual(withPackageExamples(lines.join("\n"), ENTRIES, sources).split("\n"), [
    ' * import { Shop, Book } from "covtool";',
    ' * import { koa } from "covtool/plugins/koa";',
    ...lines.slice(2, 4),
    ' * import { koa } from "covtool/plugins/koa";',
  ]);
});
