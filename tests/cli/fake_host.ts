import assert from "node:assert/strict";
import type { Ended } from "../../scripts/run.ts";
export type { Ended } from "../../scripts/run.ts";
import { main } from "../../src/cli/main.ts";
import type { Host } from "../../src/run/host.ts";

/** The last line on standard error of a command that ends with an error. */
export const ERROR_EXIT = "covtool: exit 1: error\n";

/** What a command printed. */
export interface FakeHost extends Host {
  /** Everything written to standard output so far. */
  out(): string;
  /** Everything written to standard error so far. */
  err(): string;
}

export interface FakeHostOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly columns?: number;
}

/**
 * Runs covtool in a process for tests.
 *
 * @param args The arguments, or all of them in a line, with spaces between.
 */
export async function runCovtool(
  args: string | readonly string[],
  options: FakeHostOptions = {},
): Promise<Ended> {
  const host = fakeHost(options);
  const code = await main(typeof args === "string" ? args.match(/\S+/g) ?? [] : args, host);
  return { code, out: host.out(), err: host.err() };
}

/** A process for tests: no terminal unless told, 2026-01-31T12:00:00Z, and an environment of its own. */
export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTerminal: options.columns !== undefined,
    columns: options.columns,
    write: (text: string) => {
      written[name] += text;
      return Promise.resolve();
    },
  });
  return {
    variables: options.variables ?? {},
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    stdin: async function* () {
      yield await Promise.resolve(new TextEncoder().encode(options.stdin ?? ""));
    },
    now: () => Date.UTC(2026, 0, 31, 12),
    out: () => written.stdout,
    err: () => written.stderr,
  };
}

type Said = Pick<Ended, "code" | "err"> & Partial<Pick<Ended, "out">>;

/** The end of a command that exits with 0. */
export async function succeeds<E extends Said>(running: Promise<E>): Promise<E> {
  const ended = await running;
  assert.equal(ended.code, 0, `${ended.out ?? ""}${ended.err}`);
  return ended;
}

/**
 * The end of a command that exits with 1.
 *
 * @param said The sentences of its error, or what is in all that it says.
 */
export async function fails<E extends Said>(
  running: Promise<E>,
  said: string | RegExp = "",
): Promise<E> {
  const ended = await running;
  assert.equal(ended.code, 1, `${ended.out ?? ""}${ended.err}`);
  if (said instanceof RegExp) assert.match(ended.err, said);
  else if (said !== "") assert.equal(ended.err, `Error: ${said}\n${ERROR_EXIT}`);
  return ended;
}
