import { builtin } from "./builtin.ts";
import { copyObstacle } from "./copy_obstacle.ts";
import { fileExists, fileIdentity, STANDARD_INPUT } from "./file_identity.ts";
import { toPath } from "./files.ts";

/** A file that covtool is about to write. */
export interface GuardedOutput {
  /** Its name in messages: `The report`. */
  readonly name: string;
  /** Its path; undefined for standard output. */
  readonly path: string | undefined;
  /** The text of a formatted copy, whose path the user did not choose: it replaces nothing but an earlier copy. */
  readonly copy?: string | undefined;
}

/** An output would be written over an input, or over another output. The message says which, and what to do. */
export class OverwriteError extends TypeError {
  /** Makes the error from sentences for the user. */
  constructor(sentences: string) {
    super(sentences);
    this.name = "OverwriteError";
  }
}

/** Files whose identity is read at the same time. */
const TOGETHER = 64;
/** Names of the bodies that Playwright writes beside a HAR, which are read with it. */
const ATTACHED = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/**
 * Decides what may be written, for commands, test runners and the library: no input, no file twice, and no formatted copy
 * over a file of the user. Files are
 * compared by identity, not by path, so neither `../cli/` nor a link gets around it.
 *
 * @example
 * ```ts
 * import { OutputGuard } from "./output_guard.ts";
 * import assert from "node:assert/strict";
 *
 * const guard = new OutputGuard([{ name: "The report", path: "mod.ts" }]);
 * await assert.rejects(guard.check(["./mod.ts"]), /The report would overwrite mod\.ts/);
 * ```
 */
export class OutputGuard {
  readonly #outputs: readonly GuardedOutput[];
  readonly #inputs: Set<string>;

  /**
   * Guards these outputs. No file is read yet.
   *
   * @param inputs Known inputs, as {@linkcode OutputGuard.check} takes them (default: none).
   * @throws {OverwriteError} if two outputs have the same path.
   */
  constructor(outputs: readonly GuardedOutput[], inputs: Iterable<string> = []) {
    const known = new Map<string | undefined, GuardedOutput>();
    for (const output of outputs) {
      const other = output.path === undefined ? undefined : known.get(output.path);
      if (other !== undefined) throw twice(other, output);
      known.set(output.path, output);
    }
    this.#outputs = outputs;
    this.#inputs = new Set(inputs);
  }

  /**
   * A guard with the same inputs, and more outputs.
   *
   * @throws {OverwriteError} if two outputs have the same path.
   */
  with(outputs: readonly GuardedOutput[]): OutputGuard {
    return new OutputGuard([...this.#outputs, ...outputs], this.#inputs);
  }

  /**
   * Adds inputs and compares all outputs with all inputs added so far.
   *
   * @param inputs Paths, `file:` URLs, and `-` for standard input; other URLs and undefined are ignored.
   * @throws {OverwriteError} if an output would be written over an input or another output, or a formatted copy over
   * anything that is not one.
   */
  async check(inputs: Iterable<string | undefined> = []): Promise<void> {
    for (const input of inputs) {
      if (input !== undefined && !/^https?:/i.test(input)) this.#inputs.add(input);
    }
    await this.#checkInputs();
    for (const { name, path, copy } of this.#outputs) {
      const obstacle = path === undefined || copy === undefined
        ? undefined
        : await copyObstacle(path, copy);
      if (obstacle === undefined) continue;
      throw new OverwriteError(
        `${name} would overwrite ${path}, ${obstacle}. Move it away, or write the report to another folder.`,
      );
    }
  }

  async #checkInputs(): Promise<void> {
    const written = await this.#written();
    // A missing input is an error of its own, so only existing files can be one.
    const endangered = new Map<string, GuardedOutput>();
    for (const [identity, output] of written) {
      const { path } = output;
      const isThere = path === undefined || this.#inputs.has(path) || await fileExists(path);
      if (isThere) endangered.set(identity, output);
    }
    if (endangered.size === 0) return;
    const inputsLeft = [...this.#inputs];
    while (inputsLeft.length > 0) {
      await Promise.all(
        inputsLeft.splice(0, TOGETHER).map(async (input) => {
          const identity = await fileIdentity(input === STANDARD_INPUT ? 0 : input);
          const output = identity === undefined ? undefined : endangered.get(identity);
          if (output !== undefined) throw overwriting(output, input);
        }),
      );
    }
    for (const output of endangered.values()) this.#checkAttached(output);
  }

  async #written(): Promise<Map<string, GuardedOutput>> {
    const written = new Map<string, GuardedOutput>();
    for (const output of this.#outputs) {
      const identity = await fileIdentity(output.path ?? 1);
      if (identity === undefined) continue;
      const other = written.get(identity);
      if (other !== undefined) throw twice(other, output);
      written.set(identity, output);
    }
    return written;
  }

  #checkAttached(output: GuardedOutput): void {
    const [, folder = "", name = ""] = /^(.*?)([^/\\]*)$/s.exec(output.path ?? "") ?? [];
    if (!ATTACHED.test(name)) return;
    for (const input of this.#inputs) {
      if (input.replace(/[^/\\]*$/, "") === folder) throw overwriting(output, `${folder}${name}`);
    }
  }
}

function twice(one: GuardedOutput, other: GuardedOutput): OverwriteError {
  const [first, second] = [described(one), described(other)];
  const problem = first === second
    ? `Two ${one.name.replace(/^The /, "")}s would be written to ${one.path}.`
    : `${first} and ${uncapitalized(second)} would be written to the same file.`;
  return new OverwriteError(`${problem} Give each its own path.`);
}

function overwriting(output: GuardedOutput, input: string): OverwriteError {
  const { resolve } = builtin<{ resolve(path: string): string }>("node:path");
  const read = input === STANDARD_INPUT ? "standard input" : toPath(input);
  const { path = read } = output;
  const as = resolve(path) === resolve(read) ? "" : ` (${read})`;
  return new OverwriteError(
    `${output.name} would overwrite ${path}, which is an input${as}. Give it another path.`,
  );
}

function described({ name, path }: GuardedOutput): string {
  return path === undefined ? `${name} on standard output` : `${name} ${path}`;
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
