import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { stripVTControlCharacters } from "node:util";
import { spawnCommand, startError } from "./run_child.ts";

/** Characters to keep from the start of a command's output, and as many from its end. */
const MAX_KEPT = 32 * 1024;
/** Lines that indicate a failure, best first: assertions, headings of failures, failed tests, words like "failed". */
const FAILING = [
  /\bAssertion(?:Failed)?Error\b|^E {2,}\S/,
  /^\W*(?:\d+ failing|failing tests:)/,
  /^\s*(?:not ok|--- FAIL|FAIL(?:ED)?|[✖✗✕×●])(?:[\s:]|$)/,
  /^(?!\s*(?:[✔✓√-]|ok|PASS)\s).*(?<![\w-])(?:FAIL(?:ED|URE)?|fail(?:ed|ure)?|[Ee]rror)(?![\w-])/,
];
const MAX_LINES = 12;
/** The longest time of a timer, in milliseconds, some 25 days; after a longer one, it would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

export interface EndedCommand {
  /** The exit code; 128 if a signal ended the command. */
  readonly code: number;
  readonly timedOut: boolean;
  readonly seconds: number;
  failingLines(): string[];
}

/** A command to run repeatedly. All its processes end when it ends, and when covtool does. */
export class QuietCommand {
  readonly #command: readonly string[];
  readonly #variables: Readonly<Record<string, string>>;
  #kill: (() => void) | undefined;

  /** @param variables Additional environment variables of the command. */
  constructor(command: readonly string[], variables: Readonly<Record<string, string>>) {
    this.#command = command;
    this.#variables = variables;
  }

  kill(): void {
    this.#kill?.();
  }

  /** Runs the command in its own process group, for at most `timeout` milliseconds. */
  run(timeout: number, variables: Readonly<Record<string, string>> = {}): Promise<EndedCommand> {
    const started = performance.now();
    const child = spawnCommand(this.#command, { ...this.#variables, ...variables }, {
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    const output = new KeptOutput();
    child.stdout?.on("data", (chunk: Uint8Array) => output.add(chunk));
    child.stderr?.on("data", (chunk: Uint8Array) => output.add(chunk));
    const guard = guardGroup(child.pid);
    const kill = (): void => endGroup(child.pid);
    this.#kill = kill;
    return new Promise((resolve, reject) => {
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        kill();
      }, Math.min(timeout, MAX_TIMER));
      child.once("error", (error) => {
        clearTimeout(timer);
        this.#kill = undefined;
        reject(startError(this.#command, error));
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        this.#kill = undefined;
        // Processes that it left running could send requests later, during another run.
        kill();
        guard?.kill("SIGKILL");
        child.stdout?.destroy();
        child.stderr?.destroy();
        const seconds = (performance.now() - started) / 1000;
        resolve({ code: code ?? 128, timedOut, seconds, failingLines: () => output.failing() });
      });
    });
  }
}

/** Starts a shell that kills the group when covtool ends, even by SIGKILL: that closes the shell's standard input. */
function guardGroup(id: number | undefined): ChildProcess | undefined {
  if (id === undefined || process.platform === "win32") return undefined;
  const script = 'read -r line; kill -s KILL -- "-$0"';
  const options: SpawnOptions = { stdio: ["pipe", "ignore", "ignore"], detached: true };
  return spawn("sh", ["-c", script, String(id)], options).on("error", () => {});
}

function endGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(id), "/T", "/F"]);
    else process.kill(-id, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

class KeptOutput {
  readonly #decoder = new TextDecoder();
  #first = "";
  #last = "";

  add(chunk: Uint8Array): void {
    let text = this.#decoder.decode(chunk, { stream: true });
    const room = MAX_KEPT - this.#first.length;
    if (room > 0) {
      this.#first += text.slice(0, room);
      text = text.slice(room);
    }
    this.#last = (this.#last + text).slice(-MAX_KEPT);
  }

  /** Returns lines from the first sign of failure on, with the line before an assertion; otherwise the last lines. */
  failing(): string[] {
    const lines = stripVTControlCharacters(this.#first + this.#last).split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    const found = FAILING.map((pattern) => lines.findIndex((line) => pattern.test(line)));
    const at = found.find((index) => index >= 0);
    if (at === undefined) return lines.slice(-MAX_LINES);
    const from = at > 0 && at === found[0] ? at - 1 : at;
    return lines.slice(from, from + MAX_LINES);
  }
}
