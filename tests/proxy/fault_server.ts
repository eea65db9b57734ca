import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";

/** How the server treats a request; its path begins with one of these. */
export type Fault =
  /** Answers, and keeps the connection. */
  | "ok"
  /** Answers as if the connection stayed, and closes it a moment later. */
  | "then_close"
  /** Closes without a word as soon as the head is there. */
  | "close_on_head"
  /** Resets the connection when the request is there. */
  | "reset"
  /** Closes without a word when the request is there. */
  | "close"
  /** Sends the first bytes of an answer, and closes. */
  | "few_bytes"
  /** Sends half of the answer's body, and closes. */
  | "half_body"
  /** Sends what is not HTTP. */
  | "nonsense";

/** A server that writes its answers by hand, and treats some requests badly. */
export interface FaultServer extends AsyncDisposable {
  readonly port: number;
  /** The request lines that came, in order. */
  readonly seen: string[];
  /** Which of them got at least one byte for an answer. */
  readonly answered: ReadonlySet<number>;
}

/** Starts a server whose fault is what the first segment of a request's path names. */
export async function startFaultServer(isSecure = false): Promise<FaultServer> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const answered = new Set<number>();
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    let text = "";
    let place: number | undefined;
    socket.on("data", (chunk: Uint8Array) => {
      for (const byte of chunk) text += String.fromCharCode(byte);
      for (;;) {
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = text.slice(0, end + 4);
        const fault = /^\S+ \/(\w+)/.exec(head)?.[1] as Fault | undefined;
        place ??= seen.push(head.slice(0, head.indexOf("\r\n"))) - 1;
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
        if (treat(socket, fault ?? "ok")) answered.add(place);
        place = undefined;
      }
    });
  };
  const server = isSecure ? createSecureServer(certificate(), serve) : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    answered,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function certificate(): { readonly cert: string; readonly key: string } {
  const authority = new Authority(createAuthority(new Date()));
  const { certificate, key } = authority.leaf("127.0.0.1", new Date());
  return { cert: certificate, key };
}

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";

/** Whether something was answered. */
function treat(socket: Socket, fault: Fault): boolean {
  // It ends already: nothing can be said any more.
  if (!socket.writable) return false;
  switch (fault) {
    case "then_close":
      socket.write(`${ANSWER}hello`);
      setTimeout(() => socket.end(), 1);
      return true;
    case "few_bytes":
      socket.end("HTTP/1.");
      return true;
    case "half_body":
      socket.end(`${ANSWER}he`);
      return true;
    case "nonsense":
      socket.end("What did you say?\r\n\r\n");
      return true;
    case "reset":
      if ("encrypted" in socket) socket.destroy();
      else socket.resetAndDestroy();
      return false;
    case "close":
      socket.end();
      return false;
    default:
      socket.write(`${ANSWER}hello`);
      return true;
  }
}
