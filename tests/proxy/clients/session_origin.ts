import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Authority, createAuthority } from "../../../src/proxy/authority.ts";
import { largeBody } from "./session_requests.ts";

/** A request as the server received it, without what concerns one connection only. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** `name: value`, in lowercase, sorted. */
  readonly fields: readonly string[];
  readonly sha: string;
  readonly status: number;
}

/** The servers of the session: one for HTTP, and one for HTTPS with HTTP/1.1 and HTTP/2. */
export interface SessionOrigin extends AsyncDisposable {
  /** `http://localhost:1234` and `https://localhost:1235`. */
  readonly http: string;
  readonly https: string;
  /** The certificate that clients must trust without the proxy. */
  readonly authority: string;
  /** Requests received since the last call. */
  takeSeen(): SeenRequest[];
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

const encoder = new TextEncoder();
const LARGE_BODY = largeBody();
const JSON_TYPE = { "Content-Type": "application/json" };
/** Fields of one connection or one version of HTTP. */
const HOP_BY_HOP =
  /^(?::.*|host|connection|proxy-connection|keep-alive|transfer-encoding|te|upgrade|http2-settings)$/;

/** The status, fields and body of each response. */
function chooseAnswer(
  method: string,
  path: string,
  body: Uint8Array<ArrayBuffer>,
): [number, Fields, Uint8Array<ArrayBuffer>] {
  const text = (value: string) => encoder.encode(value);
  switch (`${method} ${path}`) {
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
        new Uint8Array(
          gzipSync(JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index })))),
        ),
      ];
    case "GET /chunks":
      return [200, { "Content-Type": "text/event-stream" }, text("data: 1\n\ndata: 2\n\n")];
    case "GET /page":
      return [200, { "Content-Type": "text/html" }, text('<link rel="icon" href="data:,">')];
    case "GET /empty":
      // Deno sends this length over HTTP/1.1 only.
      return [200, { "Content-Type": "text/plain", "Content-Length": "0" }, text("")];
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

export function startSessionOrigin(): SessionOrigin {
  const authority = new Authority(createAuthority(new Date()));
  const { certificate, key } = authority.issueLeaf("localhost", new Date());
  let seen: SeenRequest[] = [];

  async function answer(request: Request): Promise<Response> {
    const body = await request.bytes();
    const { method } = request;
    const { pathname, search } = new URL(request.url);
    const [status, fields, content] = chooseAnswer(method, pathname, body);
    const path = pathname + search;
    seen.push({ method, path, fields: fieldLines(request.headers), sha: hash(body), status });
    const headers = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value])
    );
    if (content.length === 0) return new Response(null, { status, headers });
    const sent = pathname === "/chunks" ? ReadableStream.from(inPieces(content)) : content;
    return new Response(sent, { status, headers });
  }

  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const plain = Deno.serve(options, answer);
  const cert = certificate + authority.certificate;
  const secure = Deno.serve({ ...options, cert, key }, answer);
  return {
    http: `http://localhost:${plain.addr.port}`,
    https: `https://localhost:${secure.addr.port}`,
    authority: authority.certificate,
    takeSeen() {
      const taken = seen;
      seen = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.shutdown(), secure.shutdown()]);
    },
  };
}

/** A body in two pieces, with a pause between them. */
async function* inPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content.subarray(0, 5);
  await new Promise((resolve) => setTimeout(resolve, 5));
  yield content.subarray(5);
}

function fieldLines(headers: Headers): string[] {
  return [...headers].filter(([name]) => !HOP_BY_HOP.test(name))
    .map(([name, value]) => `${name}: ${value}`).sort();
}
