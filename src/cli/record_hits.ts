import { withoutCommands } from "../report/text/without_commands.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import type { Host } from "../run/host.ts";
import { measureLines } from "../run/measure_lines.ts";
import { saidText } from "../run/said_text.ts";
import type { RecordHitsOptions } from "./record_hits_options.ts";

/**
 * `covtool record-hits`: records the lines on standard input, and writes what it has counted to standard output: one
 * line of hits, of several APIs one for each. No line at all gives hits of nothing.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function recordHits(options: RecordHitsOptions, host: Host): Promise<number> {
  const { map, warnings } = await measureLines(options, host);
  await host.stdout.write(new TextDecoder().decode(map.exportHits()));
  const { recorded, matched } = map.traffic();
  const said = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    `${formatAmount(recorded, "request")}: ${matched} matched, ${recorded - matched} unmatched`,
  ];
  await host.stderr.write(withoutCommands(`${said.map(saidText).join("\n")}\n`));
  return 0;
}
