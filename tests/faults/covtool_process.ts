import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import type { FaultFolder } from "./fault_folder.ts";

/** The command that starts covtool: Deno with the sources, or a compiled program. */
export type Program = readonly [command: string, ...args: readonly string[]];

/** The sources, or the bundle of the test run, run by this Deno. */
export const SOURCES: Program = [Deno.execPath(), "run", "-A", COVTOOL_MODULE];

/** The end of a covtool process. */
export interface Ended {
  readonly code: number;
  /** The signal that ended it. */
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
}

/** A signal and the milliseconds to wait, from the start or from the first draft. */
export interface Kill {
  readonly signal: "SIGKILL" | "SIGTERM";
  readonly after: "start" | "draft";
  readonly milliseconds: number;
}

/** A run of covtool with its inputs. */
export interface Run {
  readonly args: readonly string[];
  /** Text for standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly kill?: Kill | undefined;
}

/** The environment of runs: everything that covtool keeps is inside the folder. */
export function runEnvironment({ data, tmp }: FaultFolder): Record<string, string> {
  return {
    XDG_DATA_HOME: data,
    TMPDIR: tmp,
    SOURCE_DATE_EPOCH: "1700000000",
    NO_COLOR: "1",
    FORCE_COLOR: "",
    NO_PROXY: "",
    no_proxy: "",
  };
}

const REDIRECT = 'out=$1; err=$2; shift 2; exec "$@" >"$out" 2>"$err"';

/** Runs covtool in a folder and waits for its end, or kills it. */
export async function runCovtool(
  [command, ...before]: Program,
  folder: FaultFolder,
  { args, stdin, env, kill }: Run,
): Promise<Ended> {
  const start = performance.now();
  const watching = kill?.after === "draft" ? watchDrafts(folder) : undefined;
  // Its children may keep streams open after it has ended, but not files.
  const [out, err] = ["out", "err"].map((name) => `${folder.tmp}/said.${name}`) as [string, string];
  for (const path of [out, err]) writeFileSync(path, "");
  const child = new Deno.Command("sh", {
    args: ["-c", REDIRECT, "sh", out, err, command, ...before, ...args],
    cwd: folder.work,
    env: { ...runEnvironment(folder), ...env },
    stdin: stdin === undefined ? "null" : "piped",
  }).spawn();
  let isOver = false;
  const killed = kill === undefined ? undefined : (async () => {
    await watching?.seen;
    await new Promise((resolve) => setTimeout(resolve, kill.milliseconds));
    try {
      if (!isOver) child.kill(kill.signal);
    } catch {
      // It has just ended.
    }
  })();
  const fed = stdin === undefined ? undefined : feed(child.stdin, stdin);
  const { code, signal } = await child.status;
  isOver = true;
  watching?.stop();
  await Promise.all([killed, fed]);
  const milliseconds = performance.now() - start;
  const [said, complained] = [out, err].map((path) => readFileSync(path, "utf8"));
  return { code, signal, out: said ?? "", err: complained ?? "", milliseconds };
}

async function feed(stdin: WritableStream<Uint8Array<ArrayBuffer>>, text: string): Promise<void> {
  try {
    const writer = stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // It was killed before it had read everything.
  }
}

/** Waits for the first draft, temporary folder or recording. */
function watchDrafts({ work, data, tmp }: FaultFolder) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watchers = [work, data, `${data}/covtool`, tmp].filter((folder) => existsSync(folder))
    .map((folder) =>
      watch(folder, (_event, name) => {
        if (/^\.covtool-|^covtool-|\.jsonl$/.test(String(name))) resolve();
      })
    );
  return {
    seen: promise,
    stop: (): void => {
      for (const watcher of watchers) watcher.close();
      resolve();
    },
  };
}
