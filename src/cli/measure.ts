import { CoverageMap } from "../coverage_map.ts";
import { RecordingError } from "../errors.ts";
import { decodeText, fileErrorSentence, readFile } from "../files.ts";
import { parseTraffic } from "../record/importers/traffic.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";

/** What is measured against what. */
export interface MeasureOptions {
  /** A file or an http(s) URL. */
  readonly schema: string;
  /** Recordings: files, and `-` for standard input. */
  readonly traffic: readonly string[];
  readonly basePath: string | undefined;
}

/** What came of it. */
export interface Measurement {
  readonly map: CoverageMap;
  /** What of the recordings could not be used: sentences. */
  readonly warnings: readonly string[];
}

const STANDARD_INPUT = "-";
/** The longest text that every JavaScript engine covtool runs on can hold; bytes are never fewer than its units. */
const LONGEST_TEXT = 2 ** 29 - 24;

/**
 * Loads a description and records the traffic of every recording.
 *
 * @throws {DescriptionError} where the description cannot be loaded.
 * @throws {RecordingError} where a recording cannot be read.
 * @throws {CommandError} where standard input is named in a place or a number in which it cannot be read.
 */
export async function measure(options: MeasureOptions, host: Host): Promise<Measurement> {
  const { schema, traffic, basePath } = options;
  if (schema === STANDARD_INPUT) {
    throw new CommandError(
      "Only traffic can come from standard input. Give the description as a file or a URL.",
    );
  }
  if (traffic.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw new CommandError("Standard input can be read once only. Leave one - out.");
  }
  const map = /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, { basePath })
    : await CoverageMap.fromPath(schema, { basePath });
  const warnings: string[] = [];
  for (const path of traffic) {
    const location = path === STANDARD_INPUT ? "standard input" : path;
    const bytes = await readBytes(path, host);
    if (bytes.length > LONGEST_TEXT) {
      throw new RecordingError(
        "It is larger than 512 MiB. Split it into several recordings, which add up.",
        { code: "too_large", location },
      );
    }
    const recording = parseTraffic(decodeText(bytes), location);
    for (const { request, response, timestamp } of recording.interactions) {
      map.record(request, response, timestamp);
    }
    warnings.push(...recording.warnings);
  }
  return { map, warnings };
}

async function readBytes(path: string, host: Host): Promise<Uint8Array> {
  if (path === STANDARD_INPUT) return await host.readStdin();
  try {
    return await readFile(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), {
      code: "unreadable",
      location: path,
      cause,
    });
  }
}
