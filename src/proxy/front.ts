import { createServer, type Server, type Socket } from "node:net";
import { failureSentence } from "./failure_sentence.ts";
import { requireNet } from "../files/missing_permission.ts";
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
/** The first line of a connection that speaks HTTP/2 without TLS (RFC 9113, section 3.4). */
const HTTP2_PREFACE = "PRI * HTTP/2.0";
/** Bytes of a first request that are looked at: as many as the servers take for a head. */
const MAX_HEAD = 256 * 1024;
/** Time limit for the head of the first request, in milliseconds. */
const TIMEOUT = 120_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Looks at a connection's first bytes and hands it to the server that can read it, also within `CONNECT` tunnels. */
export class Front {
  readonly #services: Services;
  readonly #servers: HttpServers;
  readonly #sockets = new Set<Socket>();
  /** Those that speak TLS to a server of ours. */
  readonly #secure = new WeakSet<Socket>();
  readonly #listeners: Server[] = [];

  constructor(services: Services, servers: HttpServers) {
    this.#services = services;
    this.#servers = servers;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Begins to accept connections, at several addresses if called so, and gives the port; throws if it is in use. */
  async listen(host: string, port: number): Promise<number> {
    // Deno would end the process.
    requireNet(formatHostAndPort({ host, port }));
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

  /** Ends every connection after the client received its answer, for which it has so many milliseconds. */
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
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, timeout));
    await Promise.race([Promise.all(ended), late]);
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

  /** Hands a connection on once it is clear what the client speaks; `first` was read already. */
  sniff(socket: Socket, first: Uint8Array, mode: ConnectionMode): void {
    let bytes = first;
    let looked = 0;
    let isLineSeen = false;
    const done = (): void => {
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
      // A head may come byte by byte, so all of it is looked at only when it may tell more than before.
      const tellsMore = looked === 0 || bytes.length >= MAX_HEAD ||
        (isLineSeen ? hasBlankLine(bytes, looked - 3) : bytes.includes(LINE_FEED, looked));
      looked = bytes.length;
      if (!tellsMore) return;
      isLineSeen ||= bytes.includes(LINE_FEED);
      const action = this.#route(socket, bytes, mode);
      if (action === undefined) return;
      done();
      this.#services.boundary.run(action, destroy);
    };
    socket.setTimeout(TIMEOUT);
    socket.on("timeout", destroy);
    socket.on("end", destroy);
    socket.on("data", onData);
    socket.resume();
    decide();
  }

  /** The action for a connection that begins with these bytes; undefined if more are needed. */
  #route(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): (() => void) | undefined {
    if (bytes[0] === TLS_HANDSHAKE) return () => this.#serveSecure(socket, bytes, mode);
    const text = headText(bytes);
    const line = /^[^\r\n]*(?=\r?\n)/.exec(text)?.[0];
    if (line === undefined && bytes.length < MAX_HEAD) return undefined;
    // Whatever is meant as a request is read, and refused if that can't be done; other protocols pass.
    const isHttp = line === undefined || line !== HTTP2_PREFACE && /\sHTTP\//i.test(line);
    // What was read beneath TLS must not go on in the open.
    if (!isHttp && mode.kind === "tunnel" && !mode.isSecure) {
      return () => this.#tunnel(socket, bytes, mode.server);
    }
    const end = /\r?\n\r?\n/.exec(text);
    if (end === null && bytes.length < MAX_HEAD && isHttp) return undefined;
    const authority = mode.kind === "forward" ? /^CONNECT (\S+) /.exec(line ?? "")?.[1] : undefined;
    if (authority !== undefined) {
      const rest = bytes.subarray(end === null ? bytes.length : end.index + end[0].length);
      const head = text.slice(0, end?.index);
      // Servers could take either for the one that is meant (RFC 9112, section 3.2).
      const hosts = head.match(/\nhost[ \t]*:/gi)?.length ?? 0;
      return () => {
        if (this.#services.isLoop(head)) refuse(socket, LOOP_SENTENCE, "508 Loop Detected");
        else this.#connect(socket, hosts > 1 ? "" : authority, rest);
      };
    }
    const upgrades = isWebSocketHead(text);
    const request = upgrades || line === undefined ? bytes : withoutOffer(bytes, text, end?.index);
    return () => this.#servers.servePlain(socket, request, mode, upgrades);
  }

  #connect(socket: Socket, authority: string, rest: Uint8Array): void {
    const server = parseHostAndPort(authority, 443);
    if (server === undefined) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      return;
    }
    if (!this.#services.isIntercepted(server)) {
      this.#tunnel(socket, rest, server, ESTABLISHED);
      return;
    }
    socket.write(ESTABLISHED);
    this.sniff(socket, rest, { kind: "tunnel", server, isSecure: false });
  }

  #serveSecure(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): void {
    if (mode.kind === "forward") {
      this.#services.onSecureClient();
      socket.destroy();
      return;
    }
    this.#secure.add(socket);
    const secure: ConnectionMode = mode.kind === "tunnel" ? { ...mode, isSecure: true } : mode;
    this.#servers.serveSecure(socket, bytes, secure);
  }

  #tunnel(socket: Socket, bytes: Uint8Array, target: HostAndPort, answer?: string): void {
    this.#services.upstream.connect(target).then((server) => {
      if (socket.destroyed) {
        server.destroy();
        return;
      }
      if (answer !== undefined) socket.write(answer);
      if (bytes.length > 0) server.write(bytes);
      joinSockets(socket, server);
    }, (error) => {
      const failure = failureSentence(target, error, this.#services.upstream.proxy);
      this.#services.onFailure(target, failure);
      if (answer === undefined) socket.destroy();
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

/** Servers may ignore an offer to change to anything but WebSocket, but that of Deno 2.7 ends the connection. */
function withoutOffer(bytes: Uint8Array, text: string, end: number | undefined): Uint8Array {
  const offer = /\r\nupgrade:[^\r\n]*/i.exec(text);
  if (offer === null || end === undefined || offer.index > end) return bytes;
  const rest = bytes.subarray(offer.index + offer[0].length);
  return concatBytes([bytes.subarray(0, offer.index), rest]);
}

/** True if the end of a head is among the bytes from a place on. */
function hasBlankLine(bytes: Uint8Array, from: number): boolean {
  let at = bytes.indexOf(LINE_FEED, Math.max(0, from));
  for (; at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1] === CARRIAGE_RETURN ? bytes[at + 2] : bytes[at + 1];
    if (next === LINE_FEED) return true;
  }
  return false;
}

/** The bytes as text, as far as a head reaches; one character a byte. */
function headText(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length && offset < MAX_HEAD; offset += 4096) {
    text += String.fromCharCode(...bytes.subarray(offset, Math.min(offset + 4096, MAX_HEAD)));
    if (text.includes("\n\r\n", Math.max(0, offset - 4))) break;
  }
  return text;
}

function ignore(): void {}
