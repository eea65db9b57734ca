import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** A request with what its kept connection had received before; a map from requests costs a sixth of the speed. */
type Marked = ClientRequest & { [RECEIVED_BEFORE]?: number };

const RECEIVED_BEFORE = Symbol("received before");

/**
 * Notes that a request is sent on a connection that was used before. Agents call it after `reuseSocket()`.
 *
 * Deno (2.7 to 2.9) sends a request again by itself where such a connection ends without an answer: with any method,
 * after parts of an answer, and for clients that have gone. What tells it that the connection was used before is
 * `reusedSocket`, so it must not know.
 */
export function noteReuse(connection: Duplex, request: ClientRequest): void {
  (request as Marked)[RECEIVED_BEFORE] = (connection as Socket).bytesRead;
  request.reusedSocket = false;
}

/** True if a request was sent on a connection that was used before, and not one byte came back. */
export function isUnanswered(request: ClientRequest): boolean {
  const before = (request as Marked)[RECEIVED_BEFORE];
  return before !== undefined && request.socket?.bytesRead === before;
}
