import assert from "node:assert/strict";
import { eventually, pause, RawClient, requestFields } from "./raw_client.ts";
import { Http2Client } from "./soak/h2_client.ts";
import { echo, startProxy, startRawServer, startServer } from "./test_server.ts";

Deno.test("a cancelled HTTP/2 request is also cancelled at the server, and counts once", async () => {
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
      const authority = `localhost:${server.port}`;
      const client = new Http2Client(await RawClient.reach(test.proxy, authority, true, "h2"));
      const reached = seen + 1;
      const { stream } = client.begin(requestFields(method, authority), true);
      await eventually(() => seen === reached);
      if (isReset) client.reset(stream);
      else client.destroy();
      await eventually(() => test.proxy.inFlight === 0 && open === 0);
      assert.equal(test.proxy.interactions, before + 1, method);
      client.destroy();
    }
  }
});

Deno.test("a request whose TLS handshake with the server never finished is not recorded", async () => {
  // Accepts connections without sending anything.
  await using silent = await startRawServer((socket) => void socket.resume());
  const { port, sockets } = silent;
  await using test = await startProxy();
  const authority = `localhost:${port}`;
  for (const protocol of ["http/1.1", "h2"] as const) {
    const client = await RawClient.reach(test.proxy, authority, true, protocol);
    if (protocol === "h2") new Http2Client(client).begin(requestFields("GET", authority), true);
    else client.write(`GET / HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    await eventually(() => sockets.size === 1);
    client.destroy();
    await eventually(() => test.proxy.inFlight === 0 && sockets.size === 0);
  }
  assert.equal(test.proxy.interactions, 0);
});

Deno.test("a request that waits for its response when the proxy stops is recorded", async () => {
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

Deno.test("requests with heads of 200 KB are forwarded, over TLS up to 50 KB", async () => {
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

Deno.test("pipelined requests after a waiting one end with their client's connection", async () => {
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
  await pause(100);
  client.destroy();
  await eventually(() => test.proxy.inFlight === 0 && test.proxy.connections === 0, 8000);
  assert.equal(test.interactions.length, 4);
});

/** In milliseconds. A connection that should be closed counts as kept after this time. */
const LATE = 6000;

for (
  const [name, request] of [
    [
      "a head and its body",
      (host: string) =>
        `POST / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\nContent-Length: 4\r\n\r\nbody`,
    ],
    ["a head alone", (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\n\r\n`],
    [
      "a body that doesn't end",
      (host: string) =>
        `POST / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\nContent-Length: 9\r\n\r\nbody`,
    ],
  ] as const
) {
  for (const way of ["in the open", "over TLS"] as const) {
    Deno.test(`the connection of a refused client is closed: ${name}, ${way}`, async () => {
      await using server = await startServer((_request, response) => void response.end("fine"));
      await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
      const client = await RawClient.open(test.proxy.port);
      const reader = way === "over TLS" ? await client.secure(test.proxy.caCertificate) : client;
      reader.write(request(`localhost:${test.proxy.port}`));
      assert.equal((await reader.answer()).status, 400);
      assert.ok(await reader.ends(LATE), "the connection stays open");
    });
  }
}

Deno.test("the response to an HTTP/1.0 request over TLS has an end, whatever its length", async () => {
  await using server = await startServer((_request, response) => {
    response.write("one ");
    setTimeout(() => response.end("two"), 20);
  });
  await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
  for (let round = 0; round < 5; round++) {
    const client = await (await RawClient.open(test.proxy.port)).secure(test.proxy.caCertificate);
    client.write(`GET / HTTP/1.0\r\nHost: localhost:${test.proxy.port}\r\n\r\n`);
    await client.until("one two");
    assert.ok(await client.ends(LATE), "the connection stays open");
  }
});

for (const way of ["in the open", "over TLS"] as const) {
  Deno.test(`a client that is still sending gets the last response on its connection: ${way}`, async () => {
    await using server = await startServer((_request, response) => void response.end("early"));
    await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
    const part = new Uint8Array(200_000);
    for (let round = 0; round < 30; round++) {
      const plain = await RawClient.open(test.proxy.port);
      const client = way === "over TLS" ? await plain.secure(test.proxy.caCertificate) : plain;
      const version = round % 2;
      client.write(
        `PUT / HTTP/1.${version}\r\nHost: localhost:${test.proxy.port}\r\nConnection: close\r\n` +
          "Content-Length: 4000000\r\n\r\n",
      );
      for (let left = 12; left > 0; left--) client.write(part);
      assert.equal((await client.answer()).status, 200);
      client.destroy();
    }
  });
}
