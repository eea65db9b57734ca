import { STANDARD_INPUT } from "../files/file_identity.ts";
import { recordBatches } from "../record/record_batches.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";
import { type LineInput, openLines } from "./line_input.ts";
import { type Descriptions, loadMaps } from "./load_apis.ts";
import type { Measurement } from "./measure.ts";
import { RecordingsReader } from "./recordings_reader.ts";

const LOCATION = "standard input";

/** Options of {@linkcode measureLines}. */
export interface MeasureLinesOptions extends Descriptions {
  /** Environments and globals of Postman: files. */
  readonly env?: readonly string[] | undefined;
  /** The log format of nginx or Apache that lines of access logs have. */
  readonly logFormat?: string | undefined;
}

/**
 * Loads a description and records the lines on standard input, in one thread: an engine runs as many processes as it
 * has use for. Lines that cannot be read are left out, with a warning.
 *
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function measureLines(
  options: MeasureLinesOptions,
  host: Host,
): Promise<Measurement> {
  if (options.schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or URL.",
    );
  }
  const map = await loadMaps(options);
  const input = await openLines(host.stdin(), LOCATION, options);
  const skipped = skippedWarnings(input);
  const { pieces } = input;
  if (pieces === undefined) return { map, warnings: skipped };
  const recordings = await RecordingsReader.find(
    [STANDARD_INPUT],
    { ...host, stdin: () => pieces },
    { env: options.env, logFormat: options.logFormat },
  );
  await recordBatches(map, recordings.batches());
  return { map, warnings: [...skipped, ...recordings.warnings] };
}

function skippedWarnings({ pieces, skipped, first }: LineInput): string[] {
  if (first === undefined) return [];
  const lines = formatAmount(skipped, "line");
  const what = pieces === undefined
    ? `Nothing is counted, because no line can be read (${lines}).`
    : `${lines} at the beginning cannot be read and ${skipped === 1 ? "is" : "are"} left out.`;
  return [`${LOCATION}: ${what} Line ${first.line}: ${first.reason}`];
}
