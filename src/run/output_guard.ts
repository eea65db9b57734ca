import { resolve } from "node:path";
import { fileExists, fileIdentity } from "../files/file_identity.ts";
import { CommandError } from "./command_error.ts";
import { STANDARD_INPUT } from "./find_recordings.ts";

/** Something that covtool is to write. */
export interface GuardedOutput {
  /** What messages call it: `The report`. */
  readonly name: string;
  /** Its path; undefined is standard output. */
  readonly path: string | undefined;
}

/** Files whose identity is asked for at the same time. */
const TOGETHER = 64;
/** Bodies beside a HAR of Playwright are called so, and read with it. */
const ATTACHED = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/**
 * Decides, for all commands, what may be written: nothing that is read, and nothing twice. Files are told apart by what
 * they are, not by how their paths are written, so that neither `./` nor a link gets around it.
 */
export class OutputGuard {
  readonly #outputs: readonly GuardedOutput[];
  readonly #inputs = new Set<string>();

  /** Guards these; nothing is looked at yet. */
  constructor(outputs: readonly GuardedOutput[]) {
    this.#outputs = outputs;
  }

  /**
   * Takes notice of what is read, and looks at everything that it knows of by now.
   *
   * @param inputs Paths, `file:` URLs, and `-` for standard input; other URLs and undefined ones are passed over.
   * @throws {CommandError} where an output would be written over an input or another output.
   */
  async check(inputs: Iterable<string | undefined> = []): Promise<void> {
    for (const input of inputs) {
      if (input !== undefined && !/^https?:/i.test(input)) this.#inputs.add(input);
    }
    const written = await this.#written();
    // What is read is there, or a sentence will say that it is missing; so only what is there can be it.
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
      if (other !== undefined) {
        throw new CommandError(
          `${described(other)} and ${
            uncapitalized(described(output))
          } would be written to the same file. Give each its own path.`,
        );
      }
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

function overwriting(output: GuardedOutput, input: string): CommandError {
  const read = input === STANDARD_INPUT ? "standard input" : input;
  const { path = read } = output;
  const as = resolve(path) === resolve(read) ? "" : ` (${read})`;
  return new CommandError(
    `${output.name} would overwrite ${path}, which is an input${as}. Give it another path.`,
  );
}

function described({ name, path }: GuardedOutput): string {
  return path === undefined ? `${name} on standard output` : `${name} ${path}`;
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
