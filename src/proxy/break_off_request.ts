import type { ClientRequest } from "node:http";

/**
 * Breaks off a request to a server. Nothing is sent after this.
 *
 * Deno (2.9) keeps a connection that is destroyed before it is made for good if TLS is to begin on it, with the request
 * and all that waits to be sent: so that one ends as soon as it is made, before TLS begins.
 */
export function breakOffRequest(request: ClientRequest): void {
  const { socket } = request;
  if (socket?.connecting !== true || "encrypted" in socket === false) {
    request.destroy();
    return;
  }
  // Nothing waits for its end.
  socket.unref();
  socket.once("connect", () => request.destroy());
}
