/**
 * Follows README.md and the quick start on two empty machines: one has only Node.js, the other only the built program.
 * It ends with the line "N passed, N failed".
 *
 *     deno task build && deno run -A --config deno.dev.json scripts/check_clean.ts
 *
 * The machines are folders that commands run in as their root (chroot), which needs Linux and root privileges or sudo.
 *
 * @module
 */
import {
  addNode,
  type CleanRoot,
  makeCleanRoot,
  networkVariables,
  nodePath,
} from "./docs/clean_root.ts";
import { runBlock } from "./docs/run_block.ts";
import { type ShellBlock, shellBlocks } from "./docs/shell_blocks.ts";
import { prepareWorkshop } from "./docs/workshop.ts";
import { serveRegistry } from "./npm/local_registry.ts";
import { sharedPackage } from "./npm/shared_package.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";

const PROGRAM = `${ROOT}/dist/covtool`;
const README = "README.md";
const QUICK_START = "docs/quick-start.md";

const tally = createTally();

async function blocksIn(path: string): Promise<readonly ShellBlock[]> {
  const { blocks } = shellBlocks(await Deno.readTextFile(`${ROOT}/${path}`));
  return blocks.filter(({ notRun }) => notRun === undefined);
}

/** Runs the commands of a page in order, in a folder of the root. */
async function follow(
  machine: string,
  path: string,
  blocks: readonly ShellBlock[],
  root: CleanRoot,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const block of blocks) {
    await tally.check(`${machine}: ${path}:${block.line} works`, async () => {
      const { problem } = await runBlock(block, ROOT, {}, root.prefix(cwd, env));
      if (problem !== undefined) throw new Error(problem);
    });
  }
}

async function onNode(temporary: string, registry: string): Promise<void> {
  const root = await makeCleanRoot(`${temporary}/node`, { node: await nodePath() });
  await addNode(root.folder);
  const workshop = await prepareWorkshop(`${root.folder}/work`, PROGRAM, registry);
  const inside = (path: string) => path.slice(root.folder.length);
  const env = {
    ...networkVariables(Deno.env.toObject()),
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
  };
  const machine = "with Node.js alone";
  // In a clone, npx downloads Deno, which downloads the libraries.
  const readme = (await blocksIn(README)).filter(({ script }) => script.startsWith("npx -y deno@"));
  await follow(machine, README, readme, root, inside(workshop.clone), env);
  const folder = await workshop.folder(QUICK_START, true);
  await follow(machine, QUICK_START, await blocksIn(QUICK_START), root, inside(folder), env);
}

async function withProgram(temporary: string, registry: string): Promise<void> {
  const root = await makeCleanRoot(`${temporary}/program`, { covtool: PROGRAM });
  const workshop = await prepareWorkshop(`${root.folder}/work`, PROGRAM, registry);
  const machine = "with the program alone";
  for (const [path, startsEmpty] of [[README, false], [QUICK_START, true]] as const) {
    // The quick start tells readers without Node.js to do the same.
    const blocks = (await blocksIn(path)).map((block) => ({
      ...block,
      script: block.script.replaceAll("npx covtool", "covtool"),
    })).filter(({ script }) => !/^node |\bnp[mx]\b/m.test(script));
    const folder = await workshop.folder(path, startsEmpty);
    await follow(machine, path, blocks, root, folder.slice(root.folder.length));
  }
}

if (import.meta.main) {
  const temporary = await Deno.makeTempDir({ prefix: "covtool-clean-" });
  const registry = await serveRegistry((await sharedPackage()).tarball);
  try {
    await tally.check("machines with nothing on them", async () => {
      await onNode(temporary, registry.url);
      await withProgram(temporary, registry.url);
    });
  } finally {
    await registry.close();
    await Deno.remove(temporary, { recursive: true });
  }
  tally.exit();
}
