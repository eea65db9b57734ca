import assert from "node:assert/strict";
import { COVTOOL_MODULE } from "../covtool_module.ts";

/** A running covtool command. */
export interface RunningCommand {
  readonly child: Deno.ChildProcess;
  /** Standard error so far. */
  err(): string;
  /** Waits until standard error matches, and returns what the expression captures. */
  said(expression: RegExp): Promise<string>;
  /** Waits for the exit code. */
  exitCode(): Promise<number>;
  /** Waits for the exit code and all of standard error. */
  outcome(): Promise<{ readonly code: number; readonly err: string }>;
  /** Sends Ctrl+C, after which the exit code has to be 0. */
  interrupt(): Promise<void>;
}

/** The standard error of a process. */
export interface ReadErr extends Pick<RunningCommand, "err" | "said"> {
  /** Resolves when standard error has ended. */
  readonly reading: Promise<void>;
}

/** Reads the standard error of a process, which must be piped. */
export function readErr(child: Deno.ChildProcess): ReadErr {
  let err = "";
  let wake = (): void => {};
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      err += text;
      wake();
    }
    wake();
  })();
  let isEnded = false;
  void reading.then(() => isEnded = true);
  return {
    reading,
    err: () => err,
    async said(expression) {
      for (;;) {
        const match = expression.exec(err);
        if (match !== null) return match[1] ?? match[0];
        if (isEnded) throw new Error(`it never said ${expression}, but ${err}`);
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
  };
}

/**
 * Starts a covtool command in a folder, which also has its data.
 *
 * @param env Additional variables.
 * @param runtime Options of Deno.
 * @param stdin Whether something is written to its standard input.
 */
export function startCommand(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  runtime: readonly string[] = [],
  stdin: "piped" | "inherit" = "inherit",
): RunningCommand {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...runtime, COVTOOL_MODULE, ...args],
    cwd: folder,
    env: { XDG_DATA_HOME: `${folder}/data`, NO_COLOR: "1", FORCE_COLOR: "", ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { err, said, reading } = readErr(child);
  const exitCode = async (): Promise<number> => {
    await child.stdout.cancel();
    const { code } = await child.status;
    await reading;
    return code;
  };
  return {
    child,
    err,
    said,
    exitCode,
    outcome: async () => ({ code: await exitCode(), err: err() }),
    async interrupt() {
      child.kill("SIGINT");
      assert.equal(await exitCode(), 0, err());
    },
  };
}
