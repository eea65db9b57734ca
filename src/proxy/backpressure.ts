import type { Readable } from "node:stream";

/** Handle that reads a connection. */
interface Handle {
  readStop(): unknown;
  readStart(): unknown;
}

/** What was stopped for a message, which may lose its connection before it is read on. */
const stopped = new WeakMap<Readable, Handle>();

/**
 * Stops reading a message until {@linkcode letFlow}, so that a sender which is faster than the receiver waits instead
 * of filling the memory.
 *
 * A pause is enough on Node.js. Deno (2.7 to 2.9) goes on reading what lies beneath TLS, without a limit, and its
 * older versions get slower the more there is: there, what TLS reads from is stopped too.
 */
export function holdBack(message: Readable): void {
  message.pause();
  const handle = handleBeneathTls(message);
  if (handle === undefined || stopped.has(message)) return;
  stopped.set(message, handle);
  handle.readStop();
}

/** Reads on. */
export function letFlow(message: Readable): void {
  letFlowBehind(message);
  message.resume();
}

/** Reads on what follows a message on its connection, which may have ended while it was held back. */
export function letFlowBehind(message: Readable): void {
  stopped.get(message)?.readStart();
  stopped.delete(message);
}

/** Undefined if a pause is all that is needed. */
function handleBeneathTls(message: Readable): Handle | undefined {
  if (!("Deno" in globalThis)) return undefined;
  const { socket } = message as {
    readonly socket?: { readonly _handle?: { readonly _parent?: Partial<Handle> } | null };
  };
  const handle = socket?._handle?._parent;
  return typeof handle?.readStop === "function" && typeof handle.readStart === "function"
    ? handle as Handle
    : undefined;
}
