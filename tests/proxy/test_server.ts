import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";
import { createProxy } from "../../src/proxy/create_proxy.ts";
import type { Interaction } from "../../src/http/interaction.ts";
import type { ProxyNotice } from "../../src/proxy/error_boundary.ts";
import type { Proxy, ProxyOptions } from "../../src/proxy/proxy_options.ts";
import { latin1 } from "./raw_client.ts";

/** Responds to one request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that tests call through the proxy. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** The authority of its certificate if it uses TLS. */
  readonly authority: string;
  readonly server: Server;
}

/** Starts a server on the loopback interface. */
export async function startServer(
  handler: Handler,
  isSecure = false,
  maxHeaderSize?: number,
): Promise<TestServer> {
  const { authority, ...certificate } = makeCertificate();
  const server = isSecure
    ? createSecureServer({ ...certificate, maxHeaderSize }, handler)
    : createServer({ maxHeaderSize }, handler);
  return { ...await listen(server), authority, server: server as Server };
}

/** A server of which tests write every byte. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Starts a server that hands over each connection, with or without TLS, and ignores their errors. */
export function startRawServer(
  serve: (socket: Socket) => void,
  isSecure = false,
): Promise<RawServer> {
  const handle = (socket: Socket): void => {
    socket.on("error", () => {});
    serve(socket);
  };
  return listen(isSecure ? createTlsServer(makeCertificate(), handle) : createNetServer(handle));
}

/** A server that reads complete requests, and whose responses are text. */
export interface RequestServer extends RawServer {
  /** Heads of requests, in order, without their empty line. */
  readonly heads: readonly string[];
}

/** Starts a server that calls a function for each complete request, and sends the result, one byte per character. */
export async function startRequestServer(
  answer: (head: string, socket: Socket) => string | void,
  isSecure = false,
  onHead: (head: string, socket: Socket) => void = () => {},
): Promise<RequestServer> {
  const heads: string[] = [];
  const server = await startRawServer((socket) => {
    let text = "";
    let head: string | undefined;
    socket.on("data", (chunk: Uint8Array) => {
      text += new TextDecoder("latin1").decode(chunk);
      for (;;) {
        const end = text.indexOf("\r\n\r\n") + 4;
        if (end < 4) return;
        if (head === undefined) {
          head = text.slice(0, end - 4);
          heads.push(head);
          onHead(head, socket);
        }
        let whole = end + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
          const last = text.indexOf("0\r\n\r\n", end);
          whole = last < 0 ? Infinity : last + 5;
        }
        if (text.length < whole) return;
        text = text.slice(whole);
        const said = answer(head, socket);
        if (said !== undefined) socket.write(latin1(said));
        head = undefined;
      }
    });
  }, isSecure);
  return { ...server, heads };
}

function makeCertificate(): { authority: string; cert: string; key: string } {
  const authority = new Authority(createAuthority(new Date()));
  const { certificate, key } = authority.issueLeaf("localhost", new Date());
  return { authority: authority.certificate, cert: certificate, key };
}

async function listen(server: NetServer): Promise<RawServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      // `server.close` doesn't close upgraded connections.
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Responds with the request: method, path, header fields and length of the body. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.stringify({
      method: request.method,
      url: request.url,
      fields: request.rawHeaders,
      trailers: request.rawTrailers,
      length: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    });
    response.writeHead(200, "Fine", [
      "Content-Type",
      "application/json",
      "X-Twice",
      "1",
      "x-twice",
      "2",
      "Set-Cookie",
      "a=1",
      "Set-Cookie",
      "b=2",
      "Content-Length",
      String(new TextEncoder().encode(body).length),
    ]);
    response.end(body);
  });
}

/** A proxy with its recording and notices. */
export interface TestProxy extends AsyncDisposable {
  readonly proxy: Proxy;
  readonly interactions: Interaction[];
  readonly notices: ProxyNotice[];
  readonly folder: string;
}

/** Starts a proxy with its own data folder that accepts any certificate. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const folder = await Deno.makeTempDir({ prefix: "covtool-test" });
  const interactions: Interaction[] = [];
  const notices: ProxyNotice[] = [];
  const proxy = await createProxy({
    record: (request, response, timestamp) => {
      interactions.push({
        request,
        ...(response && { response }),
        ...(timestamp !== undefined && { timestamp }),
      });
    },
  }, {
    dataFolder: folder,
    insecure: true,
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  return {
    proxy,
    interactions,
    notices,
    folder,
    async [Symbol.asyncDispose]() {
      await proxy.close(1000);
      await Deno.remove(folder, { recursive: true });
    },
  };
}
