import { builtin, type FileStatus } from "../values/builtin.ts";
import { fileExists, fileIdentity, STANDARD_INPUT } from "./file_identity.ts";
import { readTextFile, toPath } from "./files.ts";
import { formatJson } from "../values/json_type.ts";

export interface GuardedOutput {
  /** The name of the output in messages: `The report`. */
  readonly name: string;
  readonly path: string | undefined;
  /** The text of a formatted copy, whose path the user did not choose. It may replace only an earlier copy. */
  readonly copy?: string | undefined;
}

export class OverwriteError extends TypeError {
  constructor(sentences: string) {
    super(sentences);
    this.name = "OverwriteError";
  }
}

const MAX_CONCURRENT = 64;
/** Names of the bodies that Playwright writes next to a HAR file, which are read together with it. */
const ATTACHED_NAME = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/** Keeps outputs from replacing inputs, other outputs and files of the user. Compares files by identity, not path. */
export class OutputGuard {
  readonly #outputs: readonly GuardedOutput[];
  readonly #inputs: Set<string>;

  constructor(outputs: readonly GuardedOutput[], inputs: Iterable<string> = []) {
    const outputsByPath = new Map<string | undefined, GuardedOutput>();
    for (const output of outputs) {
      const other = output.path === undefined ? undefined : outputsByPath.get(output.path);
      if (other !== undefined) throw duplicateOutputError(other, output);
      outputsByPath.set(output.path, output);
    }
    this.#outputs = outputs;
    this.#inputs = new Set(inputs);
  }

  with(outputs: readonly GuardedOutput[]): OutputGuard {
    return new OutputGuard([...this.#outputs, ...outputs], this.#inputs);
  }

  /** Adds inputs, and compares all outputs with all inputs so far. */
  async check(inputs: Iterable<string | undefined> = []): Promise<void> {
    for (const input of inputs) {
      if (input !== undefined && !/^https?:/i.test(input)) this.#inputs.add(input);
    }
    await this.#checkInputs();
    for (const { name, path, copy } of this.#outputs) {
      if (path === undefined || copy === undefined) continue;
      const obstacle = await findCopyObstacle(path, copy);
      if (obstacle === undefined) continue;
      throw new OverwriteError(
        `${name} would overwrite ${path}, ${obstacle}. Move it away, or write the report to another folder.`,
      );
    }
  }

  async #checkInputs(): Promise<void> {
    // Only existing files can be inputs: a missing input is reported elsewhere.
    const endangered = new Map<string, GuardedOutput>();
    for (const [identity, output] of await this.#outputsByIdentity()) {
      const { path } = output;
      const exists = path === undefined || this.#inputs.has(path) || await fileExists(path);
      if (exists) endangered.set(identity, output);
    }
    if (endangered.size === 0) return;
    const inputsLeft = [...this.#inputs];
    while (inputsLeft.length > 0) {
      await Promise.all(
        inputsLeft.splice(0, MAX_CONCURRENT).map(async (input) => {
          const identity = await fileIdentity(input === STANDARD_INPUT ? 0 : input);
          const output = identity === undefined ? undefined : endangered.get(identity);
          if (output !== undefined) throw overwriteError(output, input);
        }),
      );
    }
    for (const output of endangered.values()) this.#checkAttached(output);
  }

  async #outputsByIdentity(): Promise<Map<string, GuardedOutput>> {
    const outputs = new Map<string, GuardedOutput>();
    for (const output of this.#outputs) {
      const identity = await fileIdentity(output.path ?? 1);
      if (identity === undefined) continue;
      const other = outputs.get(identity);
      if (other !== undefined) throw duplicateOutputError(other, output);
      outputs.set(identity, output);
    }
    return outputs;
  }

  #checkAttached(output: GuardedOutput): void {
    const [, folder = "", name = ""] = /^(.*?)([^/\\]*)$/s.exec(output.path ?? "") ?? [];
    if (!ATTACHED_NAME.test(name)) return;
    for (const input of this.#inputs) {
      if (input.replace(/[^/\\]*$/, "") === folder) {
        throw overwriteError(output, `${folder}${name}`);
      }
    }
  }
}

function duplicateOutputError(one: GuardedOutput, other: GuardedOutput): OverwriteError {
  const [first, second] = [describeOutput(one), describeOutput(other)];
  const uncapitalized = second.charAt(0).toLowerCase() + second.slice(1);
  const problem = first === second
    ? `Two ${one.name.replace(/^The /, "")}s would be written to ${one.path}.`
    : `${first} and ${uncapitalized} would be written to the same file.`;
  return new OverwriteError(`${problem} Give each its own path.`);
}

function overwriteError(output: GuardedOutput, input: string): OverwriteError {
  const { resolve } = builtin("node:path");
  const inputPath = input === STANDARD_INPUT ? "standard input" : toPath(input);
  const { path = inputPath } = output;
  const alias = resolve(path) === resolve(inputPath) ? "" : ` (${inputPath})`;
  return new OverwriteError(
    `${output.name} would overwrite ${path}, which is an input${alias}. Give it another path.`,
  );
}

function describeOutput({ name, path }: GuardedOutput): string {
  return path === undefined ? `${name} on standard output` : `${name} ${path}`;
}

/**
 * Checks that a formatted copy of a document may be written to a path that the user did not choose. It may only replace
 * an earlier copy of the same document: JSON in the same format with the same title or, for a part of a description,
 * with some of the same keys. Links are not followed.
 *
 * @returns The end of a sentence about the existing file; undefined if the copy may be written.
 */
export async function findCopyObstacle(path: string, text: string): Promise<string | undefined> {
  let status: FileStatus;
  try {
    status = await builtin("node:fs/promises").lstat(path);
  } catch {
    return undefined; // no file, or writing will report the error
  }
  if (status.isSymbolicLink()) return "which is a link";
  if (!status.isFile()) return "which is not a regular file";
  try {
    const existing = await readTextFile(path);
    if (existing === text || isSameDocument(existing, text)) return undefined;
  } catch {
    // A file that cannot be read, or isn't JSON, is not a copy.
  }
  return "which covtool did not write";
}

function isSameDocument(existing: string, text: string): boolean {
  const old: unknown = JSON.parse(existing);
  if (formatJson(old) !== existing) return false;
  const copy: unknown = JSON.parse(text);
  if (!isObject(old) || !isObject(copy)) return Array.isArray(old) && Array.isArray(copy);
  const [before, now] = [readTitle(old), readTitle(copy)];
  if (before !== undefined || now !== undefined) return before === now;
  return Object.keys(copy).some((name) => Object.hasOwn(old, name));
}

/** Returns the title of a description; undefined if the document is only a part of one. */
function readTitle(document: Readonly<Record<string, unknown>>): unknown {
  const { info } = document;
  const isWhole = Object.hasOwn(document, "openapi") || Object.hasOwn(document, "swagger");
  return isWhole ? (isObject(info) ? info["title"] : undefined) ?? "" : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
