import type { Socket } from "node:net";
import { type RequestServer, startRequestServer } from "./test_server.ts";

/** How the server treats a request whose path begins with this segment. */
type Fault =
  /** Responds, and keeps the connection. */
  | "ok"
  /** Closes the connection as soon as the head is complete. */
  | "close_on_head"
  /** Resets the connection when the request is complete. */
  | "reset"
  /** Closes the connection when the request is complete. */
  | "close"
  /** Sends the first bytes of a response, and closes the connection. */
  | "few_bytes";

/** Starts a server whose fault is the first segment of a request's path. */
export function startFaultServer(isSecure = false): Promise<RequestServer> {
  return startRequestServer(
    (head, socket) => treat(socket, wantedFault(head)),
    isSecure,
    (head, socket) => {
      if (wantedFault(head) === "close_on_head") socket.end();
    },
  );
}

function wantedFault(head: string): Fault {
  return /^\S+ \/(\w+)/.exec(head)?.[1] as Fault;
}

function treat(socket: Socket, fault: Fault): void {
  // The connection is already ending.
  if (!socket.writable) return;
  switch (fault) {
    case "few_bytes":
      socket.end("HTTP/1.");
      return;
    case "reset":
      if ("encrypted" in socket) socket.destroy();
      else socket.resetAndDestroy();
      return;
    case "close":
      socket.end();
      return;
    default:
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      return;
  }
}
