/**
 * Builds the program `dist/covtool` (`covtool.exe` on Windows) and runs it to prove that it works.
 *
 *     deno run -A scripts/build.ts
 *
 * The sources are bundled into one module, which is compiled together with Deno's runtime, `denort`. Where
 * DENORT_BIN names one (or `../shared/denort/denort.sh` gives one), that is taken, by the Deno version that
 * it belongs to; else Deno downloads its own.
 *
 * @module
 */
import { VERSION } from "../src/version.ts";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** The version of a `denort` that is handed over. */
const DENORT_VERSION = "2.7.14";
const DENORT_SCRIPT = "../shared/denort/denort.sh";
const BUNDLE = "dist/covtool.js";
const PROGRAM = `dist/covtool${Deno.build.os === "windows" ? ".exe" : ""}`;
const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-net",
  "--allow-env",
  // The proxy runs commands, and asks for the user's home folder.
  "--allow-run",
  "--allow-sys",
];

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How the bundle is compiled: by the given `denort`, or by what this Deno downloads. */
export function compileCommand(denort: string | undefined): Command {
  const compile = ["compile", "--quiet", "--no-check", ...PERMISSIONS, "--output", PROGRAM, BUNDLE];
  return denort === undefined ? { command: Deno.execPath(), args: compile } : {
    command: Deno.build.os === "windows" ? "npx.cmd" : "npx",
    args: ["-y", `deno@${DENORT_VERSION}`, ...compile],
    env: { DENORT_BIN: denort },
  };
}

/** What is wrong with a program that was asked for its version; undefined where nothing is. */
export function programProblem(code: number, output: string, version: string): string | undefined {
  const expected = `covtool ${version}`;
  if (code !== 0) return `The program ends with ${code}.`;
  if (output.trim() !== expected) {
    return `The program says "${output.trim()}", not "${expected}".`;
  }
  return undefined;
}

async function findDenort(): Promise<string | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given !== undefined && given !== "") return given;
  try {
    await Deno.stat(`${ROOT}/${DENORT_SCRIPT}`);
  } catch {
    return undefined;
  }
  const { code, output } = await run({ command: "bash", args: [DENORT_SCRIPT] });
  return code === 0 ? output.trim() : undefined;
}

async function run({ command, args, env }: Command): Promise<{ code: number; output: string }> {
  const { code, stdout } = await new Deno.Command(command, {
    args: [...args],
    cwd: ROOT,
    env: { ...env },
    stderr: "inherit",
  }).output();
  return { code, output: new TextDecoder().decode(stdout) };
}

async function build(): Promise<string | undefined> {
  await Deno.mkdir(`${ROOT}/dist`, { recursive: true });
  // A browser's bundle has no `require` in it, and so runs on Deno and Node.js alike.
  const bundle = await run({
    command: Deno.execPath(),
    args: ["bundle", "--quiet", "--platform", "browser", "--minify", "--output", BUNDLE, "cli.ts"],
  });
  if (bundle.code !== 0) return "The sources cannot be bundled.";
  const compiled = await run(compileCommand(await findDenort()));
  if (compiled.code !== 0) return "The bundle cannot be compiled.";
  const { code, output } = await run({ command: `${ROOT}/${PROGRAM}`, args: ["--version"] });
  return programProblem(code, output, VERSION);
}

if (import.meta.main) {
  const problem = await build();
  print(problem ?? `${PROGRAM}: ${(await Deno.stat(`${ROOT}/${PROGRAM}`)).size} bytes`);
  Deno.exit(problem === undefined ? 0 : 1);
}
