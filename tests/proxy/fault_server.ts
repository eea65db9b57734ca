import type { Socket } from "node:net";
import { type RawServer, startRawServer } from "./test_server.ts";

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

/** A server that writes its answers by hand, and treats some requests badly. */
export interface FaultServer extends RawServer {
  /** The request lines that came, in order. */
  readonly seen: string[];
}

/** Starts a server whose fault is what the first segment of a request's path names. */
export async function startFaultServer(isSecure = false): Promise<FaultServer> {
  const seen: string[] = [];
  const server = await startRawServer((socket) => {
    let text = "";
    let isNoted = false;
    socket.on("data", (chunk: Uint8Array) => {
      for (const byte of chunk) text += String.fromCharCode(byte);
      for (;;) {
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = text.slice(0, end + 4);
        const fault = /^\S+ \/(\w+)/.exec(head)?.[1] as Fault | undefined;
        if (!isNoted) seen.push(head.slice(0, head.indexOf("\r\n")));
        isNoted = true;
        if (fault === "close_on_head") {
          socket.end();
          return;
        }
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        let whole = head.length + length;
        if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
          const last = text.indexOf("0\r\n\r\n", head.length);
          whole = last < 0 ? Infinity : last + 5;
        }
        if (text.length < whole) return;
        text = text.slice(whole);
        treat(socket, fault ?? "ok");
        isNoted = false;
      }
    });
  }, isSecure);
  return { ...server, seen };
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
