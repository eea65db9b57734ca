/**
 * Builds the npm package, installs its tarball into empty projects and uses it there: with every supported version of
 * Node.js, from TypeScript, and in a browser. It ends with the line "N passed, N failed".
 *
 *     deno run -A --config deno.dev.json scripts/check_npm.ts
 *
 * @module
 */
import assert from "node:assert/strict";
import { OF_PROGRAM } from "./npm/bundled_packages.ts";
import {
  hasCommonJs,
  OLDEST_NODE,
  packageEntries,
  readSources,
  type Settings,
} from "./npm/package_json.ts";
import { sharedPackage } from "./npm/shared_package.ts";
import { tryBrowser } from "./npm/try_browser.ts";
import {
  emptyProject,
  install,
  installNodes,
  measureSources,
  tryNode,
  tryPinned,
  trySources,
  tryTypes,
} from "./npm/try_package.ts";
import { run, runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";
import { inFolder } from "../tests/in_folder.ts";

const PUBLINT = "publint@0.3.25";
const ATTW = "@arethetypeswrong/cli@0.18.5";
/** The first one is the oldest supported version, as in the package's `engines`. */
const NODE_VERSIONS = ["22.15", "24", "26"];
/** The first one is the oldest version that projects on Node.js 22 are likely to have. */
const TYPESCRIPT_VERSIONS = ["5.4", "latest"];
const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";

const { check, exit } = createTally();

async function checkPackage(temporary: string): Promise<void> {
  // The tests of runners may have built the package from the same sources already.
  let [folder, tarball] = ["", ""];
  await check("the package for npm builds", async () => {
    ({ folder, tarball } = await sharedPackage());
    return `${(await Deno.stat(tarball)).size} bytes packed`;
  });
  if (tarball === "") return;
  await check("publint finds nothing in the package", async () => {
    await runOrThrow("npx", ["-y", PUBLINT, "--strict", folder]);
  });
  await check("npm has nothing to correct in the package", async () => {
    const { code, err } = await run("npm", ["publish", "--dry-run", "--tag", "latest"], {
      cwd: folder,
    });
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /correct/);
  });
  await check("the package's types are not wrong", async () => {
    const settings = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as Settings;
    const sources = await readSources(ROOT, settings);
    const modules = packageEntries(settings).filter((entry) => !hasCommonJs(entry, { sources }));
    const excluded = modules.map(({ name }) => name);
    await runOrThrow("npx", ["-y", ATTW, tarball, "--exclude-entrypoints", ...excluded]);
  });
  const project = (name: string) => emptyProject(ROOT, `${temporary}/${name}`);
  await check("npm installs the versions that npm-shrinkwrap.json pins", async () => {
    return `${await tryPinned(await project("pinned"), tarball)} packages beneath it`;
  });
  const expected = await measureSources(ROOT, await project("sources"));
  const nodes = await project("nodes");
  await check(`the package installs beside Node.js ${NODE_VERSIONS.join(", ")}`, async () => {
    await installNodes(nodes, tarball, NODE_VERSIONS);
  });
  for (const version of NODE_VERSIONS) {
    await check(`the package works on Node.js ${version}`, async () => {
      await tryNode(nodes, version, expected);
    });
  }
  for (const version of TYPESCRIPT_VERSIONS) {
    const folder = await project(`typescript-${version}`);
    await check(`the package installs beside TypeScript ${version}`, async () => {
      await install(folder, tarball, `typescript@${version}`, `@types/node@${OLDEST_NODE}`);
    });
    // Later compilers no longer support this module resolution.
    const oldest = version === TYPESCRIPT_VERSIONS[0] ? ["node10"] as const : [];
    for (const resolution of ["nodenext", "bundler", ...oldest] as const) {
      await check(`TypeScript ${version} takes the package's types, ${resolution}`, async () => {
        await tryTypes(folder, resolution);
      });
    }
  }
  await check(`nothing in the sources is newer than Node.js ${OLDEST_NODE}`, async () => {
    const settings = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as Settings;
    const entries = Object.values(settings.exports).map((path) => path.replace(/^\.\//, ""));
    const folder = `${temporary}/typescript-latest`;
    // The sources import libraries that the package bundles, and types that it doesn't depend on.
    const types = Object.keys(settings.imports).filter((name) => name.startsWith("@types/"));
    const needed = [...OF_PROGRAM, ...types]
      .map((name) => settings.imports[name]?.replace(/^npm:/, "") ?? name);
    await install(folder, ...needed);
    await trySources(ROOT, folder, entries);
  });
  await check("bundled, the package measures in a page and in a worker", async () => {
    return `${await tryBrowser(nodes, CHROMIUM, expected.statistic)} bytes minified`;
  });
}

if (import.meta.main) {
  await inFolder({}, checkPackage);
  exit();
}
