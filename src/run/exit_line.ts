import type { Host } from "./host.ts";

/** Requirements of a run that its coverage does not meet: `threshold of keywords`, `no-traffic`. */
export type Unmet = readonly string[];

/**
 * Prints on standard error, in the last line of a run, why it exits with a code other than 0: an error and an unmet
 * requirement both exit with 1.
 *
 * @returns the code.
 */
export async function sayExit(code: number, reason: string, host: Host): Promise<number> {
  if (code !== 0) await host.stderr.write(`covtool: exit ${code}: ${reason}\n`);
  return code;
}

/** Ends a run whose only reason to fail can be its coverage; gives the exit code. */
export async function exitUnlessMet(unmet: Unmet, host: Host): Promise<number> {
  return await sayExit(unmet.length > 0 ? 1 : 0, unmetReason(unmet), host);
}

/**
 * Ends a run of a command: its own exit code goes before that of covtool.
 *
 * @param code The exit code of the command.
 * @returns the exit code.
 */
export async function exitAfterCommand(code: number, unmet: Unmet, host: Host): Promise<number> {
  if (code === 0) return await exitUnlessMet(unmet, host);
  const besides = unmet.length === 0 ? "" : `; besides, ${unmetReason(unmet)}`;
  return await sayExit(code, `the command failed with this code${besides}`, host);
}

function unmetReason(unmet: Unmet): string {
  return `requirements not met (${unmet.join("; ")})`;
}
