// Keeps connections through a proxy busy. As a program, it requests one URL for some seconds, and prints a line of
// JSON.
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { print } from "../../scripts/print.ts";

/** The load on the connections. */
export interface Load {
  /** The port of the proxy; 0 connects to the server itself. */
  readonly proxyPort: number;
  readonly url: URL;
  readonly connections: number;
  /** The raw text of the next request; undefined at the end. */
  next(): string | undefined;
  /** Called for each response with its size in bytes and its time in milliseconds. */
  onAnswer?(bytes: number, milliseconds: number): void;
}

/** The prefix of paths in requests to a URL's server. */
export function requestBase({ proxyPort, url }: Pick<Load, "proxyPort" | "url">): string {
  return proxyPort === 0 || url.protocol === "https:" ? "" : url.origin;
}

/** Sends requests in sequence on each connection until there are enough. */
export async function keepBusy(load: Load): Promise<void> {
  await Promise.all(Array.from({ length: load.connections }, async () => {
    const { proxyPort, url } = load;
    const socket = connect(proxyPort === 0 ? Number(url.port) : proxyPort, "127.0.0.1");
    socket.setNoDelay(true);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    if (url.protocol !== "https:") return await use(socket, load);
    if (proxyPort !== 0) {
      socket.write(`CONNECT ${url.host} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      await new Promise((resolve) => socket.once("data", resolve));
    }
    const secure = connectTls({ socket, servername: "localhost", rejectUnauthorized: false });
    await new Promise((resolve, reject) =>
      secure.once("secureConnect", resolve).once("error", reject)
    );
    await use(secure, load);
  }));
}

function use(socket: Socket, { next, onAnswer }: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    let [head, left, bytes, sent] = ["", -1, 0, 0];
    const send = (): void => {
      const request = next();
      if (request === undefined) {
        socket.destroy();
        return resolve();
      }
      [bytes, sent] = [0, performance.now()];
      socket.write(request);
    };
    socket.on("error", reject);
    socket.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (left >= 0) left -= chunk.length;
      else {
        const before = head.length;
        // The head is much shorter than this.
        head += String.fromCharCode(...chunk.subarray(0, 8192));
        const stop = head.indexOf("\r\n\r\n");
        if (stop < 0) return;
        if (!head.startsWith("HTTP/1.1 200")) reject(new Error(head.slice(0, stop)));
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
        left = length - (before + chunk.length - stop - 4);
        head = "";
      }
      if (left > 0) return;
      left = -1;
      onAnswer?.(bytes, performance.now() - sent);
      send();
    });
    send();
  });
}

if (import.meta.main) {
  const [port = "0", address = "", seconds = "3", connections = "16"] = Deno.args;
  const [proxyPort, url] = [Number(port), new URL(address)];
  const target = `${requestBase({ proxyPort, url })}${url.pathname}${url.search}`;
  const request = `GET ${target} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: */*\r\n\r\n`;
  const end = performance.now() + Number(seconds) * 1000;
  const latencies: number[] = [];
  let bytes = 0;
  await keepBusy({
    ...{ proxyPort, url, connections: Number(connections) },
    next: () => performance.now() > end ? undefined : request,
    onAnswer: (length, milliseconds) => {
      bytes += length;
      latencies.push(milliseconds);
    },
  });
  latencies.sort((one, other) => one - other);
  print(JSON.stringify({
    perSecond: latencies.length / Number(seconds),
    median: latencies[latencies.length >> 1] ?? NaN,
    megabytes: bytes / 1e6 / Number(seconds),
  }));
}
