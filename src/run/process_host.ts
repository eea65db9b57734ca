import process from "node:process";
import { fileURLToPath } from "node:url";
import { errorCode, fileErrorSentence } from "../files/files.ts";
import { grantedVariables, isGranted } from "../files/missing_permission.ts";
import { CommandError } from "./command_error.ts";
import type { Host, OutputStream } from "./host.ts";

type Writable = typeof process.stdout | typeof process.stderr;

/** Returns the host for this process; without the program as a module, everything runs in one thread. */
export function processHost(program?: URL): Host {
  // With a listener, a file beyond the limit of `ulimit -f` is a write error, instead of the end of the process.
  if (process.platform !== "win32") process.on("SIGXFSZ", () => {});
  return {
    ...(program !== undefined && isReadable(program) && { program }),
    variables: grantedVariables(),
    stdout: outputStream(process.stdout, true),
    stderr: outputStream(process.stderr, false),
    stdin: () => process.stdin,
    now: Date.now,
  };
}

/** True if a worker may run a module; without the permission, Deno would prompt, print an error, or both. */
function isReadable(program: URL): boolean {
  if (program.protocol !== "file:") return true;
  return isGranted({ name: "read", path: fileURLToPath(program) });
}

/** @param throwsOnFailure True to throw if a write fails; false for standard error, where nothing could report it. */
function outputStream(stream: Writable, throwsOnFailure: boolean): OutputStream {
  let isClosed = false;
  let failure: CommandError | undefined;
  // Errors are handled below; an error event without a listener would end the process.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY === true ? stream.columns : undefined,
    write: async (text) => {
      if (failure !== undefined) throw failure;
      if (isClosed || text === "") return;
      try {
        await writeText(stream, text);
      } catch (error) {
        isClosed = true;
        // A reader that closes the pipe early (`covtool … | head`) isn't a failure.
        if (!throwsOnFailure || isClosedPipe(error)) return;
        const sentence = fileErrorSentence(error);
        failure = new CommandError(`Cannot write to standard output: ${sentence}`, error);
        throw failure;
      }
    },
  };
}

function writeText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Deno throws where Node.js calls back.
    stream.write(text, (error) => error ? reject(error) : resolve());
  });
}

function isClosedPipe(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EPIPE" || code === "EOF" || code === "ERR_STREAM_DESTROYED" ||
    /\(os error 32\)|Broken pipe/.test(String(error));
}
