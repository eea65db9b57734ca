import type { Host } from "../run/host.ts";
import { measureLines } from "../run/line_input.ts";
import type { Configured } from "./command_groups.ts";
import { writeHits } from "./merge.ts";

/** `covtool record-hits`: records lines on standard input, and writes what it has counted; no line gives hits of nothing. */
export async function recordHits(options: Configured<"record-hits">, host: Host): Promise<number> {
  await writeHits(await measureLines(options, host), host);
  return 0;
}
