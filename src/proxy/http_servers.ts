import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import type { Authority, LeafCertificate } from "./authority.ts";
import { deferSessionClose, HTTP2_LIMITS, limitHttp2 } from "./limit_http2.ts";
import { ignore } from "./error_boundary.ts";
import { Exchange } from "./exchange.ts";
import { LOOP_SENTENCE } from "./loop_mark.ts";
import {
  fieldPairs,
  fieldValue,
  hasOtherCoding,
  isRepeated,
  lengthProblem,
} from "./header_fields.ts";
import {
  cutOffResponse,
  plainResponse,
  type ProxiedRequest,
  type ProxiedResponse,
  sendText,
} from "./send_response.ts";
import type { Services } from "./services.ts";
import { formatHostAndPort } from "../http/host_and_port.ts";
import { type ConnectionMode, resolveTarget, type Target } from "./target.ts";
import { passUpgrade } from "./upgrade.ts";

/** Takes back a connection after a refused upgrade, with the bytes that were read beyond its head. */
export type Resume = (client: Socket, first: Uint8Array, mode: ConnectionMode) => void;

/** The name in the certificate of the reverse proxy. */
const REVERSE_PROXY_NAME = "localhost";
/** Maximum number of servers; beyond it, the least recently used one is closed. */
const MAX_SERVERS = 256;
const MAX_HEADER_SIZE = 256 * 1024;
/** The limit over TLS with HTTP/1.1: after a longer head, Deno 2.9 may miss the connection's next request. */
const MAX_SECURE_HEADER_SIZE = 60 * 1024;
/** Milliseconds. Clients keep connections to a proxy longer than connections to a server. */
const KEEP_ALIVE = 75_000;
/** Milliseconds. Deno (2.9) keeps a client that leaves during the handshake until this timeout. */
const HANDSHAKE_TIMEOUT = 20_000;

type EitherServer = Server | Http2SecureServer;

/** Has one server for each kind of connection and, for tunnels, each target. The front passes connections to them. */
export class HttpServers {
  readonly #authority: Authority;
  readonly #services: Services;
  readonly #resume: Resume;
  readonly #servers = new Map<string, EitherServer>();
  readonly #leaves = new Map<string, LeafCertificate>();
  /** Open TLS connections, decrypted. */
  readonly #secureSockets = new Set<Socket>();

  constructor(authority: Authority, services: Services, resume: Resume) {
    this.#authority = authority;
    this.#services = services;
    this.#resume = resume;
  }

  /**
   * Serves HTTP/1.1 requests on a connection.
   *
   * @param initial The bytes that were already read.
   * @param upgrades Whether the first request upgrades to another protocol. If not, older runtimes ignore later
   * upgrades, as their requests may have a body.
   */
  servePlain(socket: Socket, initial: Uint8Array, mode: ConnectionMode, upgrades: boolean): void {
    const make = (): Server => this.#createPlainServer(mode, upgrades);
    const server = this.#findOrStart(`${upgrades ? "ws" : "http"} ${modeName(mode)}`, make);
    // After the client's end of a connection, Deno 2.7 breaks it at the second write of several buffers at once.
    if ("Deno" in globalThis) socket.once("end", () => Object.assign(socket, { _writev: null }));
    server.emit("connection", socket);
    socket.resume();
    // Deno's server reads directly from the connection, so bytes put back by unshift() could arrive out of order.
    if (initial.length > 0) {
      socket.emit("data", Buffer.from(initial.buffer, initial.byteOffset, initial.byteLength));
    }
  }

  /** Serves requests over TLS, with HTTP/2 or HTTP/1.1. The certificate is for the server of the mode. */
  serveSecure(socket: Socket, initial: Uint8Array, mode: ConnectionMode): void {
    const key = `https ${modeName(mode)}`;
    const leaf = this.#leaves.get(key);
    const now = Date.now();
    // A session can outlast a certificate, and the clock can be changed.
    if (leaf !== undefined && (now < leaf.notBefore.getTime() || now >= leaf.notAfter.getTime())) {
      this.#closeServer(key);
    }
    const server = this.#findOrStart(key, () => this.#createSecureServer(mode, key));
    // TLS 1.2 has no half-closed connections: an end means that the client has gone.
    socket.allowHalfOpen = false;
    socket.unshift(initial);
    server.emit("connection", socket);
  }

  endSecure(): void {
    for (const socket of this.#secureSockets) socket.end();
  }

  close(): void {
    for (const key of [...this.#servers.keys()]) this.#closeServer(key);
  }

  #findOrStart(key: string, make: () => EitherServer): EitherServer {
    const server = this.#servers.get(key) ?? startServer(make());
    // Moves the server to the end, so that the first one is the least recently used.
    this.#servers.delete(key);
    this.#servers.set(key, server);
    if (this.#servers.size > MAX_SERVERS) {
      const [oldest] = this.#servers.keys();
      if (oldest !== undefined) this.#closeServer(oldest);
    }
    return server;
  }

  #closeServer(key: string): void {
    // Connections with requests in progress stay open.
    this.#servers.get(key)?.close();
    this.#servers.delete(key);
    this.#leaves.delete(key);
  }

  #createPlainServer(mode: ConnectionMode, upgrades: boolean): Server {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_SIZE,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout: 0,
      noDelay: true,
    });
    // Clients may end their side of a connection after their requests and wait for responses (RFC 9112, section 9.6).
    Object.assign(server, { httpAllowHalfOpen: true });
    this.#serve(server, mode);
    // An upgrade may also follow other requests. Older runtimes would accept upgrades to any protocol.
    const mayFollow = "shouldUpgradeCallback" in server;
    if (mayFollow) Object.assign(server, { shouldUpgradeCallback: isWebSocketRequest });
    if (upgrades || mayFollow) this.#acceptUpgrades(server, mode);
    return server;
  }

  #createSecureServer(mode: ConnectionMode, key: string): Http2SecureServer {
    const host = mode.kind === "tunnel" ? mode.server.host : REVERSE_PROXY_NAME;
    const leaf = this.#authority.issueLeaf(host, new Date());
    this.#leaves.set(key, leaf);
    const server = createSecureServer({
      cert: leaf.certificate + this.#authority.certificate,
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
    this.#acceptUpgrades(server, mode);
    deferSessionClose(server);
    limitHttp2(server, () => this.#services.reportExcess(host));
    server.on("sessionError", ignore);
    server.on("secureConnection", (socket: Socket) => {
      this.#secureSockets.add(socket);
      socket.once("close", () => this.#secureSockets.delete(socket));
    });
    server.on(
      "tlsClientError",
      this.#services.boundary.handler((error: Error & { readonly code?: unknown }) => {
        this.#services.reportRefusedCertificate(host, `${error.code ?? ""} ${error.message}`);
      }, ignore),
    );
    return server;
  }

  #serve(server: EitherServer, mode: ConnectionMode): void {
    const { boundary } = this.#services;
    const serve = (request: ProxiedRequest, response: ProxiedResponse): void => {
      const fail = (): void => cutOffResponse(response);
      const begin = (): void => boundary.run(() => this.#onRequest(request, response, mode), fail);
      if (!("stream" in request)) begin();
      else {
        // A client may cancel requests right after sending them, hundreds at once: these must not open connections.
        const { stream } = request;
        setImmediate(() => stream.destroyed || begin());
      }
    };
    const untyped = server as Server;
    untyped.on("request", serve);
    untyped.on("checkContinue", serve);
    untyped.on("clientError", (_error: unknown, socket: Socket) => {
      boundary.run(() => {
        if (socket.writable && "_httpMessage" in socket === false) {
          socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        } else socket.destroy();
      }, () => socket.destroy());
    });
    untyped.on("connect", (_request: unknown, socket: Socket) => {
      // Only the front opens tunnels: a client needs a separate connection for each.
      socket.destroy();
    });
  }

  #acceptUpgrades(server: EitherServer, mode: ConnectionMode): void {
    const untyped = server as Server;
    const services = this.#services;
    untyped.on("upgrade", (request: IncomingMessage, socket: Socket, head: Uint8Array) => {
      services.boundary.run(() => {
        const target = resolveTarget(mode, request.url ?? "");
        const refusal = findRefusal(request);
        if (target === undefined) socket.destroy();
        else if (services.isLoop(request.rawHeaders)) {
          socket.end(plainResponse("508 Loop Detected", `covtool proxy: ${LOOP_SENTENCE}\n`));
        } else if (refusal !== undefined) {
          const { status, text } = refusal;
          socket.end(plainResponse(`${status} ${STATUS_CODES[status]}`, text));
        } else if (!this.#isServed(request, target)) {
          socket.end(plainResponse("421 Misdirected Request", FOREIGN_HOST));
        } else {
          const resume = (first: Uint8Array): void => this.#resume(socket, first, mode);
          passUpgrade({ request, client: socket, head, target, resume }, services);
        }
      }, () => socket.destroy());
    });
  }

  #onRequest(request: ProxiedRequest, response: ProxiedResponse, mode: ConnectionMode): void {
    const services = this.#services;
    const refusal = findRefusal(request);
    if (refusal !== undefined) {
      sendText(response, refusal.status, refusal.text, true);
      return;
    }
    const target = resolveTarget(mode, request.url ?? "");
    if (services.isLoop(request.rawHeaders)) {
      sendText(response, 508, `covtool proxy: ${LOOP_SENTENCE}\n`, true);
    } else if (target === undefined || services.isProxyItself(target)) {
      sendText(response, 400, services.usageText(), true);
    } else if (!this.#isServed(request, target)) sendText(response, 421, FOREIGN_HOST, true);
    else new Exchange(request, response, target, services);
  }

  #isServed({ rawHeaders }: ProxiedRequest, { authority }: Target): boolean {
    const host = authority ?? fieldValue(rawHeaders, ":authority") ??
      fieldValue(rawHeaders, "host");
    return host === undefined || this.#services.isAllowedHost(host);
  }
}

/** Prepares a server for connections that are passed to it. */
function startServer<Either extends EitherServer>(server: Either): Either {
  // Deno (2.7 to 2.9) closes a connection after each response if the server isn't listening.
  Object.defineProperty(server, "listening", { value: true });
  // Starts the timeouts for request heads.
  server.emit("listening");
  return server;
}

/** Servers could take either `Host` for the one that is meant (RFC 9112, section 3.2). */
const TWO_HOSTS = "covtool proxy: The request has two Host fields. Send one.\n";

/** The runtimes take a request without a version for HTTP/0.9, and accept `HTTP/2.0`, which is invalid in HTTP/1. */
const WRONG_VERSION =
  "covtool proxy: The request names no version of HTTP, or one that it isn't written in. Use HTTP/1.1.\n";

/** The proxy removes chunks, and another coding would remain that no header names (RFC 9112, section 6.1). */
const OTHER_CODING =
  "covtool proxy: The request has a Transfer-Encoding other than chunked. Use Content-Encoding to compress a body.\n";

/** The reverse proxy replaces `Host`, so the server could not reject a foreign name (DNS rebinding) itself. */
const FOREIGN_HOST =
  "covtool proxy: The Host of this request could be that of a web site, which must not reach servers of this machine. Use localhost, or start the proxy with --host 127.0.0.1 to allow every name.\n";

/** Returns the response to a request that is invalid or ambiguous; undefined for all others. */
function findRefusal(request: ProxiedRequest) {
  const { rawHeaders, httpVersionMajor } = request;
  if (isRepeated(rawHeaders, "host")) return { status: 400, text: TWO_HOSTS };
  if (!("stream" in request) && httpVersionMajor !== 1) return { status: 505, text: WRONG_VERSION };
  if (hasOtherCoding(rawHeaders)) return { status: 501, text: OTHER_CODING };
  const fault = lengthProblem(rawHeaders);
  if (fault === undefined) return undefined;
  return { status: 400, text: `covtool proxy: The Content-Length of the request ${fault}.\n` };
}

function modeName(mode: ConnectionMode): string {
  if (mode.kind !== "tunnel") return mode.kind;
  return `${mode.isSecure ? "secure " : ""}${formatHostAndPort(mode.server)}`;
}

/** True if a head asks for an upgrade to WebSocket, without a body. */
export function isWebSocketHead(head: string): boolean {
  if (/\r\n(?:transfer-encoding:|content-length:[ \t]*0*[1-9])/i.test(head)) return false;
  return /\r\nupgrade:[ \t]*websocket[ \t]*\r\n/i.test(head);
}

function isWebSocketRequest({ rawHeaders }: IncomingMessage): boolean {
  const lines = fieldPairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return isWebSocketHead(`\r\n${lines.join("")}`);
}
