import type { Host } from "../run/host.ts";

/** Runs a command whose options have been read, and gives the exit code. */
export type RunCommand = (host: Host) => Promise<number>;
