import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Upstream } from "../../src/proxy/upstream.ts";
import { echo, startRawServer, startServer } from "./test_server.ts";

Deno.test("a request is sent with its fields in order, then the mark, on a reused connection", async () => {
  await using server = await startServer(echo);
  let connections = 0;
  server.server.on("connection", () => connections++);
  const upstream = new Upstream({ via: "1.1 me" });
  for (let index = 0; index < 3; index++) {
    const request = upstream.request({
      ...{ host: "127.0.0.1", port: server.port, isSecure: false, method: "GET", path: "/a?b" },
      fields: ["Host", "h", "x-A", "1", "X-a", "2"],
    });
    request.end();
    const [answer] = await once(request, "response") as [IncomingMessage];
    let text = "";
    for await (const chunk of answer) text += chunk;
    const { url, fields } = JSON.parse(text);
    assert.equal(url, "/a?b");
    assert.deepEqual(fields.slice(0, 8), ["Host", "h", "x-A", "1", "X-a", "2", "Via", "1.1 me"]);
  }
  assert.equal(connections, 1);
  upstream.close();
});

Deno.test("names below localhost mean this machine, also over TLS and in tunnels", async () => {
  for (const isSecure of [false, true]) {
    await using server = await startServer(echo, isSecure);
    const upstream = new Upstream({ insecure: true });
    for (const host of ["shop.localhost", "a.b.LOCALHOST", "shop.localhost."]) {
      const target = { host, port: server.port, isSecure, method: "GET", path: "/" };
      for (const isFresh of [false, true]) {
        const request = upstream.request({
          ...target,
          fields: ["Host", host],
          onNewConnection: isFresh,
        });
        request.end();
        const [answer] = await once(request, "response") as [IncomingMessage];
        let text = "";
        for await (const chunk of answer) text += chunk;
        assert.equal(JSON.parse(text).fields[1], host);
      }
      (await upstream.connect(target)).destroy();
    }
    upstream.close();
  }
});

Deno.test("an error about an upstream proxy's URL doesn't quote its password", () => {
  assert.deepEqual(new Upstream({ upstreamProxy: "http://u:p@h:3128" }).proxy?.host, "h");
  assert.throws(
    () => new Upstream({ upstreamProxy: "socks5://u:secret@h" }),
    (error: Error) =>
      /upstream proxy cannot be used/.test(error.message) && !/secret/.test(error.message),
  );
});

Deno.test("bytes that come together with the upstream proxy's answer belong to the tunnel", async () => {
  await using proxy = await startRawServer((socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\n220 mail.example ready\r\n"));
  });
  const upstream = new Upstream({ upstreamProxy: `http://127.0.0.1:${proxy.port}` });
  const tunnel = await upstream.connect({ host: "mail.example", port: 25 });
  tunnel.resume();
  const [greeting] = await once(tunnel, "data");
  assert.equal(String(greeting), "220 mail.example ready\r\n");
  tunnel.destroy();
  upstream.close();
});

Deno.test("a response is read even if nothing can be sent any more", async () => {
  const parts: (() => void)[] = [];
  await using server = await startRawServer((socket) => {
    socket.once("data", () => {
      socket.pause();
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", () => {
        // Unread data makes this a reset.
        socket.destroy();
        parts.shift()?.();
      });
    });
  });
  const upstream = new Upstream();
  for (let round = 0; round < 20; round++) {
    const request = upstream.request({
      ...{ host: "127.0.0.1", port: server.port, isSecure: false, method: "PUT", path: "/" },
      fields: ["Host", "h", "Content-Length", "4000000"],
    });
    const part = new Uint8Array(400_000);
    parts.push(() => {
      for (let left = 5; left > 0; left--) request.write(part);
    });
    request.write(part);
    const [{ statusCode }] = await once(request, "response") as [IncomingMessage];
    assert.equal(statusCode, 413);
    request.destroy();
  }
  upstream.close();
});
