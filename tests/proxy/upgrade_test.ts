import assert from "node:assert/strict";
import { pause, RawClient } from "./raw_client.ts";
import { startProxy, startRawServer, startRequestServer, type TestProxy } from "./test_server.ts";

const UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
const text = new TextDecoder();

/** A server that responds to each request with what `answer` returns for its head, and keeps the connection. */
async function withServer(
  isSecure: boolean,
  answer: (head: string) => string,
  run: (test: TestProxy, base: string, heads: readonly string[]) => Promise<void>,
): Promise<void> {
  await using server = await startRequestServer(answer, isSecure);
  await using test = await startProxy();
  await run(test, `localhost:${server.port}`, server.heads);
  assert.equal(test.proxy.failures, 0);
}

const REFUSALS = [
  "HTTP/1.1 401 Who\r\nContent-Length: 3\r\n\r\nwho",
  "HTTP/1.1 426 Not so\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nwho\r\n0\r\nX-Sum: 1\r\n\r\n",
  "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n",
];

Deno.test("requests after a refused WebSocket handshake on a connection are recorded", async () => {
  for (const isSecure of [false, true]) {
    for (const refusal of REFUSALS) {
      const answer = (head: string): string =>
        head.includes("/socket") ? refusal : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
      await withServer(isSecure, answer, async (test, base, heads) => {
        const client = await RawClient.reach(test.proxy, base, isSecure);
        // The second request comes right after the first, and the third after a response.
        client.write(
          `GET /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n`,
        );
        if (refusal.includes(" 103 ")) await client.until("\r\n\r\n");
        const refused = await client.answer(refusal.includes(" 304 ") ? "HEAD" : "GET");
        assert.equal(refused.status, Number(refusal.match(/ (4\d\d|304) /)?.[1]));
        assert.equal(text.decode((await client.answer()).body), "ok");
        client.write("GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
        assert.equal((await client.answer()).status, 200);
        // Then, a second handshake.
        client.destroy();
        const again = await RawClient.reach(test.proxy, base, isSecure);
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

Deno.test("a refusal that closes its connection closes the client's, and a broken one becomes a 502", async () => {
  for (
    const [refusal, status, body] of [
      ["HTTP/1.1 403 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno", 403, "no"],
      ["HTTP/1.0 403 No\r\nContent-Length: 2\r\n\r\nno", 403, "no"],
      ["What?\r\n\r\n", 502, undefined],
      ["", 502, undefined],
    ] as const
  ) {
    await using server = await startRawServer((socket) =>
      void socket.once("data", () => socket.end(refusal))
    );
    await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
    const client = await RawClient.open(test.proxy.port);
    client.write(`GET / HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\n`);
    const got = await client.answer();
    assert.equal(got.status, status, refusal);
    if (body !== undefined) assert.equal(text.decode(got.body), body);
    assert.ok(await client.ends(2000), refusal);
  }
});

Deno.test("a handshake with a body gets a response without the upgrade, or a refusal over TLS", async () => {
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
          const client = await RawClient.reach(test.proxy, base, isSecure);
          client.write(`POST /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}${framing}\r\n\r\n`);
          if (isSplit) await pause(30);
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

Deno.test("a WebSocket handshake with a head of 200 KB is forwarded, in pieces of any size", async () => {
  const agreed = () => `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n`;
  await withServer(false, agreed, async (test, base, heads) => {
    for (const size of [250_000, 1000]) {
      const client = await RawClient.open(test.proxy.port);
      const huge = `X-Huge: ${"h".repeat(200_000)}\r\n`;
      const head = `GET http://${base}/ HTTP/1.1\r\nHost: ${base}\r\n${huge}${UPGRADE}\r\n`;
      for (let at = 0; at < head.length; at += size) {
        client.write(head.slice(at, at + size));
        await pause(0);
      }
      assert.match(await client.until("\r\n\r\n"), /^HTTP\/1\.1 101 /);
      client.destroy();
    }
    for (const head of heads) assert.match(head, /\r\nUpgrade: websocket/);
  });
});

Deno.test("only a handshake is forwarded as one, also after other requests on its connection", async () => {
  const answer = (head: string): string =>
    /\r\nupgrade: websocket/i.test(head)
      ? `HTTP/1.1 101 Now\r\n${UPGRADE}\r\nwelcome`
      : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  for (const isSecure of [false, true]) {
    await withServer(isSecure, answer, async (test, base, heads) => {
      const client = await RawClient.reach(test.proxy, base, isSecure);
      client.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
      assert.equal((await client.answer()).status, 200);
      if (!isSecure) {
        client.write(
          "PUT /b HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nhi",
        );
        assert.equal((await client.answer()).status, 200);
        assert.doesNotMatch(heads.join(), /upgrade/i);
      }
      client.write(`GET /socket HTTP/1.1\r\nHost: h\r\n${UPGRADE}\r\n`);
      assert.match(await client.until("\r\n\r\n"), /^HTTP\/1.1 101 /);
      await client.until("welcome");
      assert.equal(test.interactions.at(-1)?.response?.status_code, 101);
      client.destroy();
    });
  }
});
