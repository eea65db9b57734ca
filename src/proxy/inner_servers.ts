import { Buffer } from "node:buffer";
import { rmdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { rm } from "node:fs/promises";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers";
import { makeTemporaryFolder, TemporaryFolderError } from "../files/make_temporary_folder.ts";
import { missingPermission } from "../files/missing_permission.ts";
import type { Authority, LeafCertificate } from "./authority.ts";
import type { EndedClients } from "./ended_clients.ts";
import { endSessionsLater } from "./end_sessions_later.ts";
import { Exchange } from "./exchange.ts";
import { HTTP2_LIMITS, limitHttp2 } from "./limit_http2.ts";
import { LOOP_SENTENCE } from "./loop_mark.ts";
import { fieldValue, hasOtherCoding, isRepeated, lengthProblem } from "./header_fields.ts";
import { plainAnswer } from "./plain_answer.ts";
import type { ProxiedRequest, ProxiedResponse } from "./proxied_message.ts";
import { breakOff, sendText } from "./send_text.ts";
import type { Services } from "./services.ts";
import { isGranted } from "../files/is_granted.ts";
import { requireNet } from "../files/net_permission.ts";
import { formatHostAndPort } from "../http/host_and_port.ts";
import type { InnerAddress, RelayedConnections } from "./relayed_connections.ts";
import { type ConnectionMode, type Target, targetOf } from "./target.ts";
import { passUpgrade } from "./upgrade.ts";

/** Dependencies of {@linkcode InnerServers}. */
export interface InnerServerOptions {
  readonly authority: Authority;
  readonly relayed: RelayedConnections;
  readonly ended: EndedClients;
  readonly services: Services;
  /** Takes back a connection that a server has given up, together with the bytes that it read too many. */
  resume(client: Socket, first: Uint8Array, mode: ConnectionMode): void;
  /** Called when a client ends the TLS handshake, which is how it rejects a certificate. */
  onRefused(host: string, reason: string): void;
  /** Called when the HTTP/2 connection of a client that asks for too much is closed. */
  onExcess(host: string): void;
}

const LOOPBACK = "127.0.0.1";
/** In the reverse proxy, clients that speak TLS reach it under this name. */
const OWN_NAME = "localhost";
/** Servers that are kept; the one that was used longest ago makes room. */
const MOST_SERVERS = 256;
const MAX_HEADER_SIZE = 256 * 1024;
/** The same over TLS, with HTTP/1.1: behind a longer head, Deno 2.9 may miss the next request of the connection. */
const MAX_SECURE_HEADER_SIZE = 60 * 1024;
/** Clients keep connections to a proxy longer than those to a server, in milliseconds. */
const KEEP_ALIVE = 75_000;
/**
 * Milliseconds for the TLS handshake. Deno (2.9) holds on to a client that leaves during it until this is over, which
 * by default is 120 seconds.
 */
const HANDSHAKE_TIMEOUT = 20_000;
/** Bytes of the longest path that every system lets a socket have, without the NUL at its end. */
const LONGEST_PATH = 103;
/** Room for the number of a socket in its path. */
const NUMBER_LENGTH = 8;

interface Listening {
  readonly server: NetServer;
  readonly address: InnerAddress;
}

/**
 * The servers that read HTTP: one for each kind of connection and, inside tunnels, for each server that they lead to.
 * They listen on sockets in a folder that only this user can look into; on Windows, and where no temporary folder can
 * hold sockets, on ports of the loopback interface, where they serve only what the front leads to them.
 */
export class InnerServers {
  readonly #options: InnerServerOptions;
  readonly #listening = new Map<string, Promise<Listening>>();
  /** When the certificates of those that speak TLS are good. */
  readonly #leaves = new Map<string, LeafCertificate>();
  /** The folder for sockets; null where they listen on ports, undefined as long as nothing listens. */
  #folder: string | null | undefined;
  #count = 0;

  /** Nothing listens before it is asked for. */
  constructor(options: InnerServerOptions) {
    this.#options = options;
  }

  /** Servers that listen. */
  get size(): number {
    return this.#listening.size;
  }

  /**
   * The address of the server that reads HTTP/1.1.
   *
   * @param upgrades Whether the connection changes its protocol; where not, an offer to change it is ignored, as it
   * may come with a body.
   */
  async plain(mode: ConnectionMode, upgrades: boolean): Promise<InnerAddress> {
    const make = (): Server => this.#plainServer(mode, upgrades);
    return await this.#address(`${upgrades ? "ws" : "http"} ${nameOf(mode)}`, make);
  }

  /** The address of the server that speaks TLS, with HTTP/2 or HTTP/1.1, in the name of the mode's server. */
  async secure(mode: ConnectionMode): Promise<InnerAddress> {
    const key = `https ${nameOf(mode)}`;
    const leaf = this.#leaves.get(key);
    const now = Date.now();
    // A session may be longer than a certificate is good, and clocks are set.
    if (leaf !== undefined && (now < leaf.notBefore.getTime() || now >= leaf.notAfter.getTime())) {
      this.#forget(key);
    }
    return await this.#address(key, () => this.#secureServer(mode, key));
  }

  /** Ends all of them; connections are the front's to end. */
  async close(): Promise<void> {
    const all = [...this.#listening.values()];
    this.#listening.clear();
    for (const listening of all) {
      const { server } = await listening;
      (server as Server).closeAllConnections?.();
      server.close();
    }
    if (typeof this.#folder === "string") await rm(this.#folder, { recursive: true, force: true });
  }

  async #address(key: string, make: () => NetServer): Promise<InnerAddress> {
    let listening = this.#listening.get(key);
    // Moves to the end: the first one is then the one that was used longest ago.
    if (listening !== undefined) this.#listening.delete(key);
    else listening = this.#listen(make());
    this.#listening.set(key, listening);
    if (this.#listening.size > MOST_SERVERS) {
      const [oldest] = this.#listening.keys();
      if (oldest !== undefined) this.#forget(oldest);
    }
    return (await listening).address;
  }

  #forget(key: string): void {
    const listening = this.#listening.get(key);
    this.#listening.delete(key);
    this.#leaves.delete(key);
    // Connections that are open stay.
    void listening?.then(({ server }) => server.close());
  }

  #plainServer(mode: ConnectionMode, upgrades: boolean): Server {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_SIZE,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout: 0,
      noDelay: true,
    });
    this.#serve(server, mode);
    if (upgrades) this.#takeUpgrades(server, mode);
    return server;
  }

  #secureServer(mode: ConnectionMode, name: string): Http2SecureServer {
    const host = mode.kind === "tunnel" ? mode.server.host : OWN_NAME;
    const leaf = this.#options.authority.leaf(host, new Date());
    this.#leaves.set(name, leaf);
    const server = createSecureServer({
      cert: leaf.certificate + this.#options.authority.certificate,
      key: leaf.key,
      allowHTTP1: true,
      maxHeaderListPairs: 1000,
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      ...HTTP2_LIMITS,
      settings: { ...HTTP2_LIMITS.settings, maxHeaderListSize: MAX_HEADER_SIZE },
    });
    Object.assign(server, {
      maxHeaderSize: MAX_SECURE_HEADER_SIZE,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout: 0,
    });
    this.#serve(server, mode);
    this.#takeUpgrades(server, mode);
    endSessionsLater(server);
    limitHttp2(server, () => this.#options.onExcess(host));
    server.on("sessionError", ignore);
    const { guard } = this.#options.services;
    server.on(
      "tlsClientError",
      guard.handler((error: Error & { readonly code?: unknown }) => {
        this.#options.onRefused(host, `${error.code ?? ""} ${error.message}`);
      }, ignore),
    );
    return server;
  }

  #serve(server: Server | Http2SecureServer, mode: ConnectionMode): void {
    const { guard } = this.#options.services;
    const serve = (request: ProxiedRequest, response: ProxiedResponse): void => {
      const fail = (): void => breakOff(response);
      const begin = (): void => guard.run(() => this.#onRequest(request, response, mode), fail);
      if (!("stream" in request)) begin();
      else {
        // Its client may cancel it in the same breath, hundreds of times: that must not open a connection to a server.
        const { stream } = request;
        setImmediate(() => stream.destroyed || begin());
      }
    };
    const either = server as Server;
    either.on("request", serve);
    either.on("checkContinue", serve);
    either.on("clientError", (_error: unknown, socket: Socket) => {
      guard.run(() => {
        if (socket.writable && "_httpMessage" in socket === false) {
          socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        } else socket.destroy();
      }, () => socket.destroy());
    });
    either.on("connect", (_request: unknown, socket: Socket) => {
      // Only the front opens tunnels: a client that wants one opens a connection for it.
      socket.destroy();
    });
  }

  #takeUpgrades(server: Server | Http2SecureServer, mode: ConnectionMode): void {
    const either = server as Server;
    const { services } = this.#options;
    either.on("upgrade", (request: IncomingMessage, socket: Socket, head: Uint8Array) => {
      services.guard.run(() => {
        const target = this.#isOurs(request) ? targetOf(mode, request.url ?? "") : undefined;
        const refusal = refusalOf(request);
        if (target === undefined) socket.destroy();
        else if (this.#isLoop(request)) {
          socket.end(plainAnswer("508 Loop Detected", `covtool proxy: ${LOOP_SENTENCE}\n`));
        } else if (refusal !== undefined) {
          const { status, text } = refusal;
          socket.end(plainAnswer(`${status} ${STATUS_CODES[status]}`, text));
        } else if (!this.#isServed(request, target)) {
          socket.end(plainAnswer("421 Misdirected Request", FOREIGN_HOST));
        } else {
          const resume = (first: Uint8Array): void => this.#options.resume(socket, first, mode);
          passUpgrade({ request, client: socket, head, target, resume }, services);
        }
      }, () => socket.destroy());
    });
  }

  #onRequest(request: ProxiedRequest, response: ProxiedResponse, mode: ConnectionMode): void {
    const { services } = this.#options;
    if (!this.#isOurs(request)) {
      request.socket.destroy();
      return;
    }
    this.#options.ended.takeLabel(request.rawHeaders, request.socket);
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      sendText(response, refusal.status, refusal.text, true);
      return;
    }
    const target = targetOf(mode, request.url ?? "");
    if (this.#isLoop(request)) sendText(response, 508, `covtool proxy: ${LOOP_SENTENCE}\n`, true);
    else if (target === undefined || services.isOwn(target)) {
      sendText(response, 400, services.explanation(), true);
    } else if (!this.#isServed(request, target)) sendText(response, 421, FOREIGN_HOST, true);
    else new Exchange(request, response, target, services);
  }

  #isLoop(request: ProxiedRequest): boolean {
    const { mark, onLoop } = this.#options.services;
    if (!mark.isIn(request.rawHeaders)) return false;
    onLoop();
    return true;
  }

  #isServed({ rawHeaders }: ProxiedRequest, { authority }: Target): boolean {
    const named = authority ?? fieldValue(rawHeaders, ":authority") ??
      fieldValue(rawHeaders, "host");
    return named === undefined || this.#options.services.isServedAs(named);
  }

  #isOurs(request: ProxiedRequest): boolean {
    return this.#folder !== null || this.#options.relayed.has(request.socket.remotePort);
  }

  async #listen(server: NetServer): Promise<Listening> {
    if (this.#folder === undefined) this.#folder = socketFolder();
    const where = this.#folder === null
      ? { port: 0, host: LOOPBACK }
      : { path: join(this.#folder, String(this.#count++)) };
    // Deno would end the process.
    if (this.#folder === null) requireNet(`${LOOPBACK}:0`);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(where, () => {
        server.off("error", reject);
        resolve();
      });
    });
    server.on("error", ignore);
    const address = "path" in where
      ? { path: where.path }
      : { host: LOOPBACK, port: (server.address() as AddressInfo).port };
    return { server, address };
  }
}

/** A folder for sockets that only this user can look into; null where none can hold them. */
function socketFolder(): string | null {
  // Deno permits sockets in folders one by one only, or with the whole network.
  if (process.platform === "win32" || !isGranted({ name: "net" })) return null;
  let folder: string;
  try {
    folder = makeTemporaryFolder("net");
  } catch (error) {
    if (error instanceof TemporaryFolderError || missingPermission(error) !== undefined) {
      return null;
    }
    throw error;
  }
  if (Buffer.byteLength(folder) + NUMBER_LENGTH <= LONGEST_PATH) return folder;
  rmdirSync(folder);
  return null;
}

/** Servers could take either for the one that is meant (RFC 9112, section 3.2). */
const TWO_HOSTS = "covtool proxy: The request has two Host fields. Send one.\n";

/**
 * The runtimes take a request without a version for one of HTTP/0.9, which has neither fields nor a body, and read
 * `HTTP/2.0`, which no request line has (RFC 9113, section 3).
 */
const OTHER_VERSION =
  "covtool proxy: The request names no version of HTTP, or one that it isn't written in. Use HTTP/1.1.\n";

/** What is taken out of chunks would lack a coding that nobody has undone (RFC 9112, section 6.1). */
const OTHER_CODING =
  "covtool proxy: The request has a Transfer-Encoding other than chunked. Use Content-Encoding to compress a body.\n";

/** Its server would answer to a name that it does not know as its own, since it gets another. */
const FOREIGN_HOST =
  "covtool proxy: The Host of this request could be that of a web site, which must not reach servers of this machine. Use localhost, or start the proxy with --host 127.0.0.1 to allow every name.\n";

/** The answer to a request that servers could take differently, or not at all; undefined for all others. */
function refusalOf(
  request: ProxiedRequest,
): { readonly status: number; readonly text: string } | undefined {
  const { rawHeaders, httpVersionMajor } = request;
  if (isRepeated(rawHeaders, "host")) return { status: 400, text: TWO_HOSTS };
  if (!("stream" in request) && httpVersionMajor !== 1) return { status: 505, text: OTHER_VERSION };
  if (hasOtherCoding(rawHeaders)) return { status: 501, text: OTHER_CODING };
  const lengthIs = lengthProblem(rawHeaders);
  if (lengthIs === undefined) return undefined;
  return { status: 400, text: `covtool proxy: The Content-Length of the request ${lengthIs}.\n` };
}

/** A name for each mode; servers are kept under it. */
function nameOf(mode: ConnectionMode): string {
  if (mode.kind !== "tunnel") return mode.kind;
  return `${mode.isSecure ? "secure " : ""}${formatHostAndPort(mode.server)}`;
}

/**
 * True if the head of a request asks for another protocol that the proxy passes on. One with a body does not: that is
 * read first.
 */
export function isWebSocketHead(head: string): boolean {
  if (/\r\n(?:transfer-encoding:|content-length:[ \t]*0*[1-9])/i.test(head)) return false;
  return /\r\nupgrade:[ \t]*websocket[ \t]*\r\n/i.test(head);
}

function ignore(): void {}
