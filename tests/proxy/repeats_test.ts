import assert from "node:assert/strict";
import { connect } from "node:net";
import { startFaultServer } from "./fault_server.ts";
import { eventually, pause, RawClient, within } from "./raw_client.ts";
import {
  echo,
  startProxy,
  startRawServer,
  startRequestServer,
  startServer,
} from "./test_server.ts";

/** Requests that clients send: the method, and the form of the body. */
const REQUESTS = [
  ["GET", "none"],
  ["HEAD", "none"],
  ["POST", "none"],
  ["POST", "length"],
  ["POST", "chunked"],
  ["PUT", "length"],
  ["PATCH", "chunked"],
  ["DELETE", "none"],
  ["DELETE", "length"],
] as const;
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD"]);
function send(
  client: RawClient,
  base: string,
  path: string,
  [method, body]: (typeof REQUESTS)[number],
): void {
  const framing = {
    none: method === "POST" ? "Content-Length: 0\r\n\r\n" : "\r\n",
    length: "Content-Length: 3\r\n\r\nabc",
    chunked: "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  }[body];
  client.write(`${method} ${base}${path} HTTP/1.1\r\nHost: ${new URL(base).host}\r\n${framing}`);
}

Deno.test("if the server closes a kept connection without a response, only safe requests are repeated", async () => {
  for (const isSecure of [false, true]) {
    for (const request of REQUESTS) {
      for (const fault of ["close", "close_on_head", "reset", "few_bytes"] as const) {
        await using server = await startFaultServer(isSecure);
        const base = `http${isSecure ? "s" : ""}://127.0.0.1:${server.port}`;
        await using test = await startProxy({ reverse: base });
        const client = await RawClient.open(test.proxy.port);
        send(client, base, "/ok", REQUESTS[0]);
        await client.answer();
        const what = `${request.join(" ")} ${fault} ${base}`;
        send(client, base, `/${fault}`, request);
        const { status } = await within(client.answer(request[0]), what);
        assert.equal(status, 502, what);
        const times = SAFE.has(request[0]) && fault !== "few_bytes" ? 2 : 1;
        const seen = server.heads.filter((head) => head.includes(` /${fault} `));
        assert.equal(seen.length, times, what);
        client.destroy();
      }
    }
  }
});

Deno.test("a request isn't repeated for a client that has disconnected", async () => {
  await using server = await startRequestServer((head) =>
    head.includes("/first") ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" : undefined
  );
  const { heads } = server;
  const base = `http://127.0.0.1:${server.port}`;
  await using test = await startProxy();
  const clients: RawClient[] = [];
  for (const request of REQUESTS) {
    const client = await RawClient.open(test.proxy.port);
    send(client, base, "/first", REQUESTS[0]);
    await client.answer();
    send(client, base, "/second", request);
    clients.push(client);
    await eventually(() => heads.length === 2 * clients.length);
  }
  for (const client of clients) client.destroy();
  await eventually(() => test.proxy.inFlight === 0);
  await pause(20);
  assert.equal(heads.length, 2 * clients.length, `${heads}`);
});

Deno.test("nothing is sent for a client that disconnects while the server is being reached", async () => {
  await using secure = await startServer(echo, true);
  const requests: string[] = [];
  secure.server.on("request", ({ url }) => requests.push(`${url}`));
  secure.server.on("upgrade", ({ url }) => requests.push(`${url}`));
  await Promise.all([false, true].flatMap((hasUpstreamProxy) =>
    [
      ["GET", "\r\n"],
      ["POST", "Content-Length: 3\r\n\r\nabc"],
      ["GET", "Upgrade: websocket\r\nConnection: upgrade\r\n\r\n"],
    ].map(([method, rest], index) =>
      leaveEarly(secure.port, `${method} /${hasUpstreamProxy}${index}`, `${rest}`, hasUpstreamProxy)
    )
  ));
  assert.deepEqual(requests, []);
});

/** Sends a request and disconnects just before the server can be reached. */
async function leaveEarly(
  securePort: number,
  methodAndPath: string,
  rest: string,
  hasUpstreamProxy: boolean,
): Promise<void> {
  let connections = 0;
  let isOpen = (): void => {};
  // Lets nothing through until it is told to.
  await using slow = await startRawServer((socket) => {
    connections++;
    socket.once("data", (chunk: Uint8Array) => {
      socket.pause();
      const isAsked = String.fromCharCode(...chunk.subarray(0, 7)) === "CONNECT";
      isOpen = () => {
        const onward = connect(securePort, "127.0.0.1");
        onward.on("error", () => {});
        if (isAsked) socket.write("HTTP/1.1 200 Fine\r\n\r\n");
        else onward.write(chunk);
        socket.pipe(onward).pipe(socket);
      };
    });
  });
  const { port } = slow;
  const server = `https://localhost:${port}`;
  await using test = await startProxy({
    reverse: server,
    upstreamProxy: hasUpstreamProxy ? `http://127.0.0.1:${port}` : undefined,
  });
  const client = await RawClient.open(test.proxy.port);
  client.write(`${methodAndPath} HTTP/1.1\r\nHost: x\r\n${rest}`);
  await eventually(() => connections > 0);
  await pause(20);
  client.destroy();
  await eventually(() => test.proxy.connections === 0);
  await pause(20);
  isOpen();
  await pause(150);
}

Deno.test("a request counts if the server may have it, even if its client disconnects during the repeat", async () => {
  const seen: string[] = [];
  await using secure = await startServer((request, response) => {
    seen.push(`${request.url}`);
    if (request.url === "/first") response.end("ok");
    else request.socket.destroy();
  }, true);
  let connections = 0;
  // Only the first connection leads to the server.
  await using front = await startRawServer((socket) => {
    if (connections++ > 0) return;
    const onward = connect(secure.port, "127.0.0.1");
    onward.on("error", () => {});
    onward.once("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await using test = await startProxy({ reverse: `https://localhost:${front.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert.equal((await client.answer()).status, 200);
  client.write("GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await eventually(() => connections === 2);
  client.destroy();
  await eventually(() => test.proxy.inFlight === 0);
  assert.deepEqual(seen, ["/first", "/second"]);
  assert.equal(test.interactions.length, 2);
});
