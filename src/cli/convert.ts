import { constants } from "node:os";
import process from "node:process";
import { trustAuthorities } from "../files/authorities.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { type Interaction, withoutResponseBody } from "../http/interaction.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { joinSections } from "../report/blocks/text_blocks.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { type Host, layoutFor } from "../run/host.ts";
import { loadMap } from "../run/load_apis.ts";
import type { OptionValues } from "../run/options/options.ts";
import { isStandardOutput, writeOutput } from "../run/outputs.ts";
import { messageLines } from "../run/error_sentences.ts";
import { warningLines } from "../run/write_summary.ts";
import { RecordingsReader } from "../run/recordings_reader.ts";
import { type TrafficLayout, writeTraffic } from "../traffic/write/traffic_line.ts";
import type { GroupOf } from "./command_groups.ts";
import { onEndSignals } from "./end_signals.ts";

/** A file mode: a recording with unmasked secrets is readable only by its owner. */
const PRIVATE = 0o600;

interface Counts {
  requests: number;
  masked: number;
}

export async function convert(
  options: OptionValues<GroupOf<"convert">>,
  host: Host,
): Promise<number> {
  const path = isStandardOutput(options.output) ? undefined : options.output;
  const recordings = await RecordingsReader.find(options.traffic, host, {
    // On a terminal, a redrawn progress line would mix with the traffic.
    isProgressShown: path !== undefined || !host.stdout.isTerminal,
    env: options.env,
    logFormat: options.logFormat,
  });
  const guard = new OutputGuard([{ name: "The traffic file", path }]);
  const { schema } = options;
  trustAuthorities(options.ca);
  await guard.check([
    ...recordings.files.map((recording) => recording.path),
    ...options.env,
    ...(schema === undefined ? [] : [schema]),
  ]);
  const map = schema === undefined ? undefined : await loadMap({ schema, basePath: undefined });
  await guard.check(map?.documentUrls);
  const redactor = !options.redact ? undefined : new Redactor(map?.secretNames());
  const counts: Counts = { requests: 0, masked: 0 };
  const format = options.format ??
    (/\.(?:jsonl|ndjson)$/i.test(path ?? "") ? "jsonl" : "json");
  const pieces = writeTraffic(
    prepareTraffic(recordings.batches(), counts, redactor, options.responseBodies ?? true),
    format,
  );
  if (path === undefined) {
    for await (const piece of pieces) await host.stdout.write(jsonWithoutCommands(piece));
  } else {
    // `process.exit()` runs the exit handlers that delete the unfinished file.
    const stop = onEndSignals((signal) => process.exit(128 + constants.signals[signal]));
    try {
      await writeOutput(path, pieces, { mode: !options.redact ? PRIVATE : undefined });
    } finally {
      stop();
    }
  }

  const layout = layoutFor(host, options.color);
  const warnings = [
    ...recordings.warnings,
    ...(counts.requests === 0 ? ["The recordings contain no requests."] : []),
    ...extensionWarnings(path, format),
  ];
  const said = joinSections([
    path === undefined
      ? []
      : messageLines(summary(counts, recordings.readPaths.length, !options.redact), layout.width),
    warningLines(warnings, layout),
    path === undefined ? [] : messageLines(`Traffic: ${path}`, layout.width),
  ]);
  await host.stderr.write(withoutCommands(said));
  return 0;
}

async function* prepareTraffic(
  batches: AsyncIterable<readonly Interaction[]>,
  counts: Counts,
  redactor: Redactor | undefined,
  hasResponseBodies: boolean,
): AsyncGenerator<readonly Interaction[], void> {
  for await (const found of batches) {
    const batch = hasResponseBodies ? found : found.map(withoutResponseBody);
    counts.requests += batch.length;
    yield redactor === undefined ? batch : batch.map((interaction) => {
      const redacted = redactInteraction(interaction, redactor);
      if (redacted !== interaction) counts.masked++;
      return redacted;
    });
  }
}

function summary({ requests, masked }: Counts, recordings: number, isKept: boolean): string {
  const secrets = isKept
    ? "Secrets are not masked."
    : masked === 0
    ? "No secrets found."
    : `Secrets masked in ${formatAmount(masked, "request")}.`;
  return `${formatAmount(requests, "request")} of ${
    formatAmount(recordings, "recording")
  }. ${secrets}`;
}

/** Warns if the extension of the output promises another format, such as `-o traffic.har`. */
function extensionWarnings(path: string | undefined, layout: TrafficLayout): string[] {
  const extension = /\.(har|ya?ml|zip|gz)$/i.exec(path ?? "")?.[1];
  return extension === undefined
    ? []
    : [`${path} contains a covtool traffic file. Use the extension .${layout}.`];
}
