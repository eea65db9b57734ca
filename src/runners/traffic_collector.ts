import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { threadId } from "node:worker_threads";
import { LineWriter } from "../files/line_writer.ts";
import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import { PluginSet, SINK } from "../plugins/plugin_set.ts";
import { trafficLine } from "../traffic/write/traffic_line.ts";
import { getOrAdd } from "../values/collections.ts";
import { VERSION } from "../values/version.ts";
import { changeFetch } from "./change_fetch.ts";
import { changeInProcess } from "./change_in_process.ts";
import { changeNodeHttp } from "./change_node_http.ts";
import { OpenLines } from "./open_lines.ts";
import { RunningTests } from "./running_tests.ts";
import {
  leavesOutResponseBodies,
  LOST_ENDING,
  makeNamedFolder,
  PROBLEMS_ENDING,
  runFolder,
  testFileMark,
  TRAFFIC_ENDING,
} from "../run/traffic_folder.ts";

/** Milliseconds that `flush()` waits at the end of tests for bodies that are still being read. */
const FLUSH_TIMEOUT = 1_000;

/** Shows that the tests are recorded, whether or not they send requests. */
const FIRST_LINE = new TextEncoder().encode(
  `${JSON.stringify({ covtool: 1, recorder: `javascript ${VERSION}` })}\n`,
);

interface CollectorFiles {
  readonly file: number;
  readonly writer: LineWriter;
  readonly open: OpenLines;
}

/** Shared by all copies of this module: each bundle, and CommonJS beside ES modules, loads its own. */
const SHARED: unique symbol = Symbol.for("covtool.collector");

/**
 * Collects what tests send, for a report that is made when all of them are done. It has the plugins of `CoverageMap`,
 * and writes each interaction to the folder of the run as soon as it is complete, so that a killed process loses only
 * unfinished exchanges. It doesn't load the description, so test processes stay fast.
 *
 * Outside a run, it does nothing: clients are returned unchanged, and nothing is written.
 */
export class TrafficCollector extends PluginSet {
  /** The running tests, to which requests are attributed. */
  readonly tests: RunningTests = new RunningTests();
  /** True during a run of covtool. Otherwise, the collector does nothing. */
  readonly isActive: boolean;
  readonly #folder: string | undefined;
  #name: string | undefined;
  #mark = "";
  readonly #files = new Map<string, CollectorFiles>();
  #opened = 0;

  /**
   * Without a folder, the collector does nothing.
   *
   * @param folder The folder of the run (default: from the environment variable `COVTOOL_TRAFFIC`).
   */
  constructor(folder: string | undefined = runFolder()) {
    super(
      (request, response, timestamp, test) => this.#append({ request, response, timestamp, test }),
      {
        isDormant: folder === undefined,
        responseBodies: folder === undefined || !leavesOutResponseBodies(folder),
        onFault: (message) => this.#noteProblem(message),
        onPending: folder === undefined
          ? undefined
          : (interaction) => this.#open(folder).open.add(lineBytes(interaction)),
      },
    );
    this.isActive = folder !== undefined;
    this.#folder = folder;
    this.setTest(() => this.tests.name);
    changeInProcess(this, () => this[SINK].testName);
    // Responses whose bodies weren't read, or not to the end, count too.
    if (this.isActive) process.once("exit", () => this[SINK].flush("exit"));
  }

  /** The collector of this process, or of this global environment if the runner gives each test file its own. */
  static shared(): TrafficCollector {
    const holder = globalThis as { [SHARED]?: TrafficCollector };
    return holder[SHARED] ??= new TrafficCollector();
  }

  /**
   * Records one interaction immediately.
   *
   * @param request The request.
   * @param response The response; without a status, no response is counted.
   * @param timestamp When the request was sent, in seconds since 1970.
   * @param test The test that sent the request (default: the running one).
   * @throws the file system's error if the interaction can't be written.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test: string | undefined = this[SINK].testName,
  ): void {
    this.#append({ request, response: response ?? undefined, timestamp, test });
  }

  /** Tracks the global `fetch`, and lets `covtool mutate` change the responses of `fetch` and of Node.js's `http`. */
  trackFetch(): void {
    const sink = this[SINK];
    // Test files that share a worker each call this.
    if (!sink.isTracked(globalThis.fetch)) {
      this.fetch.trackGlobal();
      changeFetch(() => sink.testName);
      sink.setTracked(globalThis.fetch);
    }
    changeNodeHttp(() => sink.testName);
  }

  /**
   * Opens the files of the collector now: their existence shows that tests are recorded, and a runner may take files
   * that the first request opens for a leak of the test.
   */
  open(): void {
    if (this.#folder !== undefined) this.#open(this.#folder);
  }

  /** Closes the files of the collector. A later request opens them again. */
  close(): void {
    for (const { file, open } of this.#files.values()) {
      closeSync(file);
      open.close();
    }
    this.#files.clear();
  }

  /** Keeps the traffic of one test file apart from now on. When the file runs again, its earlier traffic is dropped. */
  startFile(testFile: string): void {
    this.#mark = testFileMark(testFile);
  }

  /**
   * Waits until the bodies of sent requests are recorded, but only for a short time: endless bodies must not hold up
   * the tests.
   */
  async flush(): Promise<void> {
    if (this[SINK].pending === 0) return;
    // Read at once: tests may have replaced the global timers.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_TIMEOUT);
    });
    await Promise.race([this.settled(), timeout]);
    clearTimeout(timer);
  }

  #append(interaction: Interaction): void {
    if (this.#folder === undefined) return;
    this.#open(this.#folder).writer.write(lineBytes(interaction));
  }

  #open(folder: string): CollectorFiles {
    return getOrAdd(this.#files, this.#mark, () => {
      const file = openSync(this.#path(folder, this.#mark + TRAFFIC_ENDING), "a+", 0o600);
      const writer = new LineWriter(file);
      // A file that was closed meanwhile has its first line already.
      if (fstatSync(file).size === 0) writer.write(FIRST_LINE);
      // A new file each time it is opened, because the previous one may still contain lines.
      const openName = `-${this.#opened++}-open${this.#mark}${TRAFFIC_ENDING}`;
      const openPath = this.#path(folder, openName);
      return { file, writer, open: new OpenLines(openPath, FIRST_LINE) };
    });
  }

  #noteProblem(message: string): void {
    if (this.#folder === undefined) return;
    const line = `${JSON.stringify(message)}\n`;
    try {
      appendFileSync(this.#path(this.#folder, PROBLEMS_ENDING), line, { mode: 0o600 });
    } catch {
      // Even on a full disk, an empty file can usually be created.
      closeSync(openSync(this.#path(this.#folder, LOST_ENDING), "a", 0o600));
    }
  }

  /** Returns a path in the folder, which it creates. Each process and thread has its own files, so none waits. */
  #path(folder: string, ending: string): string {
    if (this.#name === undefined) {
      makeNamedFolder(folder);
      this.#name = `${process.pid}-${threadId}-${randomUUID().slice(0, 8)}`;
    }
    return join(folder, this.#name + ending);
  }
}

function lineBytes(interaction: Interaction): Uint8Array {
  return new TextEncoder().encode(`${trafficLine(interaction)}\n`);
}
