import type { Host } from "../run/host.ts";

/**
 * Runs a command whose options have been read, and gives the exit code.
 *
 * @param program What follows `--`, for commands that run a program.
 */
export type RunCommand = (host: Host, program: readonly string[]) => Promise<number>;
