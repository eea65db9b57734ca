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

/** The environment variable that names the folder of a run: where it is not set, nothing is collected. */
export const TRAFFIC_VARIABLE = "COVTOOL_TRAFFIC";

/** Prefix of folder names; the process that made them follows. */
const PREFIX = "covtool-run-";

/** A variable of the environment; undefined if it is not set, or reading it is not permitted. */
export function readVariable(variable: string): string | undefined {
  return isGranted({ name: "env", variable }) ? process.env[variable] : undefined;
}

/** The folder of the run that this process is a part of; undefined if none is known. */
export function folderOfRun(): string | undefined {
  const folder = readVariable(TRAFFIC_VARIABLE);
  // Tests may change the working directory.
  return folder ? resolve(folder) : undefined;
}

/** True if a run created the folder for itself; false if a user named it. */
export function isFolderOfRun(folder: string): boolean {
  return basename(folder).startsWith(PREFIX);
}

/** Makes a folder that somebody named; those of runs are not made again, or the run would report half of the traffic. */
export function makeNamedFolder(folder: string): void {
  if (!isFolderOfRun(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export const TRAFFIC_ENDING = ".jsonl";
/** That of files that recorders of other languages write (docs/protocol.md). */
const RECORDER_ENDING = ".ndjson";
export const PROBLEMS_ENDING = ".problems";
/** Extension of empty files: what could not be recorded could not be said either. */
export const LOST_ENDING = ".lost";

/** The file by which a run tells the processes of its tests to leave out the bodies of responses. */
const NO_RESPONSE_BODIES = "no-response-bodies";

export function leavesOutResponseBodies(folder: string): boolean {
  return isGranted({ name: "read", path: folder }) && existsSync(join(folder, NO_RESPONSE_BODIES));
}

/** The sentences in a file that says what could not be recorded. A last one that was cut off is left out. */
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
  try {
    const sentence: unknown = JSON.parse(line);
    return typeof sentence === "string" ? sentence : undefined;
  } catch {
    return undefined;
  }
}

/** The part of file names that identifies one test file, before the extension. */
export function testFileMark(testFile: string): string {
  const path = testFile.replaceAll("\\", "/");
  return `.${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
}

/** Where the processes of a run leave what they saw, secrets too: for its owner alone, until the run is over. */
export class TrafficFolder {
  /** The folder itself. */
  readonly path: string;
  readonly #onExit = (): void => this.remove();

  /** A folder that is there already. */
  constructor(path: string) {
    this.path = path;
  }

  /** Makes an empty folder among the temporary ones, which stays no longer than this process, however that ends. */
  static create(): TrafficFolder {
    const folder = new TrafficFolder(makeTemporaryFolder("run"));
    process.once("exit", folder.#onExit);
    return folder;
  }

  /** Tells the processes that are going to collect in it to leave out the bodies of responses. */
  leaveOutResponseBodies(): void {
    writeFileSync(join(this.path, NO_RESPONSE_BODIES), "");
  }

  /** The files with interactions that are not empty, in a fixed order. */
  recordings(): string[] {
    return [...this.#files(TRAFFIC_ENDING), ...this.#files(RECORDER_ENDING)];
  }

  /** True if a recorder has begun a file, whether or not it saw a request. */
  hasRecorder(): boolean {
    return [TRAFFIC_ENDING, RECORDER_ENDING].some((ending) => this.#named(ending).length > 0);
  }

  /** The files that say what could not be recorded. */
  problems(): string[] {
    return this.#files(PROBLEMS_ENDING);
  }

  /** Files of processes that could write neither what they sent nor that they couldn't. */
  losses(): string[] {
    return this.#named(LOST_ENDING);
  }

  /** Drops what a test file sent: it is about to run again. */
  forget(testFile: string): void {
    for (const path of this.#files(testFileMark(testFile) + TRAFFIC_ENDING)) truncateSync(path);
  }

  /** Empties the files: what workers that live on append to them is of the next run. */
  clear(): void {
    if (!existsSync(this.path)) return;
    for (const path of [...this.recordings(), ...this.problems()]) truncateSync(path);
    for (const path of this.losses()) rmSync(path, { force: true });
  }

  /** Removes it, with all that is in it. */
  remove(): void {
    process.off("exit", this.#onExit);
    rmSync(this.path, { recursive: true, force: true });
  }

  #files(ending: string): string[] {
    return this.#named(ending).filter((path) => statSync(path).size > 0);
  }

  #named(ending: string): string[] {
    if (!existsSync(this.path)) {
      throw new CommandError(
        `The folder ${this.path} with the recorded traffic was deleted during the test run. Run the tests again, and don't empty the temporary folder meanwhile.`,
      );
    }
    return readdirSync(this.path).filter((name) => name.endsWith(ending)).sort()
      .map((name) => join(this.path, name));
  }
}
