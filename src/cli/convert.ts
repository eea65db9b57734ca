import { Ansis } from "ansis";
import type { Interaction } from "../http/interaction.ts";
import { withoutResponseBody } from "../http/without_response_body.ts";
import { Redactor } from "../redact/redactor.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { type TrafficLayout, writeTraffic } from "../traffic/write/write_traffic.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { saidText } from "../run/said_text.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/without_commands.ts";
import { wrapText } from "../report/text/text_width.ts";
import type { ConvertOptions } from "./convert_options.ts";
import type { Host } from "../run/host.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { isStandardOutput } from "../run/outputs.ts";
import { loadMap } from "../run/load_map.ts";
import { RecordingsReader } from "../run/recordings_reader.ts";
import { isColored, outputWidth } from "../run/terminal.ts";
import { writeOutput } from "../run/write_output.ts";

/** A recording with its secrets is for its owner alone. */
const PRIVATE = 0o600;

interface Counts {
  requests: number;
  /** Requests in which something was masked. */
  masked: number;
}

/**
 * `covtool convert`: writes recordings of any format as one traffic file, without their secrets unless asked.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} and the errors of reading, each with a sentence for the user.
 */
export async function convert(options: ConvertOptions, host: Host): Promise<number> {
  const path = isStandardOutput(options.output) ? undefined : options.output;
  const recordings = await RecordingsReader.find(options.traffic, host, {
    // Lines that are drawn over and the traffic would mix.
    isProgressShown: path !== undefined || !host.stdout.isTerminal,
    env: options.env,
    logFormat: options.logFormat,
  });
  const guard = new OutputGuard([{ name: "The traffic file", path }]);
  const { schema } = options;
  await guard.check([
    ...recordings.found.map((recording) => recording.path),
    ...options.env,
    ...(schema === undefined ? [] : [schema]),
  ]);
  const map = schema === undefined ? undefined : await loadMap({ schema, basePath: undefined });
  await guard.check(map?.documentUrls());
  const redactor = options.noRedact ? undefined : new Redactor(map?.secretNames());
  const counts: Counts = { requests: 0, masked: 0 };
  const layout = options.format ?? layoutOf(path);
  const pieces = writeTraffic(
    prepared(recordings.batches(), counts, redactor, options.responseBodies ?? true),
    layout,
  );
  if (path === undefined) {
    for await (const piece of pieces) await host.stdout.write(jsonWithoutCommands(piece));
  } else await writeOutput(path, pieces, { mode: options.noRedact ? PRIVATE : undefined });

  const width = outputWidth(host.variables, host.stderr);
  const colors = new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0);
  const wrapped = (text: string) => wrapText(saidText(text), width);
  const warnings = [
    ...recordings.warnings,
    ...(counts.requests === 0 ? ["The recordings contain no requests."] : []),
    ...misnamed(path, layout),
  ];
  const sections = [
    path === undefined ? [] : wrapped(summary(counts, recordings.read, options.noRedact)),
    warnings.flatMap((warning) =>
      wrapped(`Warning: ${warning}`).map((line) => colors.yellow(line))
    ),
    path === undefined ? [] : wrapped(`Traffic: ${path}`),
  ];
  const said = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n") + "\n")
    .join("\n");
  await host.stderr.write(withoutCommands(said));
  return 0;
}

async function* prepared(
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

function layoutOf(path: string | undefined): TrafficLayout {
  return /\.(?:jsonl|ndjson)$/i.test(path ?? "") ? "jsonl" : "json";
}

/** `-o traffic.har` promises something else. */
function misnamed(path: string | undefined, layout: TrafficLayout): string[] {
  const extension = /\.(har|ya?ml|zip|gz)$/i.exec(path ?? "")?.[1];
  return extension === undefined
    ? []
    : [`${path} contains a covtool traffic file. Use the extension .${layout}.`];
}
