/**
 * Builds the program `dist/covtool` (`covtool.exe` on Windows) and runs it to prove that it works.
 *
 *     deno run -A scripts/build.ts
 *     deno run -A scripts/build.ts --target aarch64-unknown-linux-gnu    for another machine, unproven
 *
 * The sources are bundled into a few modules, so that a command loads only what it needs, and these are compiled
 * together with Deno's runtime, `denort`. If DENORT_BIN names one (or `../shared/denort/denort.sh` prints one), the
 * Deno version that it belongs to compiles with it; otherwise Deno downloads its own.
 *
 * @module
 */
import { VERSION } from "../src/values/version.ts";
import { print } from "./print.ts";
import { run } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** The Deno version of a provided `denort`. */
export const DENORT_VERSION = "2.7.14";
const DENORT_SCRIPT = "../shared/denort/denort.sh";
const MODULES = `${ROOT}/dist/program`;

/** Kinds of system information that covtool doesn't read. */
const NOT_NEEDED = [
  ...["cpus", "getPriority", "getegid", "loadavg", "networkInterfaces", "osRelease", "osUptime"],
  ...["setPriority", "statfs", "systemMemoryInfo", "userInfo", "username"],
];

/** Permissions that covtool's commands need; the program never prompts for more. */
const PERMISSIONS = [
  "--no-prompt",
  // Descriptions, recordings and reports are wherever the user says.
  "--allow-read",
  "--allow-write",
  // Descriptions and the files that they refer to may be on the web, and the proxy forwards requests.
  "--allow-net",
  "--allow-env",
  // `covtool proxy` and `covtool run` start a command of the user.
  "--allow-run",
  // The proxy keeps its certificate authority in the home folder (homedir), which the user must own (uid, gid).
  // Reading the machine's trusted certificates can't be allowed by name. Names of unfinished files have the hostname.
  "--allow-sys",
  `--deny-sys=${NOT_NEEDED.join(",")}`,
  // Without `--deny-import`, Deno would still fetch modules from the hosts that it allows by default.
  "--deny-import",
  "--deny-ffi",
];

/** V8 flags for a program that runs for a second or a minute (docs/performance.md has the measurements). */
const ENGINE_FLAGS = [
  // The last compiler pays for itself only after 300,000 calls, not after 3,000.
  "--invocation-count-for-turbofan=300000",
  // A young generation of 8 MB at most, not 16 or 32, saves a fifth of the memory and costs no time.
  "--min-semi-space-size=4",
  "--max-semi-space-size=8",
  // Old objects are marked for the first time at 200 MB. The default, 35 to 60 MB, is reached in a run of a second and
  // takes a twentieth to an eighth of its time, to save memory that a run of a minute needs anyway.
  "--initial-old-space-size=200",
];

export interface Compilation {
  /** The entry module. */
  readonly module: string;
  /** The path of the compiled program. */
  readonly output: string;
  /** The Rust target triple; this machine's by default. */
  readonly target?: string | undefined;
}

/**
 * Compiles a program with the given `denort`, or the one that this Deno downloads. Returns the error output, undefined
 * on success.
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
  // Deno would put this runtime even into programs for other machines.
  if (denort === undefined) Deno.env.delete("DENORT_BIN");
  const { code, err } = denort === undefined
    ? await run(Deno.execPath(), args, { cwd: ROOT })
    : await run("npx", ["-y", `deno@${DENORT_VERSION}`, ...args], {
      cwd: ROOT,
      env: { DENORT_BIN: denort },
    });
  return code === 0 ? undefined : err.trim();
}

/** Returns the path of the `denort` provided for this machine; undefined if Deno has to download one. */
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

/** Bundles the program's sources into modules in a folder, which is emptied first; returns the entry module. */
export async function bundleProgram(folder: string = MODULES): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  // A bundle for browsers contains no `require`, so it runs on Deno and Node.js alike.
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
  // The provided `denort` is for this machine only.
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
