import type { Socket } from "node:net";
import { type RequestServer, startRequestServer } from "./test_server.ts";

/** How the server treats a request; its path begins with one of these. */
type Fault =
  /** Answers, and keeps the connection. */
  | "ok"
  /** Closes without a word as soon as the head is there. */
  | "close_on_head"
  /** Resets the connection when the request is there. */
  | "reset"
  /** Closes without a word when the request is there. */
  | "close"
  /** Sends the first bytes of an answer, and closes. */
  | "few_bytes";

/** Starts a server whose fault is what the first segment of a request's path names. */
export function startFaultServer(isSecure = false): Promise<RequestServer> {
  return startRequestServer(
    (head, socket) => treat(socket, faultOf(head)),
    isSecure,
    (head, socket) => {
      if (faultOf(head) === "close_on_head") socket.end();
    },
  );
}

function faultOf(head: string): Fault {
  return /^\S+ \/(\w+)/.exec(head)?.[1] as Fault;
}

function treat(socket: Socket, fault: Fault): void {
  // It ends already: nothing can be said any more.
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
