import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { Authority, createAuthority } from "../../../src/proxy/authority.ts";
import { deferSessionClose } from "../../../src/proxy/limit_http2.ts";
import { sendHead } from "../../../src/proxy/send_response.ts";
import { largeBody } from "./session_requests.ts";

/** A request as it reached the server: what is about one connection only is left out. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** `name: value`, in lower case, sorted. */
  readonly fields: readonly string[];
  readonly sha: string;
  readonly status: number;
}

/** The servers of the session, one for HTTP, one for HTTPS with HTTP/1.1 and HTTP/2. */
export interface SessionOrigin extends AsyncDisposable {
  /** `http://localhost:1234` and `https://localhost:1235`. */
  readonly http: string;
  readonly https: string;
  /** The certificate that clients without the proxy have to trust. */
  readonly authority: string;
  /** What reached them since this was last asked for. */
  takeSeen(): SeenRequest[];
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

const encoder = new TextEncoder();
const LARGE_BODY = largeBody();
const JSON_TYPE = { "Content-Type": "application/json" };
/** Of one connection only, or of one version of HTTP. */
const HOP_BY_HOP =
  /^(?::.*|host|connection|proxy-connection|keep-alive|transfer-encoding|te|upgrade|http2-settings)$/;

/** The status, fields and body of each answer. */
function answerOf(method: string, path: string, body: Uint8Array): [number, Fields, Uint8Array] {
  const text = (value: string): Uint8Array => encoder.encode(value);
  switch (`${method} ${path.split("?")[0]}`) {
    case "GET /books":
      return [200, {
        ...JSON_TYPE,
        "X-Twice": ["1", "2"],
        "Set-Cookie": ["seen=1; Path=/", "last=2"],
        "X-Odd": "a\u00e9, \t b",
        ETag: '"7"',
      }, text('[{"title":"Momo"}]')];
    case "HEAD /books":
      return [200, { ...JSON_TYPE, "Content-Length": "18" }, text("")];
    case "POST /books":
      return new TextDecoder().decode(body).includes("title")
        ? [201, { ...JSON_TYPE, Location: "/books/1" }, body]
        : [422, JSON_TYPE, text('{"message":"no title"}')];
    case "PUT /large":
    case "POST /form":
    case "POST /upload":
    case "PUT /books/1":
      return [200, { "Content-Type": "text/plain" }, text(hash(body))];
    case "DELETE /books/1":
      return [204, {}, text("")];
    case "GET /gzip":
      return [
        200,
        { ...JSON_TYPE, "Content-Encoding": "gzip", Vary: "Accept-Encoding" },
        gzipSync(text(JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index }))))),
      ];
    case "GET /chunks":
      return [200, { "Content-Type": "text/event-stream" }, text("data: 1\n\ndata: 2\n\n")];
    case "GET /page":
      return [200, { "Content-Type": "text/html" }, text('<link rel="icon" href="data:,">')];
    case "GET /empty":
      return [200, { "Content-Type": "text/plain" }, text("")];
    case "GET /moved":
      return [302, { Location: "/books?limit=3" }, text("over there")];
    case "POST /kept":
      return [307, { Location: "/books" }, text("")];
    case "GET /broken":
      return [500, { "Content-Type": "text/plain", "Retry-After": "1" }, text("broken\n")];
    case "GET /large":
      return [200, { "Content-Type": "application/octet-stream" }, LARGE_BODY];
    default:
      return [404, { "Content-Type": "text/plain" }, text("nothing here")];
  }
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Starts both servers. */
export async function startSessionOrigin(): Promise<SessionOrigin> {
  const authority = new Authority(createAuthority(new Date()));
  const { certificate, key } = authority.leaf("localhost", new Date());
  let seen: SeenRequest[] = [];

  async function answer(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request as IncomingMessage) chunks.push(chunk);
    const body = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
    const method = request.method ?? "";
    const path = request.url ?? "";
    const [status, fields, content] = answerOf(method, path, body);
    seen.push({ method, path, fields: fieldsOf(request.rawHeaders), sha: hash(body), status });
    const either = response as ServerResponse;
    either.sendDate = false;
    either.statusCode = status;
    for (const [name, value] of Object.entries(fields)) either.setHeader(name, value);
    if (path === "/chunks") {
      either.write(content.subarray(0, 5));
      await new Promise((resolve) => setTimeout(resolve, 5));
      either.end(content.subarray(5));
      return;
    }
    if (status !== 204 && method !== "HEAD") either.setHeader("Content-Length", content.length);
    if (request.httpVersionMajor === 1 && content.length > 0) sendHead(either);
    either.end(content);
  }

  const plain = createServer((request, response) => void answer(request, response));
  const secure = createSecureServer(
    { cert: certificate + authority.certificate, key, allowHTTP1: true },
    (request, response) => void answer(request, response),
  );
  deferSessionClose(secure);
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<number> => {
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const http = `http://localhost:${await listen(plain)}`;
  const https = `https://localhost:${await listen(secure as unknown as Server)}`;
  return {
    http,
    https,
    authority: authority.certificate,
    takeSeen() {
      const taken = seen;
      seen = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        [plain, secure].map((server) =>
          new Promise<void>((resolve) => server.close(() => resolve()))
        ),
      );
    },
  };
}

function fieldsOf(raw: readonly string[]): string[] {
  const cookies: string[] = [];
  const fields: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? "";
    if (name === "cookie") cookies.push(raw[index + 1] ?? "");
    else if (!HOP_BY_HOP.test(name)) fields.push(`${name}: ${raw[index + 1]}`);
  }
  // HTTP/2 may spread them over several fields (RFC 9113, section 8.2.3).
  if (cookies.length > 0) fields.push(`cookie: ${cookies.join("; ")}`);
  return fields.sort();
}
