/**
 * Runs the commands of README.md and docs/, with the built program and the package for npm, and compares what they print
 * with what the pages show. It ends with the line "N passed, N failed".
 *
 *     deno task build && deno task docs
 *     deno task docs --write              writes what they print into the pages
 *     deno task docs docs/proxy.md        runs those of one page
 *
 * @module
 */
import { runBlock } from "./docs/run_block.ts";
import { shellBlocks } from "./docs/shell_blocks.ts";
import { prepareWorkshop, type Workshop } from "./docs/workshop.ts";
import { serveRegistry } from "./npm/local_registry.ts";
import { sharedPackage } from "./npm/shared_package.ts";
import { print } from "./print.ts";
import { ROOT, sourceFiles } from "./source_files.ts";
import { createTally } from "./tally.ts";

const PROGRAM = `${ROOT}/dist/covtool`;
/** The maximum number of blocks that give a reason for not running. */
const MOST_NOT_RUN = 17;

async function documentationPages(root: string): Promise<string[]> {
  return (await sourceFiles(root, [".md"])).filter((path) =>
    path === "README.md" || path.startsWith("docs/")
  );
}

/** Matches commands that run in a clone of the repository. */
const IN_CLONE = /^npx -y deno@/;

async function checkPage(path: string, workshop: Workshop, write: boolean): Promise<string[]> {
  const { check } = tally;
  let text = await Deno.readTextFile(`${ROOT}/${path}`);
  const { startsEmpty, blocks } = shellBlocks(text);
  const notRun: string[] = [];
  let folder: string | undefined;
  // Applied from last to first, so that the positions of earlier blocks stay valid.
  const replacements: { start: number; end: number; output: string }[] = [];
  for (const block of blocks) {
    if (block.notRun !== undefined) {
      notRun.push(`${path}:${block.line}: ${block.notRun}`);
      continue;
    }
    const { runBy } = block;
    if (runBy !== undefined) {
      await check(`${path}:${block.line} is run by ${runBy}`, async () => {
        const test = await Deno.readTextFile(`${ROOT}/${runBy}`);
        if (!test.includes(path)) throw new Error(`${runBy} doesn't read ${path}.`);
      });
      continue;
    }
    await check(`${path}:${block.line} works`, async () => {
      folder ??= await workshop.folder(path, startsEmpty);
      const [cwd, env] = IN_CLONE.test(block.script)
        ? [workshop.clone, workshop.env]
        : [folder, { ...workshop.env, ...workshop.npm }];
      const { output, problem } = await runBlock(block, cwd, env);
      if (write && block.prints !== undefined) {
        replacements.push({ ...block.prints, output });
      } else if (problem !== undefined) throw new Error(problem);
    });
  }
  for (const { start, end, output } of replacements.reverse()) {
    text = `${text.slice(0, start)}${output}\n${text.slice(end)}`;
  }
  if (replacements.length > 0) await Deno.writeTextFile(`${ROOT}/${path}`, text);
  return notRun;
}

async function main(args: readonly string[]): Promise<void> {
  const write = args.includes("--write");
  const named = args.filter((arg) => !arg.startsWith("--"));
  const temporary = await Deno.makeTempDir({ prefix: "covtool-docs-" });
  const registry = await serveRegistry((await sharedPackage()).tarball);
  try {
    const workshop = await prepareWorkshop(temporary, PROGRAM, registry.url);
    const notRun: string[] = [];
    for (const path of named.length > 0 ? named : await documentationPages(ROOT)) {
      notRun.push(...await checkPage(path, workshop, write));
    }
    for (const sentence of notRun) print(`not run: ${sentence}`);
    await tally.check("few commands of the documentation are not run", () => {
      if (notRun.length > MOST_NOT_RUN) {
        throw new Error(`${notRun.length} blocks are not run, ${MOST_NOT_RUN} may be.`);
      }
      return Promise.resolve(`${notRun.length}`);
    });
  } finally {
    await registry.close();
    await Deno.remove(temporary, { recursive: true });
  }
}

const tally = createTally();

if (import.meta.main) {
  await main(Deno.args);
  tally.exit();
}
