import { type Ended, runCovtool } from "../../tests/cli/fake_host.ts";
import { sourceFiles } from "../source_files.ts";

/** Everything a run of a program produced. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The files it wrote to the folder, by name. */
  readonly files: ReadonlyMap<string, string>;
}

export interface OutcomeOptions {
  /** The working directory. */
  readonly root: string;
  /** A folder for output files, called `OUT` in the arguments. */
  readonly folder: string;
  /** The file to read as standard input; nothing by default. */
  readonly stdin?: string | undefined;
}

/**
 * Runs a program at a fixed time, and returns everything that it prints and writes.
 *
 * @param program Undefined to run the sources in this process, which is ten times as fast as starting a new one.
 */
export async function runForOutcome(
  program: string | undefined,
  args: readonly string[],
  { root, folder, stdin }: OutcomeOptions,
): Promise<Outcome> {
  const data = `${folder}-data`;
  for (const path of [folder, data]) {
    await Deno.remove(path, { recursive: true }).catch(() => {});
    await Deno.mkdir(path, { recursive: true });
  }
  const own = args.map((arg) => arg.replace("OUT", folder).replace("DATA", data));
  const variables = { SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1", XDG_DATA_HOME: data };
  const { code, out, err } = program === undefined
    ? await runCovtool(own, { variables })
    : await runProcess(program, own, root, variables, stdin);
  const files = new Map<string, string>();
  for (const path of await sourceFiles(folder, [""])) {
    files.set(path, await Deno.readTextFile(`${folder}/${path}`));
  }
  return { code, out, err: withoutChance(err), files };
}

async function runProcess(
  program: string,
  args: readonly string[],
  root: string,
  env: Readonly<Record<string, string>>,
  stdin: string | undefined,
): Promise<Ended> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: root,
    env: { ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) {
    const file = await Deno.open(`${root}/${stdin}`);
    await file.readable.pipeTo(child.stdin);
  }
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out ?? "", err: err ?? "" };
}

/** Masks what differs from run to run: free ports, the secrets after them, and times of real traffic. */
function withoutChance(text: string): string {
  return text.replace(/(127\.0\.0\.1):\d+(?:\/[0-9a-f]{32}\b)?/g, "$1:PORT")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: to \d\d:\d\d:\d\d)?/g, "TIME");
}
