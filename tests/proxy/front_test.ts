import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Front } from "../../src/proxy/front.ts";
import { ErrorBoundary } from "../../src/proxy/error_boundary.ts";
import { formatHostAndPort } from "../../src/http/host_and_port.ts";
import type { HttpServers } from "../../src/proxy/http_servers.ts";
import type { Services } from "../../src/proxy/services.ts";
import type { ConnectionMode } from "../../src/proxy/target.ts";
import type { Upstream } from "../../src/proxy/upstream.ts";
import { echo, startProxy, startServer } from "./test_server.ts";

const TLS_HANDSHAKE = "\x16\x03\x01";

/** A front whose servers record the connections that they get, and respond to each with `served`. */
class TestFront implements AsyncDisposable {
  /** Events, in order. */
  readonly events: string[] = [];
  /** The first bytes of connections that were handed over. */
  readonly heads: string[] = [];
  readonly front: Front;
  readonly #clients: Socket[] = [];

  constructor(services: Partial<Services> = {}) {
    const note = (event: string) => {
      this.events.push(event);
    };
    const serve = (client: Socket, first: Uint8Array, event: string) => {
      note(event);
      this.heads.push(new TextDecoder("latin1").decode(first));
      client.end("served");
    };
    const servers: Partial<HttpServers> = {
      servePlain: (client, first, { kind }: ConnectionMode, upgrades) =>
        serve(client, first, `${upgrades ? "WebSocket" : "HTTP"} in mode ${kind}`),
      serveSecure: (client, first, { kind }) => serve(client, first, `TLS in mode ${kind}`),
      endSecure: () => {},
    };
    this.front = new Front({
      upstream: { connect: () => Promise.reject(new Error("not here")) } as unknown as Upstream,
      boundary: new ErrorBoundary((error) => assert.fail(String(error))),
      reverse: undefined,
      isIntercepted: () => true,
      reportFailure: (server) => note(`failed to reach ${formatHostAndPort(server, 0)}`),
      isLoop: () => false,
      reportSecureClient: () => note("TLS to the proxy itself"),
      ...services,
    } as Services, servers as HttpServers);
  }

  /** Sends pieces, each after the response to the previous one. Returns all responses. */
  async send(...pieces: readonly string[]): Promise<string> {
    const port = await this.front.listen("127.0.0.1", 0);
    const client = connect(port, "127.0.0.1");
    this.#clients.push(client);
    client.on("error", () => {});
    let text = "";
    client.on("data", (chunk) => text += String(chunk));
    const [first = "", ...rest] = pieces;
    client.write(first, "latin1");
    for (const piece of rest) {
      await Promise.race([once(client, "data"), new Promise((go) => setTimeout(go, 50))]);
      client.write(piece, "latin1");
    }
    await once(client, "close");
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.front.stop();
    await this.front.finish(0);
    for (const client of this.#clients) client.destroy();
  }
}

const CONNECT = "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\n";
const GET = "GET http://api.example/books HTTP/1.1\r\nHost: api.example\r\n\r\n";

Deno.test("a request to the proxy is handed to the HTTP server unchanged", async () => {
  await using front = new TestFront();
  assert.equal(await front.send(GET), "served");
  assert.deepEqual(front.events, ["HTTP in mode forward"]);
  assert.deepEqual(front.heads, [GET]);
});

Deno.test("a request in pieces is handed over when its head is complete", async () => {
  await using front = new TestFront();
  assert.equal(await front.send(GET.slice(0, 20), GET.slice(20, 50), GET.slice(50)), "served");
  assert.equal(front.heads.length, 1);
});

Deno.test("an upgrade to WebSocket has its own server, and upgrades to HTTP/2 are removed", async () => {
  await using front = new TestFront();
  const upgrade = (protocol: string) =>
    GET.replace("\r\n\r\n", `\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`);
  await front.send(upgrade("websocket"));
  await front.send(upgrade("h2c"));
  assert.deepEqual(front.events, ["WebSocket in mode forward", "HTTP in mode forward"]);
  assert.match(front.heads[0] ?? "", /Upgrade: websocket/);
  assert.doesNotMatch(front.heads[1] ?? "", /Upgrade: h2c/);
});

Deno.test("the first bytes in a CONNECT tunnel decide between TLS and HTTP", async () => {
  await using front = new TestFront();
  const secure = await front.send(CONNECT, TLS_HANDSHAKE);
  assert.match(secure, /^HTTP\/1\.1 200 .*served$/s);
  await front.send(CONNECT, "GET /books HTTP/1.1\r\nHost: api.example\r\n\r\n");
  assert.deepEqual(front.events, ["TLS in mode tunnel", "HTTP in mode tunnel"]);
});

Deno.test("a reverse proxy accepts TLS and HTTP for its server", async () => {
  const reverse = { host: "api.example", port: 443, isSecure: true, prefix: "" };
  await using front = new TestFront({ reverse });
  await front.send(TLS_HANDSHAKE);
  await front.send("GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await front.send(CONNECT);
  assert.deepEqual(front.events, [
    "TLS in mode reverse",
    "HTTP in mode reverse",
    "HTTP in mode reverse",
  ]);
});

Deno.test("a forward proxy reports clients that connect to it with TLS, and disconnects them", async () => {
  await using front = new TestFront();
  assert.equal(await front.send(TLS_HANDSHAKE), "");
  assert.deepEqual(front.events, ["TLS to the proxy itself"]);
});

Deno.test("CONNECT is refused without a valid host, with two Host fields, and in a loop", async () => {
  await using front = new TestFront();
  assert.match(await front.send(CONNECT.replace("api.example:443 ", "a:x ")), /^HTTP\/1\.1 400 /);
  const hosts = CONNECT.replace("\r\n\r\n", "\r\nHost: other\r\n\r\n");
  assert.match(await front.send(hosts), /^HTTP\/1\.1 400 /);
  await using looping = new TestFront({ isLoop: (head) => head.includes("api.example") });
  assert.match(await looping.send(CONNECT), /^HTTP\/1\.1 508 /);
  assert.deepEqual([...front.events, ...looping.events], []);
});

Deno.test("tunnels to hosts that are not intercepted are passed through", async () => {
  const server = createServer((socket) => socket.on("data", (chunk) => socket.end(`got ${chunk}`)))
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upstream = {
    connect: () => Promise.resolve(connect(port, "127.0.0.1")),
  } as unknown as Upstream;
  await using front = new TestFront({ upstream, isIntercepted: () => false });
  assert.match(await front.send(CONNECT + "hello"), /^HTTP\/1\.1 200 .*got hello$/s);
  assert.deepEqual(front.events, []);
  server.close();
});

Deno.test("a tunnel to an unreachable server gets a 502", async () => {
  await using front = new TestFront({ isIntercepted: () => false });
  assert.match(await front.send(CONNECT), /^HTTP\/1\.1 502 .*api\.example/s);
  assert.deepEqual(front.events, ["failed to reach api.example:443"]);
});

/** Sends requests in pieces from its own thread, and reports how many got another status than 200. */
const SENDER = `
  const body = "x".repeat(49_000);
  async function send(port, target) {
    const request = \`POST \${target} HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: \${body.length}\\r\\n\\r\\n\${body}\`;
    const bytes = new TextEncoder().encode(request);
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = at + 1 + Math.floor(Math.random() * 30_000);
      while (at < Math.min(end, bytes.length)) at += await connection.write(bytes.subarray(at, end));
      if (Math.random() < 0.5) await new Promise((go) => setTimeout(go, Math.random() * 3));
    }
    const answer = new Uint8Array(20);
    await connection.read(answer);
    return new TextDecoder().decode(answer).includes(" 200 ");
  }
  self.onmessage = async ({ data: { port, target } }) => {
    let refused = 0;
    for (let round = 0; round < 20; round++) {
      const served = await Promise.all(Array.from({ length: 20 }, () => send(port, target)));
      refused += served.filter((isServed) => !isServed).length;
    }
    self.postMessage(refused);
  };
`;

Deno.test("bytes that arrive while a connection is handed over keep their order", async () => {
  await using server = await startServer(echo);
  await using test = await startProxy();
  const url = URL.createObjectURL(new Blob([SENDER], { type: "application/javascript" }));
  const sender = new Worker(url, { type: "module" });
  // A busy thread receives several pieces at once.
  const busy = setInterval(() => {
    for (const end = performance.now() + 4; performance.now() < end;);
  }, 2);
  try {
    sender.postMessage({ port: test.proxy.port, target: `http://127.0.0.1:${server.port}/` });
    const refused = await new Promise((got) => sender.onmessage = ({ data }) => got(data));
    assert.equal(refused, 0);
  } finally {
    clearInterval(busy);
    sender.terminate();
    URL.revokeObjectURL(url);
  }
});
