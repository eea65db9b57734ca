import { createServer, type IncomingMessage, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import type { Authority } from "./authority.ts";
import { Exchange, type ProxiedRequest, type ProxiedResponse } from "./exchange.ts";
import type { Services } from "./services.ts";
import { LOOPBACK, type Splices } from "./splices.ts";
import { type Lane, targetOf } from "./target.ts";
import { passUpgrade } from "./upgrade.ts";

/** What the servers behind the front are made with. */
export interface InnerServerOptions {
  readonly authority: Authority;
  readonly splices: Splices<Lane>;
  readonly services: Services;
  /** Hears of a client that ended the TLS handshake, which is how it refuses a certificate. */
  onRefused(host: string, reason: string): void;
}

/** Hosts whose servers are kept; the one that was used longest ago makes room. */
const MOST_SECURE = 128;
const MAX_HEADER_SIZE = 256 * 1024;
/** Clients keep connections to a proxy longer than those to a server, in milliseconds. */
const KEEP_ALIVE = 75_000;

interface Listening {
  readonly server: NetServer;
  readonly port: number;
}

/**
 * The servers that read HTTP: one for what is not encrypted, one for each host whose certificate they show. They
 * listen on the loopback interface and serve only what the front leads to them.
 */
export class InnerServers {
  readonly #options: InnerServerOptions;
  readonly #secure = new Map<string, Promise<Listening>>();
  #plain: Promise<Listening> | undefined;
  #upgrading: Promise<Listening> | undefined;

  /** Nothing listens before it is asked for. */
  constructor(options: InnerServerOptions) {
    this.#options = options;
  }

  /** Servers that listen. */
  get size(): number {
    return this.#secure.size + (this.#plain ? 1 : 0) + (this.#upgrading ? 1 : 0);
  }

  /**
   * The port that reads HTTP/1.1.
   *
   * @param upgrades Whether the connection changes its protocol; where not, an offer to change it is ignored, as it
   * may come with a body.
   */
  async plainPort(upgrades: boolean): Promise<number> {
    if (!upgrades) return (await (this.#plain ??= this.#listen(this.#plainServer()))).port;
    if (this.#upgrading === undefined) {
      const server = this.#plainServer();
      this.#takeUpgrades(server);
      this.#upgrading = this.#listen(server);
    }
    return (await this.#upgrading).port;
  }

  /** The port that answers in the name of a host, over TLS, with HTTP/2 or HTTP/1.1. */
  async securePort(host: string): Promise<number> {
    let listening = this.#secure.get(host);
    // Moves to the end: the first one is then the one that was used longest ago.
    if (listening !== undefined) this.#secure.delete(host);
    else listening = this.#listen(this.#secureServer(host));
    this.#secure.set(host, listening);
    if (this.#secure.size > MOST_SECURE) {
      const [oldest] = this.#secure;
      if (oldest !== undefined) {
        this.#secure.delete(oldest[0]);
        // Connections that are open stay.
        void oldest[1].then(({ server }) => server.close());
      }
    }
    return (await listening).port;
  }

  /** Ends all of them; connections are the front's to end. */
  async close(): Promise<void> {
    const all = [this.#plain, this.#upgrading, ...this.#secure.values()];
    this.#secure.clear();
    this.#plain = undefined;
    this.#upgrading = undefined;
    for (const listening of all) {
      if (listening === undefined) continue;
      const { server } = await listening;
      (server as Server).closeAllConnections?.();
      server.close();
    }
  }

  #plainServer(): Server {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_SIZE,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout: 0,
      noDelay: true,
    });
    this.#serve(server);
    return server;
  }

  #secureServer(host: string): Http2SecureServer {
    const { certificate, key } = this.#options.authority.leaf(host, new Date());
    const server = createSecureServer({
      cert: certificate + this.#options.authority.certificate,
      key,
      allowHTTP1: true,
      maxHeaderListPairs: 1000,
      settings: { maxHeaderListSize: MAX_HEADER_SIZE },
    });
    Object.assign(server, { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 0 });
    this.#serve(server);
    this.#takeUpgrades(server);
    server.on("sessionError", ignore);
    server.on("tlsClientError", (error: Error & { readonly code?: unknown }) => {
      this.#options.onRefused(host, `${error.code ?? ""} ${error.message}`);
    });
    return server;
  }

  #serve(server: Server | Http2SecureServer): void {
    const serve = (request: ProxiedRequest, response: ProxiedResponse): void =>
      this.#onRequest(request, response);
    const either = server as Server;
    either.on("request", serve);
    either.on("checkContinue", serve);
    either.on("clientError", (_error: unknown, socket: Socket) => {
      if (socket.writable && "_httpMessage" in socket === false) {
        socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      } else socket.destroy();
    });
    either.on("connect", (_request: unknown, socket: Socket) => {
      // Only the front opens tunnels: a client that wants one opens a connection for it.
      socket.destroy();
    });
  }

  #takeUpgrades(server: Server | Http2SecureServer): void {
    (server as Server).on(
      "upgrade",
      (request: IncomingMessage, socket: Socket, head: Uint8Array) => {
        const lane = this.#options.splices.lane(request.socket.remotePort);
        const target = lane === undefined ? undefined : targetOf(lane, request.url ?? "");
        if (target === undefined) socket.destroy();
        else void passUpgrade(request, socket, head, target, this.#options.services);
      },
    );
  }

  #onRequest(request: ProxiedRequest, response: ProxiedResponse): void {
    const { splices, services } = this.#options;
    const lane = splices.lane(request.socket.remotePort);
    if (lane === undefined) {
      request.socket.destroy();
      return;
    }
    const target = targetOf(lane, request.url ?? "");
    if (target === undefined || services.isOwn(target)) explain(response, services.explanation());
    else new Exchange(request, response, target, services);
  }

  #listen(server: NetServer): Promise<Listening> {
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, LOOPBACK, () => {
        server.off("error", reject);
        server.on("error", ignore);
        resolve({ server, port: (server.address() as AddressInfo).port });
      });
    });
  }
}

/** Whether the head of a request asks for another protocol that the proxy passes on. */
export function isWebSocketHead(head: string): boolean {
  return /\r\nupgrade:[ \t]*websocket[ \t]*\r\n/i.test(head);
}

function explain(response: ProxiedResponse, text: string): void {
  const body = new TextEncoder().encode(text);
  const fields = {
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(body.length),
    connection: "close",
  };
  if ("stream" in response) response.stream.close();
  else response.writeHead(400, fields).end(body);
}

function ignore(): void {}
