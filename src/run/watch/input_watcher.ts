import { existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command_error.ts";
import { findRecordings } from "../find_recordings.ts";

/** Milliseconds without a change after which files count as completely written. */
const QUIET_TIME = 25;
/** Milliseconds after which files are measured even if they are still being written. */
const MAX_WAIT = 200;
/** Milliseconds in which a removed file may reappear: some editors write files that way. */
const GRACE = 150;
/** Polling interval in milliseconds, for systems that report no changes (network drives, containers). */
const POLL_INTERVAL = 1000;
/** The maximum share of time that polling may take. */
const MAX_POLL_SHARE = 0.02;

/** Waits until files have changed: they may be replaced, written in steps, or reached by links. */
export class InputWatcher {
  readonly #watchers = new Map<string, FSWatcher>();
  #names: readonly string[] = [];
  #ignored: ReadonlySet<string> = new Set();
  #state: InputState = { text: "", lacksAny: false };
  #hasEvent = false;
  #isClosed = false;
  #wake: (() => void) | undefined;
  #pollInterval = POLL_INTERVAL;

  /** Saves the present state of inputs to compare with later; call this before the inputs are read. */
  async begin(names: readonly string[], except: Iterable<string> = []): Promise<void> {
    this.#names = [...new Set(names)];
    this.#ignored = new Set(except);
    this.#hasEvent = false;
    this.#watchFolders();
    this.#state = await this.#readState();
  }

  /** Watches further inputs from their present state on. */
  async add(names: readonly string[], except: Iterable<string>): Promise<void> {
    this.#ignored = new Set(except);
    const known = new Set(this.#names.map((name) => resolve(name)));
    const further = names.filter((name) => !known.has(resolve(name)));
    if (further.length === 0) return;
    this.#names = [...this.#names, ...new Set(further)];
    this.#watchFolders();
    const { text, lacksAny } = await inputState(further, this.#ignored);
    const own = this.#state;
    this.#state = {
      text: [own.text, text].filter((part) => part !== "").join("\n"),
      lacksAny: own.lacksAny || lacksAny,
    };
  }

  /** Resolves when an input has changed and is completely written, or when the watcher is closed. */
  async waitForChange(): Promise<void> {
    while (!this.#isClosed) {
      await this.#waitForEvent();
      if (this.#isClosed) return;
      this.#watchFolders(); // missing folders may exist now
      const state = await this.#waitUntilWritten();
      if (state.text !== this.#state.text) return;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#wake?.();
  }

  #waitForEvent(): Promise<void> {
    if (this.#hasEvent) {
      this.#hasEvent = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), this.#pollInterval);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        this.#hasEvent = false;
        resolve();
      };
    });
  }

  async #waitUntilWritten(): Promise<InputState> {
    const start = performance.now();
    let last = await this.#readState();
    while (last.text !== this.#state.text && !this.#isClosed) {
      await delay(QUIET_TIME);
      const next = await this.#readState();
      const waited = performance.now() - start;
      const mayComeBack = next.lacksAny && !this.#state.lacksAny && waited < GRACE;
      if (next.text === last.text && !mayComeBack || waited > MAX_WAIT) return next;
      last = next;
    }
    return last;
  }

  async #readState(): Promise<InputState> {
    const start = performance.now();
    const state = await inputState(this.#names, this.#ignored);
    this.#pollInterval = Math.max(POLL_INTERVAL, (performance.now() - start) / MAX_POLL_SHARE);
    return state;
  }

  #watchFolders(): void {
    const wanted = new Map<string, boolean>();
    for (const name of this.#names) {
      for (const [folder, isDeep] of watchedFolders(name)) {
        wanted.set(folder, isDeep || wanted.get(folder) === true);
      }
    }
    const keys = new Set([...wanted].map(([folder, isDeep]) => `${isDeep ? "**" : "*"} ${folder}`));
    for (const [key, watcher] of this.#watchers) {
      if (keys.has(key)) continue;
      watcher.close();
      this.#watchers.delete(key);
    }
    for (const [folder, isDeep] of wanted) {
      const key = `${isDeep ? "**" : "*"} ${folder}`;
      if (!this.#watchers.has(key)) this.#watchFolder(key, folder, isDeep);
    }
  }

  #watchFolder(key: string, folder: string, isDeep: boolean): void {
    try {
      const watcher = watch(folder, { recursive: isDeep }, () => {
        this.#hasEvent = true;
        this.#wake?.();
      });
      // If the folder is removed, polling finds out when it is back.
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(key);
      });
      this.#watchers.set(key, watcher);
    } catch {
      // Systems limit the number of watched folders; polling covers the others.
    }
  }
}

/** Returns the folders to watch for changes of an input; `isDeep` to include those below. */
function watchedFolders(name: string): [folder: string, isDeep: boolean][] {
  const path = resolve(name);
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return [[path, true]];
    // A link can change itself, or at its target.
    return [[dirname(path), false], [dirname(realpathSync(path)), false]];
  }
  const pattern = path.search(/[*?[{]/);
  const base = pattern >= 0 ? dirname(`${path.slice(0, pattern)}_`) : dirname(path);
  if (pattern >= 0 && existsSync(base)) return [[base, true]];
  let folder = base;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return [[folder, false]]; // where the missing folder will appear
}

export interface InputState {
  /** A text that changes if a file is written, replaced, added or removed. */
  readonly text: string;
  readonly lacksAny: boolean;
}

export function localFiles(urls: readonly string[]): string[] {
  return urls.flatMap((url) => url.startsWith("file:") ? [fileURLToPath(url)] : []);
}

/** Returns the state of files, of folders with their content, and of the files that glob patterns match. */
export async function inputState(
  names: readonly string[],
  except: ReadonlySet<string> = new Set(),
): Promise<InputState> {
  const lines: string[] = [];
  let lacksAny = false;
  for (const name of names) {
    for (const path of await listFiles(name)) {
      if (except.has(resolve(path))) continue;
      const line = await fileState(path);
      lacksAny ||= line === undefined;
      lines.push(`${path}\t${line ?? "missing"}`);
    }
  }
  return { text: lines.join("\n"), lacksAny };
}

async function listFiles(name: string): Promise<readonly string[]> {
  try {
    return (await findRecordings([name])).map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return []; // an empty folder, or a pattern that matches nothing yet
  }
}

async function fileState(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return undefined;
  }
}
