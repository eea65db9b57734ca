import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** What kept connections had received when they were given to a request. */
const receivedBefore = new WeakMap<ClientRequest, number>();

/**
 * Notes that a request is sent on a connection that was used before. Agents call it after `reuseSocket()`.
 *
 * Deno (2.7 to 2.9) sends a request again by itself where such a connection ends without an answer: with any method,
 * after parts of an answer, and for clients that have gone. What tells it that the connection was used before is
 * `reusedSocket`, so it must not know.
 */
export function noteReuse(connection: Duplex, request: ClientRequest): void {
  receivedBefore.set(request, (connection as Socket).bytesRead);
  request.reusedSocket = false;
}

/** Whether a request was sent on a connection that was used before, and not one byte came back. */
export function isUnanswered(request: ClientRequest): boolean {
  const before = receivedBefore.get(request);
  return before !== undefined && request.socket?.bytesRead === before;
}
