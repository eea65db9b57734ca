import type { Host } from "../run/host.ts";
import { measureLines } from "../run/measure_lines.ts";
import type { RecordHitsOptions } from "./record_hits_options.ts";
import { writeHits } from "./write_hits.ts";

/**
 * `covtool record-hits`: records the lines on standard input, and writes what it has counted to standard output: one
 * line of hits, of several APIs one for each. No line at all gives hits of nothing.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function recordHits(options: RecordHitsOptions, host: Host): Promise<number> {
  await writeHits(await measureLines(options, host), host);
  return 0;
}
