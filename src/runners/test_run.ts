import { readFileSync } from "node:fs";
import process from "node:process";
import { Ansis } from "ansis";
import { errorSentences } from "../cli/error_sentences.ts";
import type { Host } from "../cli/host.ts";
import { loadMap } from "../cli/load_map.ts";
import { type Measurement, record } from "../cli/measure.ts";
import { processHost } from "../cli/process_host.ts";
import { preparePublish } from "../cli/publish.ts";
import { RecordingsReader } from "../cli/recordings_reader.ts";
import { isColored } from "../cli/terminal.ts";
import type { CoverageMap } from "../coverage_map.ts";
import { plainText } from "../report/text/plain_text.ts";
import { type ReadOptions, readRunOptions, type RunOptions } from "./run_options.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "./traffic_folder.ts";

const NOTHING_RECORDED =
  "No test sent a request that covtool saw. Track the client that the tests use, as docs/test-runners.md says.";

/**
 * One run of tests, seen from the process that starts the others: it makes the folder in which they collect, and the
 * reports in the end.
 */
export class TestRun {
  /** Where the processes of the run collect. */
  readonly folder: TrafficFolder;
  readonly #read: ReadOptions;
  readonly #host: Host;
  readonly #onExit = (): void => this.folder.remove();

  /**
   * Begins a run.
   *
   * @param place What errors call the place that the options come from.
   * @throws {CommandError} where an option is of no use.
   * @throws the file system's error where no folder can be made.
   */
  constructor(options: RunOptions, place: string, host: Host = processHost()) {
    this.#read = readRunOptions(options, place);
    this.#host = host;
    this.folder = TrafficFolder.create();
    // However this process ends, what was sent stays no longer than that.
    process.once("exit", this.#onExit);
  }

  /** What the processes of the tests need in their environment. */
  get variables(): Readonly<Record<string, string>> {
    return { [TRAFFIC_VARIABLE]: this.folder.path };
  }

  /**
   * Merges what was collected, prints the text report, writes the others, and empties the folder, so that the next run
   * begins anew.
   *
   * @returns whether the thresholds are met; false too where something went wrong, which is then said in a sentence.
   */
  async finish(): Promise<boolean> {
    const { options, outputs } = this.#read;
    try {
      const publish = await preparePublish(outputs, options, [], this.#host);
      const measured = await measureFolder(this.folder, await loadMap(options), this.#host);
      return await publish({ ...measured, nothingRecorded: NOTHING_RECORDED }) === 0;
    } catch (error) {
      const colors = new Ansis(
        isColored(options.color, this.#host.variables, this.#host.stderr) ? 1 : 0,
      );
      await this.#host.stderr.write(
        `${colors.red.bold("covtool:")} ${plainText(errorSentences(error))}\n`,
      );
      return false;
    } finally {
      this.folder.clear();
    }
  }

  /** Ends the run: the folder goes. */
  close(): void {
    process.off("exit", this.#onExit);
    this.folder.remove();
  }
}

/** Records all that was collected in a folder. */
export async function measureFolder(
  folder: TrafficFolder,
  map: CoverageMap,
  host: Host,
): Promise<Measurement> {
  const files = folder.recordings();
  const problems = problemsOf(folder);
  if (files.length === 0) return { map, warnings: problems };
  const reader = await RecordingsReader.find(files, host, { isProgressShown: false });
  await record(map, reader.batches());
  return { map, warnings: [...problems, ...reader.warnings] };
}

/** Sentences, each once: the same client may fail in every process. */
function problemsOf(folder: TrafficFolder): string[] {
  const sentences = new Set<string>();
  for (const path of folder.problems()) {
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line.endsWith('"')) sentences.add(JSON.parse(line));
    }
  }
  return [...sentences].sort();
}
