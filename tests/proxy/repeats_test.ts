import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Fault, startFaultServer } from "./fault_server.ts";
import { eventually, RawClient } from "./raw_client.ts";
import { echo, startProxy, startServer } from "./test_server.ts";

/** What clients send: a method, and how its body comes. */
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
const FAULTS: readonly Fault[] = [
  ...["ok", "ok", "ok", "then_close", "then_close"] as const,
  ...["close_on_head", "reset", "close", "few_bytes", "half_body", "nonsense"] as const,
];

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

/** Fails where an answer takes too long, instead of waiting with it. */
async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), 10_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("a kept connection that the server closes unanswered costs a repeat only where that changes nothing", async () => {
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
        const { status } = await soon(client.answer(request[0]), what);
        assert.equal(status, 502, what);
        const times = SAFE.has(request[0]) && fault !== "few_bytes" ? 2 : 1;
        const seen = server.seen.filter((line) => line.includes(` /${fault} `));
        assert.equal(seen.length, times, what);
        client.destroy();
      }
    }
  }
});

Deno.test("nothing is sent a second time for a client that has gone", async () => {
  const seen: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk: Uint8Array) => {
      const [line = ""] = new TextDecoder().decode(chunk).split("\r\n");
      seen.push(line);
      if (line.includes("/first")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  {
    await using test = await startProxy();
    const clients: RawClient[] = [];
    for (const request of REQUESTS) {
      const client = await RawClient.open(test.proxy.port);
      send(client, base, "/first", REQUESTS[0]);
      await client.answer();
      send(client, base, "/second", request);
      clients.push(client);
      await eventually(() => seen.length === 2 * clients.length);
    }
    for (const client of clients) client.destroy();
    await eventually(() => test.proxy.inFlight === 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(seen.length, 2 * clients.length, `${seen}`);
  }
  for (const socket of sockets) socket.destroy();
  server.close();
});

Deno.test("nothing is sent for a client that leaves while the server is being reached", async () => {
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

/** Sends a request and leaves before the server can be reached, which it then can. */
async function leaveEarly(
  securePort: number,
  methodAndPath: string,
  rest: string,
  hasUpstreamProxy: boolean,
): Promise<void> {
  let connections = 0;
  let isOpen = (): void => {};
  // Lets nothing through before it is told to.
  const slow = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
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
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  const { port } = slow.address() as AddressInfo;
  const server = `https://localhost:${port}`;
  {
    await using test = await startProxy({
      reverse: server,
      upstreamProxy: hasUpstreamProxy ? `http://127.0.0.1:${port}` : undefined,
    });
    const client = await RawClient.open(test.proxy.port);
    client.write(`${methodAndPath} HTTP/1.1\r\nHost: x\r\n${rest}`);
    await eventually(() => connections > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.destroy();
    await eventually(() => test.proxy.connections === 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    isOpen();
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  slow.close();
}

Deno.test("among thousands of requests through random faults, none is repeated wrongly and none hangs", async () => {
  await using server = await startFaultServer();
  await using test = await startProxy();
  const base = `http://127.0.0.1:${server.port}`;
  const sent = new Map<string, string>();
  let random = 7;
  const next = (limit: number): number => {
    random = (random * 1103515245 + 12345) & 0x7fffffff;
    return (random >> 8) % limit;
  };
  const statuses = new Map<Fault, Set<number>>();

  async function run(id: number): Promise<void> {
    let client: RawClient | undefined;
    for (let index = 0; index < 60; index++) {
      const request = REQUESTS[next(REQUESTS.length)] ?? REQUESTS[0];
      const fault = FAULTS[next(FAULTS.length)] ?? "ok";
      const path = `/${fault}/${id}-${index}`;
      sent.set(path, request[0]);
      client ??= await RawClient.open(test.proxy.port);
      send(client, base, path, request);
      // Some do not wait.
      if (next(20) === 0) {
        client.destroy();
        client = undefined;
        continue;
      }
      try {
        const { status, head } = await soon(client.answer(request[0]), `${request} ${path}`);
        const all = statuses.get(fault) ?? new Set();
        statuses.set(fault, all.add(status));
        if (!/\r\nconnection: close/i.test(head)) continue;
      } catch (error) {
        // An answer that breaks off for the proxy breaks off for the client.
        if (fault !== "half_body" || /hangs/.test(String(error))) throw error;
      }
      client.destroy();
      client = undefined;
    }
    client?.destroy();
  }

  await Promise.all(Array.from({ length: 50 }, (_, id) => run(id)));
  await eventually(() => test.proxy.inFlight === 0);
  const seen = new Map<string, { times: number; answered: number }>();
  for (const [index, line] of server.seen.entries()) {
    const path = line.split(" ")[1] ?? "";
    const one = seen.get(path) ?? { times: 0, answered: 0 };
    one.times++;
    if (server.answered.has(index)) one.answered++;
    seen.set(path, one);
  }
  const repeated = [...seen].filter(([path, { times, answered }]) =>
    times > (SAFE.has(sent.get(path) ?? "") ? 2 : 1) || (times > 1 && answered > 1)
  );
  assert.deepEqual(repeated, []);
  assert.deepEqual([...statuses.get("close") ?? []], [502]);
  assert.deepEqual([...statuses.get("few_bytes") ?? []], [502]);
  assert.ok(statuses.get("ok")?.has(200));
  assert.ok(seen.size > 2000, `${seen.size} were seen`);
});

Deno.test("a request that its server may have counts, though its client leaves while it is sent again", async () => {
  const seen: string[] = [];
  await using secure = await startServer((request, response) => {
    seen.push(`${request.url}`);
    if (request.url === "/first") response.end("ok");
    else request.socket.destroy();
  }, true);
  let connections = 0;
  const sockets = new Set<Socket>();
  // The first connection leads to the server, and the second one nowhere.
  const front = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (connections++ > 0) return;
    const onward = connect(secure.port, "127.0.0.1");
    onward.on("error", () => {});
    onward.once("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  {
    await using test = await startProxy({ reverse: `https://localhost:${port}` });
    const client = await RawClient.open(test.proxy.port);
    client.write("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert.equal((await client.answer()).status, 200);
    client.write("GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await eventually(() => connections === 2);
    client.destroy();
    await eventually(() => test.proxy.inFlight === 0);
    assert.deepEqual(seen, ["/first", "/second"]);
    assert.equal(test.interactions.length, 2);
  }
  for (const socket of sockets) socket.destroy();
  front.close();
});
