import process from "node:process";
import { fileURLToPath } from "node:url";
import { errorCode, fileErrorSentence } from "../files/files.ts";
import { grantedVariables, isGranted } from "../files/missing_permission.ts";
import { CommandError } from "./command_error.ts";
import type { Host, OutputStream } from "./host.ts";

type Writable = typeof process.stdout | typeof process.stderr;

/** The process that covtool runs in; without the program as a module, all is done in one thread. */
export function processHost(program?: URL): Host {
  // With a listener, a file that grows beyond `ulimit -f` is an error of the write, and not the end of the process.
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

/** True if a worker may run a module; without permission Deno would ask, print an error, or both. */
function isReadable(program: URL): boolean {
  if (program.protocol !== "file:") return true;
  return isGranted({ name: "read", path: fileURLToPath(program) });
}

/** @param isTold True to report a failed write as an error; for standard error itself there is nowhere to report it. */
function outputStream(stream: Writable, isTold: boolean): OutputStream {
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
        await written(stream, text);
      } catch (error) {
        isClosed = true;
        // A reader that has seen enough (`covtool … | head`) isn't a failure.
        if (!isTold || isOfClosedPipe(error)) return;
        const sentence = fileErrorSentence(error);
        failure = new CommandError(`Cannot write to standard output: ${sentence}`, error);
        throw failure;
      }
    },
  };
}

function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Deno throws where Node.js calls back.
    stream.write(text, (error) => error ? reject(error) : resolve());
  });
}

function isOfClosedPipe(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EPIPE" || code === "EOF" || code === "ERR_STREAM_DESTROYED" ||
    /\(os error 32\)|Broken pipe/.test(String(error));
}
