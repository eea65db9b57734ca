import type { Ended } from "../../scripts/run.ts";
export type { Ended } from "../../scripts/run.ts";
import { main } from "../../src/cli/main.ts";
import type { Host } from "../../src/run/host.ts";

/** A host that collects what a command prints. */
export interface FakeHost extends Host {
  /** Standard output so far. */
  out(): string;
  /** Standard error so far. */
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

/** A host for tests: no terminal by default, the time 2026-01-31T12:00:00Z, and its own environment. */
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
