import type { Host } from "./host.ts";

/** Requirements of a run that its coverage does not meet: `threshold of keywords`, `no-traffic`. */
export type Unmet = readonly string[];

/** Prints why a run exits with a code other than 0, since errors and unmet requirements both exit with 1. */
export async function printExitReason(code: number, reason: string, host: Host): Promise<number> {
  if (code !== 0) await host.stderr.write(`covtool: exit ${code}: ${reason}\n`);
  return code;
}

/** Ends a run whose only reason to fail can be its coverage; gives the exit code. */
export async function exitCodeFor(unmet: Unmet, host: Host): Promise<number> {
  return await printExitReason(unmet.length > 0 ? 1 : 0, unmetReason(unmet), host);
}

/** Ends a run of a command: its own exit code goes before that of covtool. */
export async function exitAfterCommand(code: number, unmet: Unmet, host: Host): Promise<number> {
  if (code === 0) return await exitCodeFor(unmet, host);
  const besides = unmet.length === 0 ? "" : `; besides, ${unmetReason(unmet)}`;
  return await printExitReason(code, `the command failed with this code${besides}`, host);
}

function unmetReason(unmet: Unmet): string {
  return `requirements not met (${unmet.join("; ")})`;
}
