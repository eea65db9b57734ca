import assert from "node:assert/strict";
import { eventually, RawClient } from "./raw_client.ts";
import { type Handler, startProxy, startServer } from "./test_server.ts";

const CLIENTS = 200;
/** 10,000 requests in all with COVTOOL_STRESS=50; fewer where that many would hold up the other tests. */
const REQUESTS_EACH = Number(Deno.env.get("COVTOOL_STRESS") ?? 10);

/** The kinds of trouble; a plain request is the most common one. */
const KINDS = [
  "plain",
  "plain",
  "plain",
  "post",
  "chunked",
  "reset",
  "cut",
  "broken_chunks",
  "early",
  "stall",
  "vanish_sending",
  "vanish_reading",
] as const;

const misbehave: Handler = (request, response) => {
  const kind = new URL(request.url ?? "", "http://localhost").pathname.slice(1);
  request.on("error", () => {});
  response.on("error", () => {});
  switch (kind) {
    case "reset":
      request.socket.destroy();
      return;
    case "cut":
      response.writeHead(200, { "content-length": "1000" });
      response.write("x".repeat(500));
      setTimeout(() => request.socket.destroy(), 1);
      return;
    case "broken_chunks":
      request.socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nbroken");
      setTimeout(() => request.socket.destroy(), 1);
      return;
    case "early":
      response.writeHead(413, { "content-length": "3", connection: "close" });
      response.end("big");
      return;
    case "stall":
      response.writeHead(200, { "content-length": "1000" });
      response.write("x");
      return;
    case "vanish_reading":
      response.writeHead(200, { "content-length": "2000000" });
      response.end("y".repeat(2_000_000));
      return;
    default:
      request.resume();
      request.on("end", () => {
        response.writeHead(200, { "content-length": "5" });
        response.end("hello");
      });
  }
};

/** Files, sockets and listeners that this process has open; 0 where the system does not tell. */
function openFiles(): number {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    return 0;
  }
}

/** Megabytes that stay in use, if the collector can be called: `deno test --v8-flags=--expose-gc`. */
function retained(): number {
  const { gc } = globalThis as { readonly gc?: () => void };
  gc?.();
  return gc === undefined ? 0 : Deno.memoryUsage().heapUsed / 1e6;
}

Deno.test("clients that vanish and servers that misbehave cost neither a recorded interaction nor a socket", async () => {
  const [files, megabytes] = [openFiles(), retained()];
  await misbehaveAll();
  // Connections that are being closed take a moment.
  await eventually(() => openFiles() <= files);
  assert.ok(retained() < megabytes + 20, `${retained()} MB after ${megabytes} MB`);
});

/** Clients and servers of all kinds, at once. */
async function misbehaveAll(): Promise<void> {
  await using plain = await startServer(misbehave);
  await using secure = await startServer(misbehave, true);
  await using test = await startProxy();
  const { proxy, interactions } = test;
  const completed: string[] = [];
  let random = 1;
  const next = (limit: number): number => {
    random = (random * 1103515245 + 12345) & 0x7fffffff;
    return (random >> 8) % limit;
  };

  async function run(id: number): Promise<void> {
    const isSecure = id % 4 === 0;
    const base = isSecure ? "" : `http://localhost:${plain.port}`;
    const open = async (): Promise<RawClient> => {
      if (!isSecure) return await RawClient.open(proxy.port);
      const tunnel = await RawClient.tunnel(proxy.port, `localhost:${secure.port}`);
      return await tunnel.secure(proxy.caCertificate);
    };
    let client: RawClient | undefined;
    for (let index = 0; index < REQUESTS_EACH; index++) {
      const kind = KINDS[next(KINDS.length)] ?? "plain";
      const name = `${id}-${index}`;
      const line = (method: string): string =>
        `${method} ${base}/${kind}?id=${name} HTTP/1.1\r\nHost: localhost\r\n`;
      try {
        client ??= await open();
        if (kind === "post") client.write(`${line("POST")}Content-Length: 5\r\n\r\n12345`);
        else if (kind === "chunked") {
          client.write(`${line("POST")}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`);
        } else if (kind === "early") {
          client.write(`${line("POST")}Content-Length: 100000\r\n\r\n${"z".repeat(1000)}`);
        } else if (kind === "vanish_sending") {
          client.write(`${line("POST")}Content-Length: 100000\r\n\r\n${"z".repeat(1000)}`);
        } else client.write(`${line("GET")}\r\n`);
        if (kind === "vanish_sending" || kind === "stall") {
          await new Promise((resolve) => setTimeout(resolve, 2 + next(20)));
          client.destroy();
          client = undefined;
          continue;
        }
        if (kind === "vanish_reading") {
          await client.until("\r\n\r\n");
          client.destroy();
          client = undefined;
          continue;
        }
        const { status } = await client.answer();
        if (status !== 502) completed.push(name);
        if (kind === "early") {
          client.destroy();
          client = undefined;
        }
      } catch {
        client?.destroy();
        client = undefined;
      }
    }
    client?.destroy();
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, id) => run(id)));
  const until = performance.now() + 10_000;
  while ((proxy.connections > 0 || proxy.inFlight > 0) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(proxy.connections, 0);
  assert.equal(proxy.inFlight, 0);
  const recorded = new Map<string, number>();
  for (const { request } of interactions) {
    const id = new URL(request.url).searchParams.get("id") ?? "";
    recorded.set(id, (recorded.get(id) ?? 0) + 1);
  }
  const lost = completed.filter((id) => !recorded.has(id));
  assert.deepEqual(lost, []);
  assert.ok([...recorded.values()].every((times) => times === 1));
  assert.ok(completed.length > CLIENTS * REQUESTS_EACH / 3, `${completed.length} completed`);
}
