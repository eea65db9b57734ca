import { withoutCommands } from "../report/text/without_commands.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import type { Host } from "../run/host.ts";
import type { Measurement } from "../run/measure.ts";
import { saidText } from "../run/said_text.ts";

/**
 * Writes hits to standard output, one line for each API, and warnings with the number of requests to standard error. No
 * report is made: of a large description it would take longer than the counting.
 */
export async function writeHits({ map, warnings }: Measurement, host: Host): Promise<void> {
  await host.stdout.write(new TextDecoder().decode(map.exportHits()));
  const { recorded, matched } = map.traffic();
  const said = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    `${formatAmount(recorded, "request")}: ${matched} matched, ${recorded - matched} unmatched`,
  ];
  await host.stderr.write(withoutCommands(`${said.map(saidText).join("\n")}\n`));
}
