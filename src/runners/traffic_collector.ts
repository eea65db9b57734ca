import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { threadId } from "node:worker_threads";
import { LineWriter } from "../files/line_writer.ts";
import type { HttpRequest, HttpResponse, Interaction } from "../http/interaction.ts";
import { PluginSet, pluginSink } from "../plugins/plugin_set.ts";
import { trafficLine } from "../traffic/write/traffic_line.ts";
import { getOrAdd } from "../values/collections.ts";
import { VERSION } from "../values/version.ts";
import { changeFetch } from "./change_fetch.ts";
import { changeInProcess } from "./change_in_process.ts";
import { changeNodeHttp } from "./change_node_http.ts";
import { OpenLines } from "./open_lines.ts";
import { RunningTests } from "./running_tests.ts";
import {
  folderOfRun,
  leavesOutResponseBodies,
  LOST_ENDING,
  makeNamedFolder,
  PROBLEMS_ENDING,
  testFileMark,
  TRAFFIC_ENDING,
} from "../run/traffic_folder.ts";

/** Milliseconds for which the end of tests waits for bodies that are still being read. */
const FLUSH_TIMEOUT = 1_000;

/** Tells covtool that tests are recorded, whether or not they send anything. */
const FIRST_LINE = new TextEncoder().encode(
  `${JSON.stringify({ covtool: 1, recorder: `javascript ${VERSION}` })}\n`,
);

/** The files of a process, or of one of its test files. */
interface CollectorFiles {
  readonly file: number;
  readonly writer: LineWriter;
  readonly open: OpenLines;
}

/** The same in every copy of this module: bundles, and the two kinds of modules of Node.js, have one each. */
const SHARED: unique symbol = Symbol.for("covtool.collector");

/**
 * Collects what tests send, for a report that is made when all of them are done: it has the plugins of
 * `CoverageMap`, and leaves each interaction in the folder of the run as soon as it is complete, so that a process that
 * is killed loses only what was under way. It does not load the description, so the processes of tests stay fast.
 *
 * Without a run it does nothing: clients are returned as they are, and nothing is written.
 */
export class TrafficCollector extends PluginSet {
  /** The test that sends the requests. */
  readonly tests: RunningTests = new RunningTests();
  /** True during a run of covtool; otherwise the collector does nothing. */
  readonly isActive: boolean;
  readonly #folder: string | undefined;
  #name: string | undefined;
  #mark = "";
  readonly #files = new Map<string, CollectorFiles>();
  #opened = 0;

  /**
   * Collects, or does nothing without a folder.
   *
   * @param folder The folder of the run (default: from the environment variable `COVTOOL_TRAFFIC`).
   */
  constructor(folder: string | undefined = folderOfRun()) {
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
    changeInProcess(this, () => pluginSink(this).testName);
    // Responses that nobody has read count too, and those that were being read.
    if (this.isActive) process.once("exit", () => pluginSink(this).flush("ended"));
  }

  /** The collector of this process, or of this global environment where a runner gives each test file its own. */
  static shared(): TrafficCollector {
    const holder = globalThis as { [SHARED]?: TrafficCollector };
    return holder[SHARED] ??= new TrafficCollector();
  }

  /**
   * Records one interaction, at once.
   *
   * @param request The request.
   * @param response The response; without a status, no response is counted.
   * @param timestamp When the request was sent, in seconds since 1970.
   * @param test The test that sent it; by default the running one.
   * @throws the file system's error where it cannot be written.
   */
  record(
    request: HttpRequest,
    response?: HttpResponse | null,
    timestamp?: number,
    test: string | undefined = pluginSink(this).testName,
  ): void {
    this.#append({ request, response: response ?? undefined, timestamp, test });
  }

  /** Tracks the global `fetch`, and lets `covtool mutate` change what this and clients of Node.js's `http` give. */
  trackFetch(): void {
    this.fetch.trackGlobal();
    changeFetch(() => pluginSink(this).testName);
    changeNodeHttp(() => pluginSink(this).testName);
  }

  /**
   * Opens its files now: that they are there says that tests are recorded, and where they are opened by the first
   * request, a runner may take that for a leak of the test.
   */
  open(): void {
    if (this.#folder !== undefined) this.#open(this.#folder);
  }

  /** Closes its files, where no more is to come soon; what comes all the same opens them again. */
  close(): void {
    for (const { file, open } of this.#files.values()) {
      closeSync(file);
      open.close();
    }
    this.#files.clear();
  }

  /**
   * Keeps what is sent from now on apart, as that of one test file: when it runs again, the old is forgotten.
   *
   * @param testFile Its path.
   */
  startFile(testFile: string): void {
    this.#mark = testFileMark(testFile);
  }

  /**
   * Waits until the bodies of requests that were sent are recorded, though not for long: what is sent without an end
   * must not hold the tests up.
   */
  async flush(): Promise<void> {
    if (pluginSink(this).pending === 0) return;
    // Tests may have put timers of their own in the place of the global ones.
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
      // Not where it was closed meanwhile.
      if (fstatSync(file).size === 0) writer.write(FIRST_LINE);
      // One of its own each time, since lines may be left in the last one.
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
      // On a full disk there is room for a file without content.
      closeSync(openSync(this.#path(this.#folder, LOST_ENDING), "a", 0o600));
    }
  }

  /** The path of a file in the folder, which is made if need be. Each process and thread has its own file, so none waits for another. */
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
