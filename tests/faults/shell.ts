import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import type { Requirement } from "../requirement.ts";
import { inFolder } from "../in_folder.ts";

const BOOKSHOP = new URL("../../examples/bookshop/", import.meta.url);

/** What a script printed. */
export interface ShellResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a script of a shell, with functions of its own. */
export type Shell = (
  script: string,
  env?: Readonly<Record<string, string | undefined>>,
) => Promise<ShellResult>;

/** `covtool` runs covtool. */
const FUNCTIONS = `
covtool() { "$DENO" run -A --no-code-cache \${TEST_CLOCK:+--preload "$SET_CLOCK"} "$CLI" "$@"; }
sentence() { covtool "$@" 2>said >/dev/null; echo "$? $(tr '\\n' '|' <said)"; rm said; }
`;

/** The end of each error in one line. */
export const ERROR_END = "\\|covtool: exit 1: error\\|";

/** Runs a test in a folder with the bookshop's `openapi.yaml` and `traffic.json`, which is gone afterwards. */
export async function inShell(
  test: (run: Shell, folder: string) => Promise<void>,
  wrap: readonly string[] = ["bash", "-c"],
): Promise<void> {
  await inFolder({}, async (folder) => {
    for (const name of ["openapi.yaml", "traffic.json"]) {
      copyFileSync(new URL(name, BOOKSHOP), `${folder}/${name}`);
    }
    mkdirSync(`${folder}/data`);
    await test((script, env) => runShell(wrap, folder, script, env), folder);
  });
}

async function runShell(
  [command = "bash", ...args]: readonly string[],
  folder: string,
  script: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<ShellResult> {
  const variables: Record<string, string | undefined> = {
    ...Deno.env.toObject(),
    CLI: COVTOOL_MODULE,
    SET_CLOCK: new URL("clock.ts", import.meta.url).href,
    DENO: Deno.execPath(),
    DENO_DIR: denoFolder(),
    XDG_DATA_HOME: `${folder}/data`,
    SOURCE_DATE_EPOCH: "1700000000",
    NO_COLOR: "1",
    FORCE_COLOR: "",
    COLUMNS: "500",
    NO_PROXY: "",
    no_proxy: "",
    ...env,
  };
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, FUNCTIONS + script],
    cwd: folder,
    clearEnv: true,
    env: Object.fromEntries(
      Object.entries(variables).filter((entry): entry is [string, string] =>
        entry[1] !== undefined
      ),
    ),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Deno's own files stay where they are, whatever a test does to the home folder. */
function denoFolder(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return (JSON.parse(new TextDecoder().decode(stdout)) as { readonly denoDir: string }).denoDir;
}

/** True if a program runs and exits with 0. */
function works(command: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(command, { args: [...args], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

/** Runs a shell that may mount file systems, which are gone with it. */
export const MOUNTING: readonly string[] = [
  ...["unshare", "--map-root-user", "--mount", "bash", "-c"],
];

/** A small disk that can be filled. */
export const NEEDS_MOUNT: Requirement = {
  isMet: Deno.build.os === "linux" &&
    works("unshare", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"),
  reason: "no file system can be mounted here; run as a user who may unshare namespaces",
};

const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;

/** Runs a shell that permissions stop: root without its capabilities is a user like any other. */
export const UNPRIVILEGED: readonly string[] = isRoot
  ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "bash", "-c"]
  : ["bash", "-c"];

/** A user whom permissions stop. */
export const NEEDS_PERMISSIONS: Requirement = {
  isMet: Deno.build.os !== "windows" &&
    (!isRoot || works("setpriv", "--bounding-set=-all", "true")),
  reason: "permissions don't stop root; install setpriv, or run as another user",
};

/** Variables that set covtool's clock: `2040-01-01T00:00:00Z`. */
export function clockAt(time: string): Record<string, string> {
  return { TEST_CLOCK: time, SOURCE_DATE_EPOCH: "", TZ: "UTC" };
}

/** Asserts that no file of covtool's is left that has no final name. */
export function assertNoDrafts(listing: string): void {
  assert.doesNotMatch(listing, /\.covtool-|covtool-(?:run|proxy|net)-/);
}
