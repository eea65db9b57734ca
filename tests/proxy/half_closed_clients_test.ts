import assert from "node:assert/strict";
import { eventually, pause, RawClient } from "./raw_client.ts";
import { type Handler, startProxy, startRequestServer, startServer } from "./test_server.ts";

const late: Handler = (request, response) => {
  request.resume();
  request.on("end", () => {
    setTimeout(() => response.end(`late ${request.method} ${request.rawHeaders.length}`), 50);
  });
};

const REQUESTS = [
  ["GET / HTTP/1.1\r\nHost: h\r\n\r\n", 1],
  ["GET / HTTP/1.0\r\n\r\n", 1],
  ["POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", 1],
  ["GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n", 2],
] as const;

/** Sends requests and closes the sending side. Returns what arrives until the other side ends. */
async function answers(client: RawClient, requests: string): Promise<string> {
  const { socket } = client;
  socket.allowHalfOpen = true;
  let got = "";
  socket.on("data", (chunk: Uint8Array) => got += new TextDecoder().decode(chunk));
  const ended = new Promise((resolve) => socket.once("end", resolve));
  socket.end(requests);
  await ended;
  socket.destroy();
  return got;
}

Deno.test("a client that closes its sending side after its requests gets all responses", async () => {
  await using server = await startServer(late);
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  for (const [requests, count] of REQUESTS) {
    for (const before of [0, 2]) {
      const client = await RawClient.open(test.proxy.port);
      for (let index = 0; index < before; index++) {
        client.write("GET /before HTTP/1.1\r\nHost: h\r\n\r\n");
        await client.answer();
      }
      const started = performance.now();
      const got = await answers(client, requests);
      assert.equal(got.match(/late (?:GET|POST)/g)?.length, count, `${requests}: ${got}`);
      // A kept connection would be closed after 75 s.
      assert.ok(performance.now() - started < 30_000, "the end comes with the last answer");
    }
  }
  assert.equal(test.interactions.length, 2 * 5 + 4 * 2);
  for (const { request } of test.interactions) {
    assert.doesNotMatch(JSON.stringify(request.headers), /covtool/i);
  }
  await eventually(() => test.proxy.connections === 0);
});

Deno.test("a half-closed client is served inside a tunnel and with a full URL as the target", async () => {
  await using server = await startServer(late);
  await using test = await startProxy();
  const tunnel = await RawClient.tunnel(test.proxy.port, `127.0.0.1:${server.port}`);
  const client = await RawClient.open(test.proxy.port);
  const host = `127.0.0.1:${server.port}`;
  assert.match(await answers(tunnel, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /late GET/);
  const whole = `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  assert.match(await answers(client, whole), /late GET/);
});

Deno.test("a large body is forwarded completely after its client half-closed", async () => {
  await using server = await startServer((request, response) => {
    let length = 0;
    request.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      request.pause();
      setTimeout(() => request.resume(), 1);
    });
    request.on("end", () => response.end(`got ${length}`));
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  const head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n";
  assert.match(await answers(client, head + "x".repeat(3_000_000)), /got 3000000/);
});

Deno.test("a slow response to a half-closed client is complete as long as data arrives", async () => {
  await using server = await startServer((_request, response) => {
    let left = 4;
    const timer = setInterval(() => {
      response.write("bit ");
      if (--left > 0) return;
      clearInterval(timer);
      response.end("end");
    }, 1000);
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  const got = await answers(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  assert.match(got, /bit[^]*bit[^]*bit[^]*bit[^]*end/);
});

Deno.test("a half-closed client is dropped if the server stays silent", async () => {
  await using server = await startServer((request, response) => {
    // For some requests, the response has begun.
    if (request.url === "/begun") response.write("once");
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const clients: RawClient[] = [];
  for (const path of ["/silent", "/begun"]) {
    for (const rest of ["\r\n", "Content-Length: 9\r\n\r\npart"]) {
      const client = await RawClient.open(test.proxy.port);
      client.write(`POST ${path} HTTP/1.1\r\nHost: h\r\n${rest}`);
      clients.push(client);
    }
  }
  await eventually(() => test.proxy.inFlight === clients.length);
  for (const client of clients) client.destroy();
  await eventually(() => test.proxy.inFlight === 0 && test.proxy.connections === 0);
});

Deno.test("a client that leaves an endless response is dropped even though the server keeps sending", async () => {
  let isTold = false;
  await using server = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => response.write("data: tick\n\n"), 20);
    response.on("close", () => {
      clearInterval(timer);
      isTold = true;
    });
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write("GET /events HTTP/1.1\r\nHost: h\r\n\r\n");
  await new Promise((resolve) => client.socket.once("data", resolve));
  // Leaves like curl, browsers and EventSource: closes its side and reads nothing more.
  client.socket.destroy();
  await eventually(() => test.interactions.length === 1);
  // The server is told while the proxy still runs, not only at its end.
  await eventually(() => isTold, 30_000);
  await eventually(() => test.proxy.connections === 0);
});

Deno.test("a connection that is half-closed between requests is closed at once", async () => {
  await using server = await startServer(late);
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  await client.answer();
  client.destroy();
  await eventually(() => test.proxy.connections === 0, 1500);
});

Deno.test("no request is repeated for a half-closed client", async () => {
  let leave = (): void => {};
  await using server = await startRequestServer((head, socket) => {
    if (head.includes("/first")) return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    leave = () => socket.destroy();
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write("GET /first HTTP/1.1\r\nHost: h\r\n\r\n");
  await client.answer();
  const got = answers(client, "GET /second HTTP/1.1\r\nHost: h\r\n\r\n");
  await eventually(() => server.heads.length === 2);
  await pause(50);
  leave();
  assert.match(await got, /^HTTP\/1\.1 502 /);
  assert.equal(server.heads.length, 2);
});
