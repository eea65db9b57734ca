import { createServer, type Server, type Socket } from "node:net";
import { describeFailure } from "./describe_failure.ts";
import { ignore } from "./error_boundary.ts";
import { requireNetPermission } from "../files/missing_permission.ts";
import { concatBytes } from "../values/collections.ts";
import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";
import { type HttpServers, isWebSocketHead } from "./http_servers.ts";
import { joinSockets } from "./upgrade.ts";
import { LOOP_SENTENCE } from "./loop_mark.ts";
import { plainResponse } from "./send_response.ts";
import type { Services } from "./services.ts";
import type { ConnectionMode } from "./target.ts";

/** The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16;
/** The first line of HTTP/2 without TLS (RFC 9113, section 3.4). */
const HTTP2_PREFACE = "PRI * HTTP/2.0";
/** Maximum number of bytes to examine in a first request: the servers' limit for a head. */
const MAX_HEAD = 256 * 1024;
/** Milliseconds for the head of the first request. */
const TIMEOUT = 120_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Examines a connection's first bytes and passes it to the matching server. Does so within `CONNECT` tunnels too. */
export class Front {
  readonly #services: Services;
  readonly #servers: HttpServers;
  readonly #sockets = new Set<Socket>();
  /** Connections that speak TLS with a server of the proxy. */
  readonly #secure = new WeakSet<Socket>();
  readonly #listeners: Server[] = [];

  constructor(services: Services, servers: HttpServers) {
    this.#services = services;
    this.#servers = servers;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Starts to accept connections and returns the port; throws if it is in use. Call it for each address. */
  async listen(host: string, port: number): Promise<number> {
    // Without permission, Deno would end the process.
    requireNetPermission(formatHostAndPort({ host, port }));
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: false });
    server.on("connection", (socket) => {
      this.#services.boundary.run(() => this.#accept(socket), () => socket.destroy());
    });
    return await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        server.on("error", ignore);
        this.#listeners.push(server);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  stop(): void {
    for (const server of this.#listeners) server.close();
    this.#listeners.length = 0;
  }

  /** Ends every connection once its client has received the response, at the latest after `timeout` milliseconds. */
  async finish(timeout: number): Promise<void> {
    const ended = [...this.#sockets].map((socket) =>
      new Promise<void>((resolve) => {
        socket.once("close", () => resolve());
        socket.once("finish", () => socket.destroy());
        if (!this.#secure.has(socket)) socket.end();
      })
    );
    this.#servers.endSecure();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timedOut = new Promise<void>((resolve) => timer = setTimeout(resolve, timeout));
    await Promise.race([Promise.all(ended), timedOut]);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", ignore);
    socket.once("close", () => this.#sockets.delete(socket));
    const { reverse } = this.#services;
    const mode: ConnectionMode = reverse === undefined
      ? { kind: "forward" }
      : { kind: "reverse", upstream: reverse };
    this.sniff(socket, new Uint8Array(), mode);
  }

  /** Passes a connection on as soon as its protocol is known; `first` contains the bytes that were already read. */
  sniff(socket: Socket, first: Uint8Array, mode: ConnectionMode): void {
    let bytes = first;
    let examined = 0;
    let hasLine = false;
    const stopReading = (): void => {
      socket.setTimeout(0);
      socket.off("timeout", destroy);
      socket.off("data", onData);
      socket.off("end", destroy);
      socket.pause();
    };
    const destroy = (): void => void socket.destroy();
    const onData = this.#services.boundary.handler((chunk: Uint8Array) => {
      bytes = bytes.length === 0 ? chunk : concatBytes([bytes, chunk]);
      decide();
    }, destroy);
    const decide = (): void => {
      if (bytes.length === 0) return;
      // A head may arrive byte by byte, so it is parsed only when the new bytes may change the result.
      const mayDecide = examined === 0 || bytes.length >= MAX_HEAD ||
        (hasLine ? hasBlankLine(bytes, examined - 3) : bytes.includes(LINE_FEED, examined));
      examined = bytes.length;
      if (!mayDecide) return;
      hasLine ||= bytes.includes(LINE_FEED);
      const action = this.#route(socket, bytes, mode);
      if (action === undefined) return;
      stopReading();
      this.#services.boundary.run(action, destroy);
    };
    socket.setTimeout(TIMEOUT);
    socket.on("timeout", destroy);
    socket.on("end", destroy);
    socket.on("data", onData);
    socket.resume();
    decide();
  }

  /** Returns the action for a connection that begins with these bytes; undefined if more are needed. */
  #route(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): (() => void) | undefined {
    if (bytes[0] === TLS_HANDSHAKE) return () => this.#serveSecure(socket, bytes, mode);
    const text = headText(bytes);
    const line = /^[^\r\n]*(?=\r?\n)/.exec(text)?.[0];
    if (line === undefined && bytes.length < MAX_HEAD) return undefined;
    // Anything that looks like HTTP is parsed, and rejected if invalid; other protocols are tunneled.
    const isHttp = line === undefined || line !== HTTP2_PREFACE && /\sHTTP\//i.test(line);
    // Bytes that were decrypted must not be forwarded without TLS.
    if (!isHttp && mode.kind === "tunnel" && !mode.isSecure) {
      return () => this.#tunnel(socket, bytes, mode.server);
    }
    const end = /\r?\n\r?\n/.exec(text);
    if (end === null && bytes.length < MAX_HEAD && isHttp) return undefined;
    const authority = mode.kind === "forward" ? /^CONNECT (\S+) /.exec(line ?? "")?.[1] : undefined;
    if (authority !== undefined) {
      const tail = bytes.subarray(end === null ? bytes.length : end.index + end[0].length);
      const head = text.slice(0, end?.index);
      // Servers could take either `Host` for the one that is meant (RFC 9112, section 3.2).
      const hosts = head.match(/\nhost[ \t]*:/gi)?.length ?? 0;
      return () => {
        if (this.#services.isLoop(head)) refuse(socket, LOOP_SENTENCE, "508 Loop Detected");
        else this.#connect(socket, hosts > 1 ? "" : authority, tail);
      };
    }
    const upgrades = isWebSocketHead(text);
    const request = upgrades || line === undefined
      ? bytes
      : withoutUpgrade(bytes, text, end?.index);
    return () => this.#servers.servePlain(socket, request, mode, upgrades);
  }

  #connect(socket: Socket, authority: string, tail: Uint8Array): void {
    const server = parseHostAndPort(authority, 443);
    if (server === undefined) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      return;
    }
    if (!this.#services.isIntercepted(server)) {
      this.#tunnel(socket, tail, server, ESTABLISHED);
      return;
    }
    socket.write(ESTABLISHED);
    this.sniff(socket, tail, { kind: "tunnel", server, isSecure: false });
  }

  #serveSecure(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): void {
    if (mode.kind === "forward") {
      this.#services.reportSecureClient();
      socket.destroy();
      return;
    }
    this.#secure.add(socket);
    const secure: ConnectionMode = mode.kind === "tunnel" ? { ...mode, isSecure: true } : mode;
    this.#servers.serveSecure(socket, bytes, secure);
  }

  #tunnel(socket: Socket, bytes: Uint8Array, target: HostAndPort, response?: string): void {
    this.#services.upstream.connect(target).then((server) => {
      if (socket.destroyed) {
        server.destroy();
        return;
      }
      if (response !== undefined) socket.write(response);
      if (bytes.length > 0) server.write(bytes);
      joinSockets(socket, server);
    }, (error) => {
      const failure = describeFailure(target, error, this.#services.upstream.proxy);
      this.#services.reportFailure(target, failure);
      if (response === undefined) socket.destroy();
      else refuse(socket, failure.sentence);
    }).catch((error) => {
      this.#services.boundary.report(error);
      socket.destroy();
    });
  }
}

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

function refuse(socket: Socket, sentence: string, status = "502 Bad Gateway"): void {
  socket.end(plainResponse(status, `covtool proxy: ${sentence}\n`));
}

/** Removes `Upgrade` for other protocols than WebSocket. A server may ignore it, but Deno 2.7's ends the connection. */
function withoutUpgrade(bytes: Uint8Array, text: string, end: number | undefined): Uint8Array {
  const offer = /\r\nupgrade:[^\r\n]*/i.exec(text);
  if (offer === null || end === undefined || offer.index > end) return bytes;
  const rest = bytes.subarray(offer.index + offer[0].length);
  return concatBytes([bytes.subarray(0, offer.index), rest]);
}

function hasBlankLine(bytes: Uint8Array, from: number): boolean {
  let index = bytes.indexOf(LINE_FEED, Math.max(0, from));
  for (; index >= 0; index = bytes.indexOf(LINE_FEED, index + 1)) {
    const next = bytes[index + 1] === CARRIAGE_RETURN ? bytes[index + 2] : bytes[index + 1];
    if (next === LINE_FEED) return true;
  }
  return false;
}

/** Decodes the bytes up to the end of the head, one character for each byte. */
function headText(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length && offset < MAX_HEAD; offset += 4096) {
    text += String.fromCharCode(...bytes.subarray(offset, Math.min(offset + 4096, MAX_HEAD)));
    if (text.includes("\n\r\n", Math.max(0, offset - 4))) break;
  }
  return text;
}
