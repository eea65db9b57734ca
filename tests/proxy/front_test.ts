import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { EndedClients } from "../../src/proxy/ended_clients.ts";
import { Front, type FrontOptions } from "../../src/proxy/front.ts";
import { Guard } from "../../src/proxy/guard.ts";
import { formatHostAndPort } from "../../src/http/host_and_port.ts";
import type { InnerServers } from "../../src/proxy/inner_servers.ts";
import type { RelayedConnections } from "../../src/proxy/relayed_connections.ts";
import type { ConnectionMode } from "../../src/proxy/target.ts";
import type { Upstream } from "../../src/proxy/upstream.ts";

const TLS_HANDSHAKE = "\x16\x03\x01";
const ADDRESS = { path: "inner" };

/** A front whose inner servers note what reaches them, and answer each connection with `relayed`. */
class TestFront {
  /** What happened, in order. */
  readonly events: string[] = [];
  /** The first bytes of relayed connections. */
  readonly heads: string[] = [];
  readonly front: Front;
  readonly #clients: Socket[] = [];

  constructor(options: Partial<FrontOptions> = {}) {
    const guard = new Guard((error) => assert.fail(String(error)));
    const note = (event: string) => {
      this.events.push(event);
    };
    const inner = {
      plain: (mode: ConnectionMode, upgrades: boolean) => {
        note(`${upgrades ? "WebSocket" : "HTTP"} in mode ${mode.kind}`);
        return Promise.resolve(ADDRESS);
      },
      secure: (mode: ConnectionMode) => {
        note(`TLS in mode ${mode.kind}`);
        return Promise.resolve(ADDRESS);
      },
    };
    const relayed = {
      relay: (client: Socket, head: Uint8Array) => {
        this.heads.push(new TextDecoder("latin1").decode(head));
        client.end("relayed");
      },
    };
    this.front = new Front({
      inner: inner as unknown as InnerServers,
      relayed: relayed as unknown as RelayedConnections,
      ended: new EndedClients(guard, () => false),
      upstream: { connect: () => Promise.reject(new Error("not here")) } as unknown as Upstream,
      guard,
      reverse: undefined,
      isIntercepted: () => true,
      onFailure: (server) => note(`failed to reach ${formatHostAndPort(server, 0)}`),
      isLoop: () => false,
      onSecureClient: () => note("TLS to the proxy itself"),
      ...options,
    });
  }

  /** Sends pieces one after the other, each after an answer to the one before; gives all answers. */
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

  [Symbol.dispose](): void {
    this.front.destroy();
    for (const client of this.#clients) client.destroy();
  }
}

const CONNECT = "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n\r\n";
const GET = "GET http://api.example/books HTTP/1.1\r\nHost: api.example\r\n\r\n";

Deno.test("a request to the proxy reaches the inner server for HTTP with a label", async () => {
  using front = new TestFront();
  assert.equal(await front.send(GET), "relayed");
  assert.deepEqual(front.events, ["HTTP in mode forward"]);
  const [line, label, host] = front.heads[0]?.split("\r\n") ?? [];
  assert.equal(line, "GET http://api.example/books HTTP/1.1");
  assert.match(label ?? "", /^X-Covtool-[\w-]+: 0$/);
  assert.equal(host, "Host: api.example");
});

Deno.test("a request that arrives in pieces is relayed when its head is complete", async () => {
  using front = new TestFront();
  assert.equal(await front.send(GET.slice(0, 20), GET.slice(20, 50), GET.slice(50)), "relayed");
  assert.equal(front.heads.length, 1);
});

Deno.test("an upgrade to WebSocket has an inner server of its own, and offers of HTTP/2 are removed", async () => {
  using front = new TestFront();
  const upgrade = (protocol: string) =>
    GET.replace("\r\n\r\n", `\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`);
  await front.send(upgrade("websocket"));
  await front.send(upgrade("h2c"));
  assert.deepEqual(front.events, ["WebSocket in mode forward", "HTTP in mode forward"]);
  assert.match(front.heads[0] ?? "", /Upgrade: websocket/);
  assert.doesNotMatch(front.heads[1] ?? "", /Upgrade: h2c/);
});

Deno.test("CONNECT opens a tunnel whose first bytes tell TLS from HTTP", async () => {
  using front = new TestFront();
  const secure = await front.send(CONNECT, TLS_HANDSHAKE);
  assert.match(secure, /^HTTP\/1\.1 200 .*relayed$/s);
  await front.send(CONNECT, "GET /books HTTP/1.1\r\nHost: api.example\r\n\r\n");
  assert.deepEqual(front.events, ["TLS in mode tunnel", "HTTP in mode tunnel"]);
});

Deno.test("a reverse proxy takes TLS and HTTP for its server", async () => {
  const reverse = { host: "api.example", port: 443, isSecure: true, prefix: "" };
  using front = new TestFront({ reverse });
  await front.send(TLS_HANDSHAKE);
  await front.send("GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await front.send(CONNECT);
  assert.deepEqual(front.events, [
    "TLS in mode reverse",
    "HTTP in mode reverse",
    "HTTP in mode reverse",
  ]);
});

Deno.test("a forward proxy is told of clients that speak TLS to it, and closes their connections", async () => {
  using front = new TestFront();
  assert.equal(await front.send(TLS_HANDSHAKE), "");
  assert.deepEqual(front.events, ["TLS to the proxy itself"]);
});

Deno.test("CONNECT is refused without a valid host, with two Host fields, and in a loop", async () => {
  using front = new TestFront();
  assert.match(await front.send(CONNECT.replace("api.example:443 ", "a:x ")), /^HTTP\/1\.1 400 /);
  const hosts = CONNECT.replace("\r\n\r\n", "\r\nHost: other\r\n\r\n");
  assert.match(await front.send(hosts), /^HTTP\/1\.1 400 /);
  using looping = new TestFront({ isLoop: (head) => head.includes("api.example") });
  assert.match(await looping.send(CONNECT), /^HTTP\/1\.1 508 /);
  assert.deepEqual([...front.events, ...looping.events], []);
});

Deno.test("tunnels to hosts that are not intercepted pass untouched", async () => {
  const server = createServer((socket) => socket.on("data", (chunk) => socket.end(`got ${chunk}`)))
    .listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const upstream = {
    connect: () => Promise.resolve(connect(port, "127.0.0.1")),
  } as unknown as Upstream;
  using front = new TestFront({ upstream, isIntercepted: () => false });
  assert.match(await front.send(CONNECT + "hello"), /^HTTP\/1\.1 200 .*got hello$/s);
  assert.deepEqual(front.events, []);
  server.close();
});

Deno.test("a tunnel to a server that can't be reached is answered with 502", async () => {
  using front = new TestFront({ isIntercepted: () => false });
  assert.match(await front.send(CONNECT), /^HTTP\/1\.1 502 .*api\.example/s);
  assert.deepEqual(front.events, ["failed to reach api.example:443"]);
});
