import { existsSync, watch } from "node:fs";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import type { FaultFolder } from "./fault_folder.ts";

/** How covtool is started: Deno with the sources, or a compiled program. */
export type Program = readonly [command: string, ...args: readonly string[]];

/** The sources, or the bundle of the run of the tests, run by this Deno. */
export const SOURCES: Program = [Deno.execPath(), "run", "-A", COVTOOL_MODULE];

/** The end of a run of covtool. */
export interface Ended {
  readonly code: number;
  /** The signal that ended it. */
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
}

/** A kill: the signal, and the milliseconds to wait for, from the start or from the first sign of a draft. */
export interface Kill {
  readonly signal: "SIGKILL" | "SIGTERM";
  readonly after: "start" | "draft";
  readonly milliseconds: number;
}

/** Runs of covtool with these inputs. */
export interface Run {
  readonly args: readonly string[];
  /** Text for standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly kill?: Kill | undefined;
}

/** The environment of runs: everything that covtool keeps is inside of the folder. */
export function environmentOf({ data, tmp }: FaultFolder): Record<string, string> {
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

/** Runs covtool in a folder and waits for its end, which is a kill if one is given and comes in time. */
export async function runCovtool(
  [command, ...before]: Program,
  folder: FaultFolder,
  { args, stdin, env, kill }: Run,
): Promise<Ended> {
  const start = performance.now();
  const watching = kill?.after === "draft" ? watchDrafts(folder) : undefined;
  const child = new Deno.Command(command, {
    args: [...before, ...args],
    cwd: folder.work,
    env: { ...environmentOf(folder), ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isOver = false;
  const killed = kill === undefined ? undefined : (async () => {
    await watching?.seen;
    await new Promise((resolve) => setTimeout(resolve, kill.milliseconds));
    try {
      if (!isOver) child.kill(kill.signal);
    } catch {
      // It has ended just now.
    }
  })();
  const fed = stdin === undefined ? undefined : feed(child.stdin, stdin);
  const { code, signal, stdout, stderr } = await output(child, () => isOver = true);
  watching?.stop();
  await Promise.all([killed, fed]);
  const decoder = new TextDecoder();
  const milliseconds = performance.now() - start;
  return { code, signal, out: decoder.decode(stdout), err: decoder.decode(stderr), milliseconds };
}

/** The output up to the end of the process itself: its children may hold the streams open for longer. */
async function output(child: Deno.ChildProcess, onEnd: () => void) {
  const pieces: Uint8Array[][] = [[], []];
  const readers = [child.stdout.getReader(), child.stderr.getReader()];
  const reading = readers.map(async (reader, index) => {
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return;
      pieces[index]?.push(value);
    }
  });
  const { code, signal } = await child.status;
  onEnd();
  // Whoever was killed has nothing more to say.
  const late = new Promise<void>((resolve) => setTimeout(resolve, signal === null ? 10_000 : 20));
  await Promise.race([Promise.all(reading), late]);
  await Promise.all(readers.map((reader) => reader.cancel().catch(() => {})));
  const [stdout, stderr] = pieces.map((some) => joined(some));
  return { code, signal, stdout: stdout ?? joined([]), stderr: stderr ?? joined([]) };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    all.set(piece, offset);
    offset += piece.length;
  }
  return all;
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

/** Waits for the first draft, temporary folder or recording that appears. */
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
