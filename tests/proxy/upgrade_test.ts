import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";
import { RawClient } from "./raw_client.ts";
import { startProxy, type TestProxy } from "./test_server.ts";

const UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
const text = new TextDecoder();

/** A server that answers what `answer` gives for the head of each request, and keeps the connection. */
async function withServer(
  isSecure: boolean,
  answer: (head: string) => string,
  run: (test: TestProxy, base: string, heads: readonly string[]) => Promise<void>,
): Promise<void> {
  const heads: string[] = [];
  const sockets: Socket[] = [];
  const serve = (socket: Socket): void => {
    sockets.push(socket);
    socket.on("error", () => {});
    let received = "";
    socket.on("data", (chunk: Uint8Array) => {
      received += text.decode(chunk);
      for (;;) {
        const end = received.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = received.slice(0, end);
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
        const last = isChunked ? received.indexOf("0\r\n\r\n", end) + 5 : end + 4 + length;
        if (received.length < last || isChunked && last < 5) return;
        received = received.slice(last);
        heads.push(head);
        socket.write(answer(head));
      }
    });
  };
  const authority = new Authority(createAuthority(new Date()));
  const { certificate, key } = authority.leaf("localhost", new Date());
  const server = isSecure
    ? createSecureServer({ cert: certificate, key }, serve)
    : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await using test = await startProxy();
    await run(test, `localhost:${(server.address() as AddressInfo).port}`, heads);
    assert.equal(test.proxy.failures, 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** A connection through a tunnel, with TLS or without. */
async function open(test: TestProxy, authority: string, isSecure: boolean): Promise<RawClient> {
  const tunnel = await RawClient.tunnel(test.proxy.port, authority);
  return isSecure ? await tunnel.secure(test.proxy.caCertificate) : tunnel;
}

const REFUSALS = [
  "HTTP/1.1 401 Who\r\nContent-Length: 3\r\n\r\nwho",
  "HTTP/1.1 426 Not so\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nwho\r\n0\r\nX-Sum: 1\r\n\r\n",
  "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n",
];

Deno.test("what follows a refused WebSocket handshake on its connection is recorded like all else", async () => {
  for (const isSecure of [false, true]) {
    for (const refusal of REFUSALS) {
      const answer = (head: string): string =>
        head.includes("/socket") ? refusal : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
      await withServer(isSecure, answer, async (test, base, heads) => {
        const client = await open(test, base, isSecure);
        // The second one comes right behind the first, the third one when that is answered.
        client.write(
          `GET /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n`,
        );
        if (refusal.includes(" 103 ")) await client.until("\r\n\r\n");
        const refused = await client.answer(refusal.includes(" 304 ") ? "HEAD" : "GET");
        assert.equal(refused.status, Number(refusal.match(/ (4\d\d|304) /)?.[1]));
        assert.equal(text.decode((await client.answer()).body), "ok");
        client.write("GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
        assert.equal((await client.answer()).status, 200);
        // And a second handshake, behind all that.
        client.destroy();
        const again = await open(test, base, isSecure);
        again.write(`GET /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\n`);
        if (refusal.includes(" 103 ")) await again.until("\r\n\r\n");
        await again.answer(refusal.includes(" 304 ") ? "HEAD" : "GET");
        again.write(`GET /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\n`);
        if (refusal.includes(" 103 ")) await again.until("\r\n\r\n");
        assert.equal((await again.answer("HEAD")).status, refused.status);
        again.destroy();
        const paths = ["/socket", "/a", "/b", "/socket", "/socket"];
        assert.deepEqual(heads.map((head) => head.split(" ")[1]), paths);
        assert.deepEqual(
          test.interactions.map(({ request }) => new URL(request.url).pathname),
          paths,
        );
        assert.equal(test.interactions[1]?.response?.status_code, 200);
      });
    }
  }
});

Deno.test("a refusal that ends with its connection ends the client's, and a broken one is a 502", async () => {
  for (
    const [refusal, status, body] of [
      ["HTTP/1.1 403 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno", 403, "no"],
      ["HTTP/1.0 403 No\r\nContent-Length: 2\r\n\r\nno", 403, "no"],
      ["What?\r\n\r\n", 502, undefined],
      ["", 502, undefined],
    ] as const
  ) {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(refusal));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    {
      await using test = await startProxy({ reverse: `http://127.0.0.1:${port}` });
      const client = await RawClient.open(test.proxy.port);
      client.write(`GET / HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\n`);
      const got = await client.answer();
      assert.equal(got.status, status, refusal);
      if (body !== undefined) assert.equal(text.decode(got.body), body);
      assert.ok(await client.ends(2000), refusal);
    }
    server.close();
  }
});

Deno.test("a handshake with a body is answered: without the offer, or over TLS with a refusal", async () => {
  const answer = (head: string): string =>
    `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${/\r\nupgrade:/i.test(head) ? "up" : "ok"}`;
  for (const isSecure of [false, true]) {
    await withServer(isSecure, answer, async (test, base, heads) => {
      for (
        const [framing, body] of [
          ["Content-Length: 3", "abc"],
          ["Transfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n"],
        ] as const
      ) {
        for (const isSplit of [false, true]) {
          const client = await open(test, base, isSecure);
          client.write(`POST /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}${framing}\r\n\r\n`);
          if (isSplit) await new Promise((resolve) => setTimeout(resolve, 30));
          client.write(`${body}GET /next HTTP/1.1\r\nHost: h\r\n\r\n`);
          const got = await client.answer();
          if (isSecure) {
            assert.equal(got.status, 400);
            assert.match(
              text.decode(got.body),
              /^covtool proxy: An upgrade request cannot have a body/,
            );
            assert.ok(await client.ends(1000));
            continue;
          }
          assert.equal(text.decode(got.body), "ok", framing);
          assert.equal((await client.answer()).status, 200);
          client.destroy();
          const { request } = test.interactions.at(-2) ?? assert.fail();
          assert.equal(text.decode(request.body as Uint8Array), "abc");
        }
      }
      assert.equal(heads.length, isSecure ? 0 : 8);
      assert.equal(test.interactions.length, isSecure ? 0 : 8);
    });
  }
});

Deno.test("a WebSocket is offered in a head of 200 KB too, whatever pieces that comes in", async () => {
  const agreed = () => `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n`;
  await withServer(false, agreed, async (test, base, heads) => {
    for (const size of [250_000, 1000]) {
      const client = await RawClient.open(test.proxy.port);
      const huge = `X-Huge: ${"h".repeat(200_000)}\r\n`;
      const head = `GET http://${base}/ HTTP/1.1\r\nHost: ${base}\r\n${huge}${UPGRADE}\r\n`;
      for (let at = 0; at < head.length; at += size) {
        client.write(head.slice(at, at + size));
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      assert.match(await client.until("\r\n\r\n"), /^HTTP\/1\.1 101 /);
      client.destroy();
    }
    for (const head of heads) assert.match(head, /\r\nUpgrade: websocket/);
  });
});
