import type { Host } from "../run/host.ts";
import { measureLines } from "../run/line_input.ts";
import type { Configured } from "./command_groups.ts";
import { writeHits } from "./merge.ts";

/** `covtool record-hits`: records the lines on standard input and writes the hits. Without lines, all counts are 0. */
export async function recordHits(options: Configured<"record-hits">, host: Host): Promise<number> {
  await writeHits(await measureLines(options, host), host);
  return 0;
}
