import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { commandWorks, needing, type Requirement } from "../requirement.ts";
import { type Ended, run } from "../../scripts/run.ts";
import { inFolder } from "../in_folder.ts";

const BOOKSHOP = new URL("../../examples/bookshop/", import.meta.url);

/** Runs a shell script with additional functions. */
export type Shell = (script: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;

/** `covtool` runs covtool. */
const FUNCTIONS = `
covtool() { "$DENO" run -A --no-code-cache \${TEST_CLOCK:+--preload "$SET_CLOCK"} "$CLI" "$@"; }
sentence() { covtool "$@" 2>said >/dev/null; echo "$? $(tr '\\n' '|' <said)"; rm said; }
`;

/** The last line of each error. */
export const ERROR_END = "\\|covtool: exit 1: error\\|";

/** A shell with its requirements. */
export interface ShellSetting {
  readonly requirement: Requirement;
  /** The command, with the script as its last argument. */
  readonly command: readonly string[];
}

/** Defines a test in a temporary folder with the bookshop's `openapi.yaml` and `traffic.json`. */
export function shellTest(
  name: string,
  { requirement, command }: ShellSetting,
  test: (run: Shell, folder: string) => Promise<void>,
): void {
  Deno.test({
    ...needing(requirement, name),
    fn: () =>
      inFolder({}, async (folder) => {
        mkdirSync(`${folder}/data`);
        for (const name of ["openapi.yaml", "traffic.json"]) {
          copyFileSync(new URL(name, BOOKSHOP), `${folder}/${name}`);
        }
        const [program = "", ...args] = command;
        await test((script, variables) => {
          const env = { ...VARIABLES, XDG_DATA_HOME: `${folder}/data`, ...variables };
          return run(program, [...args, FUNCTIONS + script], { cwd: folder, env });
        }, folder);
      }),
  });
}

/** Variables of all runs. */
const VARIABLES = {
  CLI: COVTOOL_MODULE,
  SET_CLOCK: new URL("clock.ts", import.meta.url).href,
  DENO: Deno.execPath(),
  SOURCE_DATE_EPOCH: "1700000000",
  ...{ NO_COLOR: "1", FORCE_COLOR: "", COLUMNS: "500", NO_PROXY: "", no_proxy: "" },
};

/** Any shell. */
export const ANY_SHELL: ShellSetting = {
  requirement: {
    isMet: Deno.build.os !== "windows",
    reason: "Windows has no shell; run it elsewhere",
  },
  command: ["bash", "-c"],
};

const OWN_MOUNTS = ["--map-root-user", "--mount", "bash", "-c"];

/** A shell that may mount file systems, such as a small disk to fill, which are gone when it ends. */
export const MOUNTING: ShellSetting = {
  requirement: {
    isMet: Deno.build.os === "linux" &&
      await commandWorks("unshare", [...OWN_MOUNTS, "mount -t tmpfs tmpfs /mnt"]),
    reason: "no file system can be mounted here; run as a user who may unshare namespaces",
  },
  command: ["unshare", ...OWN_MOUNTS],
};

const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;

/** A shell that permissions apply to: root without its capabilities is an ordinary user. */
export const UNPRIVILEGED: ShellSetting = {
  requirement: {
    isMet: Deno.build.os !== "windows" &&
      (!isRoot || await commandWorks("setpriv", ["--bounding-set=-all", "true"])),
    reason: "permissions don't stop root; install setpriv, or run as another user",
  },
  command: isRoot
    ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "bash", "-c"]
    : ["bash", "-c"],
};

/** Variables that set covtool's clock, such as to `2040-01-01T00:00:00Z`. */
export function clockAt(time: string): Record<string, string> {
  return { TEST_CLOCK: time, SOURCE_DATE_EPOCH: "", TZ: "UTC" };
}

/** Asserts that no draft of covtool is left. */
export function assertNoDrafts(listing: string): void {
  assert.doesNotMatch(listing, /\.covtool-|covtool-(?:run|proxy|net)-/);
}
