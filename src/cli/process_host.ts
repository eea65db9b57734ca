import process from "node:process";
import type { Host, OutputStream } from "./host.ts";

/** The process that covtool runs in: Deno, Node.js, Bun, or a compiled program. */
export function processHost(): Host {
  return {
    variables: process.env,
    stdout: outputStream(process.stdout),
    stderr: outputStream(process.stderr),
    stdin: () => process.stdin,
    now: Date.now,
  };
}

function outputStream(stream: typeof process.stdout | typeof process.stderr): OutputStream {
  let closed = false;
  // A reader that has seen enough (`covtool … | head`) is no failure, but an unheard error event would be one.
  stream.on("error", () => {
    closed = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY === true ? stream.columns : undefined,
    write: (text) =>
      new Promise((resolve) => {
        if (closed || text === "") return resolve();
        stream.write(text, () => resolve());
      }),
  };
}
