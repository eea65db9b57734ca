import { createServer, type Server, type Socket } from "node:net";
import type { EndedClients } from "./ended_clients.ts";
import type { Guard } from "./guard.ts";
import { failureSentence, type UpstreamFailure } from "./failure_sentence.ts";
import { requireNet } from "../files/net_permission.ts";
import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";
import { type InnerServers, isWebSocketHead } from "./inner_servers.ts";
import { LOOP_SENTENCE } from "./loop_mark.ts";
import { plainAnswer } from "./plain_answer.ts";
import {
  endTogether,
  type InnerAddress,
  join,
  type RelayedConnections,
} from "./relayed_connections.ts";
import type { ConnectionMode, ReverseUpstream } from "./target.ts";
import type { Upstream } from "./upstream.ts";

/** Dependencies of {@linkcode Front}. */
export interface FrontOptions {
  readonly inner: InnerServers;
  readonly relayed: RelayedConnections;
  readonly ended: EndedClients;
  readonly upstream: Upstream;
  readonly guard: Guard;
  /** Server behind a reverse proxy; undefined for a forward proxy. */
  readonly reverse: ReverseUpstream | undefined;
  /** True if the traffic of a tunnel is read; else it passes untouched. */
  isIntercepted(server: HostAndPort): boolean;
  onFailure(server: HostAndPort, failure: UpstreamFailure): void;
  /** True if a request with this head was sent by the proxy itself, which is then answered with an error. */
  isLoop(head: string): boolean;
  /** Called when a client opens TLS to the proxy itself. */
  onSecureClient(): void;
}

/** The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16;
/** The first line of a connection that speaks HTTP/2 without TLS (RFC 9113, section 3.4). */
const HTTP2_PREFACE = "PRI * HTTP/2.0";
/** Bytes of a first request that are looked at: as many as the server behind takes for a head. */
const LONGEST_HEAD = 256 * 1024;
/** Time limit for the head of the first request, in milliseconds. */
const TIMEOUT = 120_000;

const EMPTY = new Uint8Array();
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Entry point for clients: looks at the first bytes of a connection and leads it to the inner server that can read
 * it. It opens tunnels (`CONNECT`), and looks into them again.
 */
export class Front {
  readonly #options: FrontOptions;
  readonly #sockets = new Set<Socket>();
  readonly #servers: Server[] = [];

  /** Nothing listens yet. */
  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Connections of clients that are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /**
   * Begins to accept connections. Can be called for several addresses.
   *
   * @returns the port.
   * @throws the system's error where the port cannot be used.
   */
  async listen(host: string, port: number): Promise<number> {
    // Deno would end the process.
    requireNet(formatHostAndPort({ host, port }));
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: false });
    server.on("connection", (socket) => {
      this.#options.guard.run(() => this.#accept(socket), () => socket.destroy());
    });
    return await new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        server.on("error", ignore);
        this.#servers.push(server);
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  /** Accepts no more connections; open ones stay. */
  stop(): void {
    for (const server of this.#servers) server.close();
    this.#servers.length = 0;
  }

  /** Ends every connection. */
  destroy(): void {
    this.stop();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", ignore);
    socket.once("close", () => this.#sockets.delete(socket));
    const { reverse } = this.#options;
    const mode: ConnectionMode = reverse === undefined
      ? { kind: "forward" }
      : { kind: "reverse", upstream: reverse };
    this.#look(socket, EMPTY, mode);
  }

  /** Leads a connection on, of which a server has read the first requests and then let go. */
  resume(socket: Socket, first: Uint8Array, mode: ConnectionMode): void {
    this.#look(socket, first, mode);
  }

  /** Reads until it is clear what a client speaks, then leads the connection on. */
  #look(socket: Socket, first: Uint8Array, mode: ConnectionMode): void {
    let bytes = first;
    let looked = 0;
    let isLineSeen = false;
    const done = (): void => {
      socket.setTimeout(0);
      socket.off("timeout", onTimeout);
      socket.off("data", onData);
      socket.off("end", onEnd);
      socket.pause();
    };
    const onTimeout = (): void => void socket.destroy();
    const onEnd = (): void => void socket.destroy();
    const onData = this.#options.guard.handler((chunk: Uint8Array) => {
      bytes = bytes.length === 0 ? chunk : concat(bytes, chunk);
      decide();
    }, () => socket.destroy());
    const decide = (): void => {
      if (bytes.length === 0) return;
      // A head may come byte by byte, so all of it is looked at only when it may tell more than before.
      const tellsMore = looked === 0 || bytes.length >= LONGEST_HEAD ||
        (isLineSeen ? hasBlankLine(bytes, looked - 3) : bytes.includes(LINE_FEED, looked));
      looked = bytes.length;
      if (!tellsMore) return;
      isLineSeen ||= bytes.includes(LINE_FEED);
      const lead = this.#lead(socket, bytes, mode);
      if (lead === undefined) return;
      done();
      lead();
    };
    socket.setTimeout(TIMEOUT);
    socket.on("timeout", onTimeout);
    socket.on("end", onEnd);
    socket.on("data", onData);
    socket.resume();
    decide();
  }

  /** The action for a connection that begins with these bytes; undefined if more are needed. */
  #lead(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): (() => void) | undefined {
    if (bytes[0] === TLS_HANDSHAKE) return () => this.#leadSecure(socket, bytes, mode);
    const text = headText(bytes);
    const line = /^[^\r\n]*(?=\r?\n)/.exec(text)?.[0];
    if (line === undefined && bytes.length < LONGEST_HEAD) return undefined;
    // Whatever is meant as a request is read, and refused if that can't be done; other protocols pass.
    const isHttp = line === undefined || line !== HTTP2_PREFACE && /\sHTTP\//i.test(line);
    // What was read beneath TLS must not go on in the open.
    if (!isHttp && mode.kind === "tunnel" && !mode.isSecure) {
      return () => this.#tunnel(socket, bytes, mode.server);
    }
    const end = /\r?\n\r?\n/.exec(text);
    if (end === null && bytes.length < LONGEST_HEAD && isHttp) return undefined;
    const authority = mode.kind === "forward" ? /^CONNECT (\S+) /.exec(line ?? "")?.[1] : undefined;
    if (authority !== undefined) {
      const rest = bytes.subarray(end === null ? bytes.length : end.index + end[0].length);
      const head = text.slice(0, end?.index);
      // Servers could take either for the one that is meant (RFC 9112, section 3.2).
      const hosts = head.match(/\nhost[ \t]*:/gi)?.length ?? 0;
      return () => {
        if (this.#options.isLoop(head)) refuse(socket, LOOP_SENTENCE, "508 Loop Detected");
        else this.#connect(socket, hosts > 1 ? "" : authority, rest);
      };
    }
    return () => {
      const upgrades = isWebSocketHead(text);
      const address = this.#options.inner.plain(mode, upgrades);
      if (upgrades || line === undefined) {
        void this.#relay(socket, bytes, address);
        return;
      }
      const { label, field } = this.#options.ended.newLabel();
      const head = withField(withoutOffer(bytes, text, end?.index), text, field);
      void this.#relay(socket, head, address, label);
    };
  }

  #connect(socket: Socket, authority: string, rest: Uint8Array): void {
    const server = parseHostAndPort(authority, 443);
    if (server === undefined) {
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      return;
    }
    if (!this.#options.isIntercepted(server)) {
      this.#tunnel(socket, rest, server, ESTABLISHED);
      return;
    }
    socket.write(ESTABLISHED);
    this.#look(socket, rest, { kind: "tunnel", server, isSecure: false });
  }

  #leadSecure(socket: Socket, bytes: Uint8Array, mode: ConnectionMode): void {
    if (mode.kind === "forward") {
      this.#options.onSecureClient();
      socket.destroy();
      return;
    }
    const secure: ConnectionMode = mode.kind === "tunnel" ? { ...mode, isSecure: true } : mode;
    void this.#relay(socket, bytes, this.#options.inner.secure(secure));
  }

  async #relay(
    socket: Socket,
    bytes: Uint8Array,
    address: Promise<InnerAddress>,
    label?: string,
  ): Promise<void> {
    try {
      const inner = await address;
      if (!socket.destroyed) this.#options.relayed.relay(socket, bytes, inner, label);
    } catch {
      // No socket is left: the client sees a closed connection, and may try again.
      socket.destroy();
    }
  }

  /** Passes a connection on untouched. */
  #tunnel(socket: Socket, bytes: Uint8Array, target: HostAndPort, answer?: string): void {
    this.#passThrough(socket, bytes, target, answer).catch((error) => {
      this.#options.guard.report(error);
      socket.destroy();
    });
  }

  async #passThrough(
    socket: Socket,
    bytes: Uint8Array,
    target: HostAndPort,
    answer: string | undefined,
  ): Promise<void> {
    let server: Socket;
    try {
      server = await this.#options.upstream.connect(target);
    } catch (error) {
      const failure = failureSentence(target, error);
      this.#options.onFailure(target, failure);
      if (answer === undefined) socket.destroy();
      else refuse(socket, failure.sentence);
      return;
    }
    if (socket.destroyed) {
      server.destroy();
      return;
    }
    endTogether(socket, server);
    if (answer !== undefined) socket.write(answer);
    if (bytes.length > 0) server.write(bytes);
    join(socket, server);
  }
}

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

function refuse(socket: Socket, sentence: string, status = "502 Bad Gateway"): void {
  socket.end(plainAnswer(status, `covtool proxy: ${sentence}\n`));
}

/**
 * Leaves out an offer to change to another protocol than WebSocket (curl and Java offer HTTP/2): servers may ignore
 * it, but that of Deno 2.7 ends the connection.
 */
function withoutOffer(bytes: Uint8Array, text: string, end: number | undefined): Uint8Array {
  const offer = /\r\nupgrade:[^\r\n]*/i.exec(text);
  if (offer === null || end === undefined || offer.index > end) return bytes;
  return concat(bytes.subarray(0, offer.index), bytes.subarray(offer.index + offer[0].length));
}

/** Adds a line after the first one. */
function withField(bytes: Uint8Array, text: string, field: string): Uint8Array {
  const start = text.indexOf("\n") + 1;
  const line = new TextEncoder().encode(field);
  return concat(concat(bytes.subarray(0, start), line), bytes.subarray(start));
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
  for (let offset = 0; offset < bytes.length && offset < LONGEST_HEAD; offset += 4096) {
    text += String.fromCharCode(...bytes.subarray(offset, Math.min(offset + 4096, LONGEST_HEAD)));
    if (text.includes("\n\r\n", Math.max(0, offset - 4))) break;
  }
  return text;
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function ignore(): void {}
