import process from "node:process";
import type { Host, OutputStream } from "./host.ts";

/**
 * The process that covtool runs in: Deno, Node.js, Bun, or a compiled program.
 *
 * @param program The program's own module; without it all is done in one thread.
 */
export function processHost(program?: URL): Host {
  return {
    ...(program !== undefined && isReadable(program) && { program }),
    variables: process.env,
    stdout: outputStream(process.stdout),
    stderr: outputStream(process.stderr),
    stdin: () => process.stdin,
    now: Date.now,
  };
}

/** Whether a worker may run a module: Deno would ask for permission, print an error, or both. */
function isReadable(program: URL): boolean {
  const { Deno: deno } = globalThis as { readonly Deno?: typeof Deno };
  if (deno === undefined || program.protocol !== "file:") return true;
  return deno.permissions.querySync({ name: "read", path: program }).state === "granted";
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
