import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { CommandError } from "./command_error.ts";
import { makeTemporaryFolder } from "../files/make_temporary_folder.ts";
import { isGranted } from "../files/missing_permission.ts";
import { processMark } from "../files/process_mark.ts";
import { tryParseJson } from "../values/parse_json.ts";

/** The environment variable with the folder of a run; if it isn't set, nothing is collected. */
export const TRAFFIC_VARIABLE = "COVTOOL_TRAFFIC";

/** The prefix of names of temporary folders; the id of the process that created the folder follows. */
const PREFIX = "covtool-run-";

/** Reads an environment variable; undefined if it isn't set, or reading it isn't permitted. */
export function readVariable(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? process.env[variable] : undefined;
}

export function runFolder(): string | undefined {
  const folder = readVariable(TRAFFIC_VARIABLE);
  // Made absolute because tests may change the working directory.
  return folder ? resolve(folder) : undefined;
}

/** True if a run created the folder for itself; false if a user named it. */
export function isRunFolder(folder: string): boolean {
  return basename(folder).startsWith(PREFIX);
}

/**
 * Returns the folder of the run that this process is part of: that of `covtool run`, `covtool mutate`, or a runner that
 * has started this one. What is measured there is reported there, once, and its thresholds decide alone. Undefined if
 * there is none, if a user named the folder, or if this process created it.
 */
export function outerRunFolder(): string | undefined {
  const folder = runFolder();
  if (folder === undefined || !isRunFolder(folder)) return undefined;
  // A process that outlives its run, such as a terminal that tests opened, keeps the variable.
  if (isGranted({ name: "read", path: folder }) && !existsSync(folder)) return undefined;
  return basename(folder).startsWith(`${PREFIX}${processMark()}-`) ? undefined : folder;
}

/** Creates a folder named by a user. Temporary folders of runs aren't recreated: their reports would lack traffic. */
export function makeNamedFolder(folder: string): void {
  if (!isRunFolder(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export const TRAFFIC_ENDING = ".jsonl";
/** The extension of files written by recorders in other languages (docs/protocol.md). */
const RECORDER_ENDING = ".ndjson";
export const PROBLEMS_ENDING = ".problems";
/** The extension of empty files, for problems that couldn't be written down either. */
export const LOST_ENDING = ".lost";

/** The name of a file whose presence tells the processes of a run to leave out response bodies. */
const NO_RESPONSE_BODIES = "no-response-bodies";

export function leavesOutResponseBodies(folder: string): boolean {
  return isGranted({ name: "read", path: folder }) && existsSync(join(folder, NO_RESPONSE_BODIES));
}

/** Returns the sentences in a file of problems, except for a last one that was cut off. */
export function problemSentences(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const sentence = readSentence(line);
    if (sentence === undefined && index === lines.length - 1) return [];
    return sentence ?? "A sentence about what could not be recorded is damaged and left out.";
  });
}

function readSentence(line: string): string | undefined {
  const sentence = tryParseJson(line);
  return typeof sentence === "string" ? sentence : undefined;
}

/** Returns the part of file names before the extension, which identifies a test file. */
export function testFileMark(testFile: string): string {
  const path = testFile.replaceAll("\\", "/");
  return `.${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
}

/** The folder where processes of a run write traffic until it is over; for its owner alone, as it has secrets. */
export class TrafficFolder {
  /** The path of the folder. */
  readonly path: string;
  readonly #onExit = (): void => this.remove();

  /** Uses an existing folder. */
  constructor(path: string) {
    this.path = path;
  }

  /** Creates an empty temporary folder, which is removed when this process ends, however that happens. */
  static create(): TrafficFolder {
    const folder = new TrafficFolder(makeTemporaryFolder("run"));
    process.once("exit", folder.#onExit);
    return folder;
  }

  /** Tells processes that start collecting in the folder to leave out response bodies. */
  leaveOutResponseBodies(): void {
    writeFileSync(join(this.path, NO_RESPONSE_BODIES), "");
  }

  /** Lists the files with interactions that aren't empty, in a fixed order. */
  recordings(): string[] {
    return [...this.#files(TRAFFIC_ENDING), ...this.#files(RECORDER_ENDING)];
  }

  /** True if a recorder has created a file, even if it saw no request. */
  hasRecorder(): boolean {
    return [TRAFFIC_ENDING, RECORDER_ENDING].some((ending) => this.#listFiles(ending).length > 0);
  }

  /** Lists the files with problems of recording. */
  problems(): string[] {
    return this.#files(PROBLEMS_ENDING);
  }

  /** Lists the files of processes that could write neither traffic nor problems. */
  losses(): string[] {
    return this.#listFiles(LOST_ENDING);
  }

  /** Drops the traffic of a test file that is about to run again. */
  forget(testFile: string): void {
    for (const path of this.#files(testFileMark(testFile) + TRAFFIC_ENDING)) truncateSync(path);
  }

  /** Empties the files; workers that stay alive then append the traffic of the next run to them. */
  clear(): void {
    if (!existsSync(this.path)) return;
    for (const path of [...this.recordings(), ...this.problems()]) truncateSync(path);
    for (const path of this.losses()) rmSync(path, { force: true });
  }

  /** Removes the folder with its content. */
  remove(): void {
    process.off("exit", this.#onExit);
    rmSync(this.path, { recursive: true, force: true });
  }

  #files(ending: string): string[] {
    return this.#listFiles(ending).filter((path) => statSync(path).size > 0);
  }

  #listFiles(ending: string): string[] {
    if (!existsSync(this.path)) {
      throw new CommandError(
        `The folder ${this.path} with the recorded traffic was deleted during the test run. Run the tests again, and don't empty the temporary folder meanwhile.`,
      );
    }
    return readdirSync(this.path).filter((name) => name.endsWith(ending)).sort()
      .map((name) => join(this.path, name));
  }
}
