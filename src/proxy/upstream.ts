import { latin1Bytes } from "../http/body_text.ts";
import { decodeUri } from "../values/escapes.ts";
import {
  Agent as HttpAgent,
  type AgentOptions,
  type ClientRequest,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { lookup } from "node:dns";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { trustedAuthorities } from "../files/authorities.ts";
import { errorCode } from "../files/files.ts";
import { dateError } from "./describe_failure.ts";
import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../http/host_and_port.ts";

/** A request with the bytes that its reused connection had received before. A map would cost a sixth of the speed. */
type ReusedRequest = ClientRequest & { [RECEIVED_BEFORE]?: number };

const RECEIVED_BEFORE = Symbol("received before");

/**
 * Marks a request as sent on a reused connection. Agents call this after `reuseSocket()`.
 *
 * Deno (2.7 to 2.9) sends a request again by itself if a reused connection ends without a response: with any method,
 * after parts of a response, and for clients that have gone. It recognizes a reused connection by `reusedSocket`, so
 * that is set to false.
 */
function markReused(connection: Duplex, request: ClientRequest): void {
  (request as ReusedRequest)[RECEIVED_BEFORE] = (connection as Socket).bytesRead;
  request.reusedSocket = false;
}

/** True if a request was sent on a reused connection and no byte came back. */
export function isUnansweredReuse(request: ClientRequest): boolean {
  const before = (request as ReusedRequest)[RECEIVED_BEFORE];
  return before !== undefined && request.socket?.bytesRead === before;
}

export interface UpstreamOptions {
  readonly insecure?: boolean | undefined;
  /** The URL of the upstream proxy: `http://user:password@proxy.example:3128`. */
  readonly upstreamProxy?: string | undefined;
  readonly via?: string | undefined;
}

export interface UpstreamRequest extends HostAndPort {
  readonly isSecure: boolean;
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  /** Names and values alternately. */
  readonly fields: readonly string[];
  readonly onNewConnection?: boolean | undefined;
}

type WriteCallback = (error?: Error | null) => void;

interface UpstreamProxy extends HostAndPort {
  /** The value of Proxy-Authorization. */
  readonly credentials: string | undefined;
}

/** Milliseconds. Servers usually close idle connections after 5 s or more; a request sent at that moment fails. */
const IDLE_TIMEOUT = 1000;
const MAX_HEADER_SIZE = 256 * 1024;
const CONNECT_TIMEOUT = 30_000;
/** Milliseconds to read a response after sending has failed: the server may have sent it before. */
const READ_TIMEOUT = 100;

/** The connections to servers, kept alive and shared by all clients. */
export class Upstream {
  readonly #via: string | undefined;
  readonly #isInsecure: boolean;
  readonly #proxy: UpstreamProxy | undefined;
  readonly #plainAgent: HttpAgent;
  readonly #secureAgent: HttpsAgent;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The bytes that idle connections had received at the last check. */
  #idleSockets: ReadonlyMap<Socket, number> = new Map();

  /** @throws {TypeError} if the URL of the upstream proxy cannot be used. */
  constructor(options: UpstreamOptions = {}) {
    this.#via = options.via;
    this.#isInsecure = options.insecure === true;
    this.#proxy = options.upstreamProxy === undefined
      ? undefined
      : parseUpstreamProxy(options.upstreamProxy);
    const settings: AgentOptions = { keepAlive: true, maxFreeSockets: 512 };
    this.#plainAgent = watchConnections(new HttpAgent(settings));
    this.#secureAgent = watchConnections(new HttpsAgent(settings));
    if (this.#proxy !== undefined) {
      // The types have only agents that create connections synchronously.
      const connect: unknown = this.#connectThrough;
      this.#secureAgent.createConnection = connect as HttpsAgent["createConnection"];
    }
  }

  get proxy(): HostAndPort | undefined {
    return this.#proxy;
  }

  /** Closes connections that were not used since the last check. A timer for each connection would cost more. */
  #closeIdleConnections(): void {
    const idle = new Map<Socket, number>();
    for (const agent of [this.#plainAgent, this.#secureAgent]) {
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of [...sockets ?? []]) {
          const { bytesRead } = socket;
          if (this.#idleSockets.get(socket) === bytesRead) socket.destroy();
          else idle.set(socket, bytesRead);
        }
      }
    }
    this.#idleSockets = idle;
  }

  /** Starts a request. The caller writes the body and ends it. */
  request(request: UpstreamRequest): ClientRequest {
    this.#timer ??= setInterval(() => this.#closeIdleConnections(), IDLE_TIMEOUT);
    const { isSecure, onNewConnection } = request;
    const proxy = isSecure ? undefined : this.#proxy;
    const fields = [...request.fields];
    if (this.#via !== undefined) fields.push("Via", this.#via);
    if (proxy?.credentials !== undefined) fields.push("Proxy-Authorization", proxy.credentials);
    const settings = {
      host: proxy?.host ?? request.host,
      port: proxy?.port ?? request.port,
      method: request.method,
      path: proxy === undefined
        ? request.path
        : `http://${formatHostAndPort(request, 80)}${request.path}`,
      headers: fields,
      setHost: false,
      maxHeaderSize: MAX_HEADER_SIZE,
      joinDuplicateHeaders: false,
      noDelay: true,
      ...(proxy === undefined && resolveLocalNames(request.host)),
    };
    if (!isSecure) {
      return httpRequest({
        ...settings,
        agent: onNewConnection === true ? false : this.#plainAgent,
      });
    }
    return httpsRequest({
      ...settings,
      // A tunnel of the upstream proxy is always new.
      agent: onNewConnection === true && this.#proxy === undefined ? false : this.#secureAgent,
      ...tlsSettings(request.host, this.#isInsecure),
    });
  }

  /** Opens a connection to a server, through the upstream proxy if there is one. */
  async connect(target: HostAndPort): Promise<Socket> {
    const proxy = this.#proxy;
    const { host, port } = proxy ?? target;
    const socket = connect({ host, port, ...(proxy === undefined && resolveLocalNames(host)) });
    socket.setNoDelay(true);
    try {
      await waitForConnection(socket);
      if (proxy !== undefined) await openTunnel(socket, target, proxy, this.#via);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  readonly #connectThrough = (
    { host, port }: HostAndPort,
    callback: (error: unknown, socket?: Socket) => void,
  ): void => {
    this.connect({ host, port: Number(port) }).then(
      (socket) => callback(null, connectTls({ socket, ...tlsSettings(host, this.#isInsecure) })),
      callback,
    );
  };

  async connectTls(target: HostAndPort, isInsecure = this.#isInsecure): Promise<TLSSocket> {
    const socket = await this.connect(target);
    const secure = connectTls({ socket, ...tlsSettings(target.host, isInsecure) });
    await waitForConnection(secure, "secureConnect");
    return secure;
  }

  /** Finds what is wrong with a server's certificate if an error doesn't say it. Sends no request. */
  async clarify(target: HostAndPort, error: unknown): Promise<unknown> {
    // It may have expired: Deno says only that it cannot verify the certificate.
    if (errorCode(error) !== "UNABLE_TO_VERIFY_LEAF_SIGNATURE") return error;
    try {
      const secure = await this.connectTls(target, true);
      const dates = secure.getPeerCertificate();
      secure.destroy();
      return dateError(dates, Date.now()) ?? error;
    } catch {
      return error;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#plainAgent.destroy();
    this.#secureAgent.destroy();
  }
}

function watchConnections<Agent extends HttpAgent>(agent: Agent): Agent {
  const { createConnection, reuseSocket } = agent;
  agent.createConnection = (...settings) => {
    const connection = Reflect.apply(createConnection, agent, settings);
    if (connection) delayWriteErrors(connection);
    return connection;
  };
  // All requests of an agent have the same settings, so connections differ only by their server.
  agent.getName = (options) => `${options?.host}:${options?.port}`;
  agent.reuseSocket = (connection, request): void => {
    Reflect.apply(reuseSocket, agent, [connection, request]);
    markReused(connection, request);
  };
  return agent;
}

/**
 * Delays errors of writes until the response could be read: a server may reject a long body before all of it has
 * arrived, and close the connection.
 */
function delayWriteErrors(connection: Duplex): void {
  const wait = (done: WriteCallback): WriteCallback => (error) => {
    if (error) setTimeout(() => done(error), READ_TIMEOUT);
    else done();
  };
  const { _write, _writev } = connection;
  connection._write = (chunk, encoding, done) =>
    Reflect.apply(_write, connection, [chunk, encoding, wait(done)]);
  if (_writev) {
    connection._writev = (chunks, done) => Reflect.apply(_writev, connection, [chunks, wait(done)]);
  }
}

/** Resolves names below `localhost` to this machine (RFC 6761, section 6.3), which many systems don't do. */
function resolveLocalNames(host: string): { readonly lookup?: LookupFunction } {
  if (!/\.localhost\.?$/i.test(host)) return {};
  return { lookup: (_name, options, callback) => lookup("localhost", options, callback as never) };
}

/** Returns the TLS options. An IP address must not be sent as the server name (RFC 6066, section 3). */
function tlsSettings(host: string, isInsecure: boolean) {
  const ca = isInsecure ? undefined : trustedAuthorities();
  return {
    ...(ca !== undefined && { ca }),
    host,
    servername: isIP(host) === 0 ? host : "",
    rejectUnauthorized: !isInsecure,
    ALPNProtocols: ["http/1.1"],
  };
}

function parseUpstreamProxy(text: string): UpstreamProxy {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const address = url?.protocol === "http:" ? parseHostAndPort(url.host, 80) : undefined;
  if (url === null || address === undefined) {
    throw new TypeError(
      // Not quoted: it may contain a password, even in the wrong place.
      "The URL of the upstream proxy cannot be used. Use one such as http://proxy.example:3128; where it requires a login, put user:password@ before the host.",
    );
  }
  const user = decodeUri(url.username);
  const password = decodeUri(url.password);
  return {
    ...address,
    credentials: user === "" && password === ""
      ? undefined
      : `Basic ${btoa(unescape(encodeURIComponent(`${user}:${password}`)))}`,
  };
}

function waitForConnection(
  socket: Socket,
  event: "connect" | "secureConnect" = "connect",
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" }));
    }, CONNECT_TIMEOUT);
    const done = (error?: Error): void => {
      clearTimeout(timer);
      socket.off("error", done);
      socket.off("close", closed);
      if (error === undefined) resolve();
      else reject(error);
    };
    const closed = (): void =>
      done(Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" }));
    socket.once(event, () => done());
    socket.once("error", done);
    socket.once("close", closed);
  });
}

/** Asks the upstream proxy for a tunnel (RFC 9110, section 9.3.6). */
function openTunnel(
  socket: Socket,
  target: HostAndPort,
  proxy: UpstreamProxy,
  via: string | undefined,
): Promise<void> {
  const authority = formatHostAndPort(target);
  const credentials = proxy.credentials === undefined
    ? ""
    : `Proxy-Authorization: ${proxy.credentials}\r\n`;
  const viaLine = via === undefined ? "" : `Via: ${via}\r\n`;
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${viaLine}${credentials}\r\n`,
  );
  return new Promise((resolve, reject) => {
    let head = "";
    const done = (error?: Error): void => {
      clearTimeout(timer);
      socket.off("data", onData);
      socket.off("error", done);
      socket.off("close", onClose);
      socket.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const refuse = (problem: string): void =>
      done(
        Object.assign(new Error(`the upstream proxy ${formatHostAndPort(proxy)} ${problem}`), {
          code: "EPROXY",
        }),
      );
    const timer = setTimeout(() => refuse("did not respond"), CONNECT_TIMEOUT);
    const onClose = (): void => refuse("closed the connection");
    const onData = (chunk: Uint8Array): void => {
      head += String.fromCharCode(...chunk);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0 && head.length < MAX_HEADER_SIZE) return;
      const status = /^HTTP\/1\.[01] (\d{3})[^\r\n]*/.exec(head);
      if (end < 0 || status?.[1]?.startsWith("2") !== true) {
        refuse(`responded "${status?.[0] ?? head.slice(0, 40)}"`);
      } else {
        done();
        // In some protocols, the server speaks first.
        const rest = head.slice(end + 4);
        if (rest !== "") socket.unshift(latin1Bytes(rest));
      }
    };
    socket.on("data", onData);
    socket.once("error", done);
    socket.once("close", onClose);
  });
}

/**
 * Aborts a request to a server. Nothing is sent after this.
 *
 * If a TLS connection is destroyed before it is established, Deno (2.9) never frees it, nor its request and unsent
 * data. So it is destroyed as soon as the connection is established, before TLS begins.
 */
export function abortRequest(request: ClientRequest): void {
  const { socket } = request;
  if (socket?.connecting !== true || "encrypted" in socket === false) {
    request.destroy();
    return;
  }
  // The process need not wait for this connection.
  socket.unref();
  socket.once("connect", () => request.destroy());
}
