/**
 * Builds the program `dist/covtool` (`covtool.exe` on Windows) and runs it to prove that it works.
 *
 *     deno run -A scripts/build.ts
 *     deno run -A scripts/build.ts --target aarch64-unknown-linux-gnu    for another machine, unproven
 *
 * The sources are bundled into a few modules, so that a command loads only what it needs, and these are compiled
 * together with Deno's runtime, `denort`. Where DENORT_BIN names one (or `../shared/denort/denort.sh` gives one), that
 * is taken, by the Deno version that it belongs to; else Deno downloads its own.
 *
 * @module
 */
import { VERSION } from "../src/values/version.ts";
import { print } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** The version of a `denort` that is handed over. */
export const DENORT_VERSION = "2.7.14";
const DENORT_SCRIPT = "../shared/denort/denort.sh";
const MODULES = `${ROOT}/dist/program`;

/** What covtool doesn't ask of the system. */
const NOT_NEEDED = [
  ...["cpus", "getPriority", "getegid", "loadavg", "networkInterfaces", "osRelease", "osUptime"],
  ...["setPriority", "statfs", "systemMemoryInfo", "userInfo", "username"],
];

/** Permissions that covtool's commands need; the program never prompts for more. */
const PERMISSIONS = [
  "--no-prompt",
  // Descriptions, recordings and reports lie where the user says.
  "--allow-read",
  "--allow-write",
  // Descriptions and what they refer to may be on the web, and the proxy passes on what it gets.
  "--allow-net",
  "--allow-env",
  // The proxy and covtool run start a command of the user's.
  "--allow-run",
  // The proxy keeps its authority in the user's folder (homedir), which has to be the user's (uid, gid), and hands out the
  // certificates that the machine trusts, for which no name can be given. Files half written are told apart by hostname.
  "--allow-sys",
  `--deny-sys=${NOT_NEEDED.join(",")}`,
  // Without these, Deno would still fetch modules from the hosts that it knows.
  "--deny-import",
  "--deny-ffi",
];

/** Settings of the engine for a program that runs for a second or a minute (docs/performance.md has the measurements). */
const ENGINE_FLAGS = [
  // Code of the last compiler does not pay for itself before: 300,000 calls, not 3,000.
  "--invocation-count-for-turbofan=300000",
  // New objects have up to 8 MB, not 16 or 32, at a time: a fifth of the memory, and no more time.
  "--min-semi-space-size=4",
  "--max-semi-space-size=8",
  // All that is old is marked first when it has 200 MB. By default that is at 35 to 60, once in a run of a second: a
  // twentieth to an eighth of its time, for memory that a run of a minute needs as well.
  "--initial-old-space-size=200",
];

/** Source and target of a compilation. */
export interface Compilation {
  /** The module that the program begins with. */
  readonly module: string;
  /** The program. */
  readonly output: string;
  /** The kind of machine that it is for, as Rust calls it; this one's by default. */
  readonly target?: string | undefined;
}

/**
 * Compiles a program with the given `denort`, or the one that this Deno downloads; gives what is wrong, undefined where
 * nothing is.
 */
export async function compile(
  denort: string | undefined,
  { module, output, target }: Compilation,
): Promise<string | undefined> {
  const args = [
    "compile",
    "--quiet",
    "--no-check",
    ...PERMISSIONS,
    `--v8-flags=${ENGINE_FLAGS.join(",")}`,
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    module,
  ];
  // Deno would put this machine's runtime into programs for others as well.
  if (denort === undefined) Deno.env.delete("DENORT_BIN");
  const { code, err } = denort === undefined
    ? await run(Deno.execPath(), args, { cwd: ROOT })
    : await run("npx", ["-y", `deno@${DENORT_VERSION}`, ...args], {
      cwd: ROOT,
      env: { DENORT_BIN: denort },
    });
  return code === 0 ? undefined : err.trim();
}

/** The `denort` of this machine that was handed over; undefined where Deno has to download one. */
export async function findDenort(): Promise<string | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given !== undefined && given !== "") return given;
  try {
    await Deno.stat(`${ROOT}/${DENORT_SCRIPT}`);
  } catch {
    return undefined;
  }
  const { code, out } = await run("bash", [DENORT_SCRIPT], { cwd: ROOT });
  return code === 0 ? out.trim() : undefined;
}

/** Bundles the sources of the program into modules in a folder, which is made anew; gives the one that begins. */
export async function bundleProgram(folder: string = MODULES): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  // A browser's bundle has no `require` in it, and so runs on Deno and Node.js alike.
  const { code, err } = await run(
    Deno.execPath(),
    [
      ...["bundle", "--quiet", "--platform", "browser", "--minify", "--code-splitting", "--outdir"],
      ...[folder, "cli.ts"],
    ],
    { cwd: ROOT },
  );
  if (code !== 0) throw new Error(`The sources cannot be bundled:\n${err}`);
  return `${folder}/cli.js`;
}

async function build(program: string, target: string): Promise<string | undefined> {
  // What was handed over is for this machine alone.
  const isOwn = target === Deno.build.target;
  const problem = await compile(isOwn ? await findDenort() : undefined, {
    module: await bundleProgram(),
    output: program,
    target: isOwn ? undefined : target,
  });
  if (problem !== undefined) return `The bundle cannot be compiled:\n${problem}`;
  if (!isOwn) return undefined;
  const { code, out } = await run(`${ROOT}/${program}`, ["--version"]);
  const expected = `covtool ${VERSION}`;
  if (code !== 0) return `The program exited with ${code}.`;
  if (out.trim() !== expected) return `The program printed "${out.trim()}", not "${expected}".`;
  return undefined;
}

if (import.meta.main) {
  const [option, target = Deno.build.target] = Deno.args;
  if (option !== undefined && option !== "--target") {
    print(`${option} is no option: there is only --target, with a kind of machine.`);
    Deno.exit(1);
  }
  const program = `dist/covtool${target.includes("windows") ? ".exe" : ""}`;
  const problem = await build(program, target);
  print(problem ?? `${program}: ${(await Deno.stat(`${ROOT}/${program}`)).size} bytes`);
  Deno.exit(problem === undefined ? 0 : 1);
}
