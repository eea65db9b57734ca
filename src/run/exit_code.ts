import type { Host } from "./host.ts";

/** The requirements that the coverage of a run doesn't meet: `threshold of keywords`, `no-traffic`. */
export type Failures = readonly string[];

/** Prints the reason for an exit code other than 0, since errors and unmet requirements both exit with 1. */
export async function printExitReason(code: number, reason: string, host: Host): Promise<number> {
  if (code !== 0) await host.stderr.write(`covtool: exit ${code}: ${reason}\n`);
  return code;
}

export async function exitCodeFor(unmet: Failures, host: Host): Promise<number> {
  return await printExitReason(unmet.length > 0 ? 1 : 0, unmetReason(unmet), host);
}

/** Returns the exit code after a command, and prints the reason: the command's own code takes precedence. */
export async function exitAfterCommand(code: number, unmet: Failures, host: Host): Promise<number> {
  if (code === 0) return await exitCodeFor(unmet, host);
  const besides = unmet.length === 0 ? "" : `; besides, ${unmetReason(unmet)}`;
  return await printExitReason(code, `the command failed with this code${besides}`, host);
}

function unmetReason(unmet: Failures): string {
  return `requirements not met (${unmet.join("; ")})`;
}
