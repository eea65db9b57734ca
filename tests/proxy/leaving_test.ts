import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { eventually, RawClient } from "./raw_client.ts";
import { Http2Client } from "./soak/h2_client.ts";
import { echo, startProxy, startServer } from "./test_server.ts";

Deno.test("a request over HTTP/2 that is broken off is ended towards the server, and counts once", async () => {
  let open = 0;
  let seen = 0;
  await using server = await startServer((request) => {
    seen++;
    open++;
    request.socket.once("close", () => open--);
    request.on("error", () => {});
  }, true);
  await using test = await startProxy();
  for (const method of ["GET", "HEAD", "DELETE"]) {
    for (const isReset of [true, false]) {
      const before = test.proxy.interactions;
      const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${server.port}`);
      const client = new Http2Client(
        await tunnel.secure(test.proxy.caCertificate, "localhost", "h2"),
      );
      const reached = seen + 1;
      const { stream } = client.begin([
        [":method", method],
        [":scheme", "https"],
        [":authority", `localhost:${server.port}`],
        [":path", "/"],
      ], true);
      await eventually(() => seen === reached);
      if (isReset) client.reset(stream);
      else client.destroy();
      await eventually(() => test.proxy.inFlight === 0 && open === 0);
      assert.equal(test.proxy.interactions, before + 1, method);
      client.destroy();
    }
  }
});

Deno.test("a request that never got through the TLS handshake with the server is not recorded", async () => {
  const sockets = new Set<Socket>();
  // Accepts connections, and says nothing.
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  {
    await using test = await startProxy();
    for (const protocol of ["http/1.1", "h2"]) {
      const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${port}`);
      const client = await tunnel.secure(test.proxy.caCertificate, "localhost", protocol);
      if (protocol === "h2") {
        new Http2Client(client).begin([
          [":method", "GET"],
          [":scheme", "https"],
          [":authority", `localhost:${port}`],
          [":path", "/"],
        ], true);
      } else client.write(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
      await eventually(() => sockets.size === 1);
      client.destroy();
      await eventually(() => test.proxy.inFlight === 0 && sockets.size === 0);
    }
    assert.equal(test.proxy.interactions, 0);
  }
  silent.close();
});

Deno.test("a request that waits for its answer when the proxy is stopped counts", async () => {
  let seen = 0;
  await using server = await startServer((request) => {
    seen++;
    request.on("error", () => {});
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await eventually(() => seen === 1);
  await test.proxy.close(20);
  assert.equal(test.proxy.interactions, 1);
  client.destroy();
});

Deno.test("requests with heads of 200 KB get through, and over TLS with 50 KB", async () => {
  await using plain = await startServer(echo, false, 512 * 1024);
  await using secure = await startServer(echo, true, 512 * 1024);
  await using test = await startProxy();
  for (const server of [plain, secure]) {
    const size = (server === secure ? 50 : 200) * 1024;
    const authority = `localhost:${server.port}`;
    let client = await RawClient.tunnel(test.proxy.port, authority);
    if (server === secure) client = await client.secure(test.proxy.caCertificate);
    for (let times = 2; times > 0; times--) {
      client.write(`GET / HTTP/1.1\r\nHost: ${authority}\r\nX-Long: ${"h".repeat(size)}\r\n\r\n`);
      const { status, body } = await client.answer();
      assert.equal(status, 200);
      const { fields } = JSON.parse(new TextDecoder().decode(body));
      assert.equal(fields[fields.indexOf("X-Long") + 1].length, size);
    }
    client.destroy();
  }
});

Deno.test("pipelined requests behind one that waits end with their client's connection", async () => {
  await using server = await startServer((request, response) => {
    if (request.url === "/hang") return;
    response.on("error", () => {});
    response.end("x".repeat(3_000_000));
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  client.write(get("/hang") + get("/large").repeat(3));
  await eventually(() => test.proxy.inFlight === 4);
  await new Promise((resolve) => setTimeout(resolve, 100));
  client.destroy();
  await eventually(() => test.proxy.inFlight === 0 && test.proxy.connections === 0, 8000);
  assert.equal(test.interactions.length, 4);
});
