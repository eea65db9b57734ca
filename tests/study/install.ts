import { readdir } from "node:fs/promises";
import { instrumentAll } from "../../scripts/mutate/instrument.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { readCompressed, writeCompressed } from "./results.ts";
import { INSTALLED_AS_OF, type StudyServer } from "./servers.ts";

/** A change of a server's code. */
export interface StudyMutant {
  /** The id in the instrumented code. */
  readonly id: string;
  /** A path in `node_modules`. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: string;
  readonly replacement: string;
}

/** Installs a server once, with all mutants in its code. */
export async function install(
  server: StudyServer,
  folder: string,
): Promise<readonly StudyMutant[]> {
  const list = new URL(`file://${folder}/mutants.json.gz`);
  const known = readCompressed<readonly StudyMutant[]>(list);
  if (known !== undefined) return known;
  await Deno.mkdir(`${folder}/state`, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
  await Deno.writeTextFile(`${folder}/load.mjs`, "export default (name) => import(name);\n");
  const options = ["--no-audit", "--no-fund", "--omit=dev", `--before=${INSTALLED_AS_OF}`];
  if (!server.compiled) options.push("--ignore-scripts");
  await runOrThrow("npm", ["install", ...options, ...server.packages], { cwd: folder });
  const mutants = await mutate(server, folder);
  writeCompressed(mutants, list);
  return mutants;
}

async function mutate(server: StudyServer, folder: string): Promise<readonly StudyMutant[]> {
  const root = `${folder}/node_modules`;
  const paths = (await readdir(root, { recursive: true }))
    .filter((path) => server.code.test(path)).sort();
  if (paths.length === 0) throw new Error(`${server.name} has no code to mutate.`);
  const { files, mutants } = await instrumentAll(paths.map((path) => ({
    path,
    // Source maps would double the size.
    text: Deno.readTextFileSync(`${root}/${path}`).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"),
  })));
  for (const file of files) await Deno.writeTextFile(`${root}/${file.name}`, file.content);
  return mutants.map(({ id, fileName, mutatorName, replacement, location }) => ({
    ...{ id, file: fileName, line: location.start.line + 1, kind: mutatorName, replacement },
  }));
}
