// Tests servers that attack the probe: its time, its memory, its credentials, or other servers through it.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { SendResult } from "../../../src/run/probe/probe_client.ts";
import { startRawServer, startServer } from "../../proxy/test_server.ts";
import {
  LIBRARY,
  LibraryServer,
  makeClient,
  probe as probeServer,
  type Probed,
} from "./library_server.ts";

/** The same API with text ids. */
const WITH_TEXTS = JSON.parse(
  JSON.stringify(LIBRARY).replace('"schema":{"type":"integer"}', '"schema":{"type":"string"}'),
) as typeof LIBRARY;

async function against<T>(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  action: (url: string, lines: readonly string[]) => Promise<T>,
): Promise<T> {
  const lines: string[] = [];
  await using server = await startServer((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  return await action(`http://127.0.0.1:${server.port}`, lines);
}

async function sendOne(url: string): Promise<SendResult> {
  const client = makeClient(url);
  try {
    const request = { method: "GET", url: `${url}/books`, headers: {} };
    return await client.send(request, new AbortController().signal);
  } finally {
    client.close();
  }
}

async function probe(server: string): Promise<Probed> {
  const credential = (name: string) => name === "COVTOOL_AUTH_SHOP_KEY" ? "k-17" : undefined;
  const clock = () => performance.now();
  const settings = { isUnsafe: true, max: 60, seconds: 60, credential };
  return await probeServer(server, settings, { clock }, WITH_TEXTS);
}

/** Sends one request, with a timeout of ten minutes. */
const SENDS_ONE = `
  const { ProbeClient } = await import(Deno.args[0]);
  const [, server] = Deno.args;
  const limits = { bodyLimit: 10_000, timeout: 600_000 };
  const client = new ProbeClient({ server, headers: [], ...limits, now: Date.now });
  const request = { method: "GET", url: server + "/books", headers: {} };
  console.log((await client.send(request, new AbortController().signal)).kind);
  client.close();
`;

Deno.test("a program ends after the last response without waiting for the timeout", () =>
  against((_, response) => response.end("[]"), async (server) => {
    const module = import.meta.resolve("../../../src/run/probe/probe_client.ts");
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", SENDS_ONE, module, server],
      signal: AbortSignal.timeout(60_000),
    }).output();
    assert.equal(new TextDecoder().decode(stdout), "answered\n");
    assert.ok(success, "It is still waiting after a minute.");
  }));

/** Writes a piece at regular intervals. */
function drip(response: Writable, piece: string, milliseconds: number): void {
  const timer = setInterval(() => response.write(piece), milliseconds);
  response.on("close", () => clearInterval(timer));
  response.on("error", () => clearInterval(timer));
}

Deno.test("a body that arrives byte by byte has the same timeout as a response", async () => {
  const started = performance.now();
  const sent = await against((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    drip(response, " ", 20);
  }, sendOne);
  assert.ok(sent.kind === "answered");
  assert.deepEqual(sent.interaction.response?.body_truncated, true);
  assert.ok(performance.now() - started < 5000);
});

Deno.test("a head that arrives byte by byte counts as no response", async () => {
  await using server = await startRawServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    drip(socket, "X-Odd: 1\r\n", 20);
  });
  const sent = await sendOne(`http://127.0.0.1:${server.port}`);
  assert.ok(sent.kind === "failed");
  assert.match(sent.reason, /no answer within 0\.3 seconds|overflow/i);
});

Deno.test("a silent server counts as no response, with the reason", async () => {
  const sent = await against(() => {}, sendOne);
  assert.deepEqual(sent, { kind: "failed", reason: "no answer within 0.3 seconds" });
});

Deno.test("a body is cut at the limit, also an endless one", async () => {
  for (const isEndless of [false, true]) {
    const sent = await against((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.writable && response.write("x".repeat(5000)));
        if (response.writable) response.once("drain", more);
      };
      if (isEndless) more();
      else response.end("x".repeat(10_001));
    }, sendOne);
    assert.ok(sent.kind === "answered");
    const { body, body_truncated } = sent.interaction.response ?? {};
    assert.deepEqual([body, body_truncated], [undefined, true]);
  }
});

Deno.test("a request that is aborted while it is sent leaves no connection open", async () => {
  if (Deno.build.os === "windows") return;
  const open = new Set<Socket>();
  await using server = await startServer((_, response) => response.end("[]"));
  server.server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  const url = `http://127.0.0.1:${server.port}`;
  const request = { method: "GET", url, headers: {} };
  let abort = new AbortController();
  // One listener for all attempts, because a signal may arrive late.
  const onSignal = () => abort.abort();
  Deno.addSignalListener("SIGUSR2", onSignal);
  for (let attempt = 0; attempt < 5; attempt++) {
    const client = makeClient(url);
    const { signal } = new AbortController();
    assert.equal((await client.send(request, signal)).kind, "answered");
    abort = new AbortController();
    while (!abort.signal.aborted) {
      Deno.kill(Deno.pid, "SIGUSR2");
      // The signal arrives during this loop, and is handled after the next request has begun.
      const start = performance.now();
      while (performance.now() - start < 2);
      await client.send(request, abort.signal);
    }
    client.close();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  Deno.removeSignalListener("SIGUSR2", onSignal);
  assert.equal(open.size, 0);
});

Deno.test("a small body that decompresses to a large one is harmless", async () => {
  const bomb = gzipSync(new Uint8Array(5_000_000));
  assert.ok(bomb.length < 10_000);
  const { end } = await against((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
    response.end(bomb);
  }, probe);
  assert.equal(end, "done");
});

Deno.test("redirects, locations and links never lead to another server", async () => {
  await using other = await new LibraryServer().start();
  const { end, interactions } = await against((request, response) => {
    const isList = request.url === "/books";
    response.writeHead(isList ? 307 : 201, {
      "Content-Type": "application/json",
      Location: isList ? `${other.url}/books` : `${other.url}/books/9009`,
      Link: `<${other.url}/books?page=2>; rel="next"`,
      Refresh: `0; url=${other.url}`,
    });
    response.end(JSON.stringify({ href: `${other.url}/books/1`, next: `${other.url}/books` }));
  }, probe);
  assert.equal(end, "done");
  assert.ok(interactions.length > 5);
  assert.deepEqual(other.seen, []);
});

Deno.test("ids that are paths, secrets or placeholders are ignored or used as one segment", async () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0LXNpZ25hdHVyZQ";
  const ids = [
    "../me",
    "..",
    "a/../../me",
    "%2e%2e%2fme",
    token,
    "$COVTOOL_AUTH_SHOP_KEY",
    "x?limit=1",
    "x#y",
  ];
  let next = 0;
  const lines = await against((_, response) => {
    const id = ids[next++ % ids.length] ?? "";
    response.writeHead(201, {
      "Content-Type": "application/json",
      Location: `/books/${encodeURIComponent(id)}`,
    });
    response.end(JSON.stringify([{ bookId: id }]));
  }, async (url, seen) => {
    await probe(url);
    return [...seen];
  });
  assert.ok(lines.length > 10, lines.join("\n"));
  for (const line of lines) {
    assert.match(line, /^[A-Z]+ \/(books(\?limit=[^/]*|\/[^/?#]+)?|me)$/);
    assert.doesNotMatch(decodeURIComponent(line), /\.\.|eyJ|k-17/);
  }
});

Deno.test("a probe ends after five responses that aren't HTTP", async () => {
  await using server = await startRawServer((socket) => {
    socket.end("220 mail.example ESMTP\r\n", () => socket.destroy());
  });
  const { end, failed } = await probe(`http://127.0.0.1:${server.port}`);
  assert.deepEqual([end, failed], ["no_connection", 5]);
});

Deno.test("credentials are only sent to operations that need them, and never in a path", async () => {
  const { interactions } = await against((_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify([{ bookId: "$COVTOOL_AUTH_SHOP_KEY" }]));
  }, probe);
  for (const { request } of interactions) {
    const { url, headers, body } = request;
    const text = JSON.stringify([headers, body]);
    assert.equal(text.includes("k-17"), new URL(url).pathname === "/me", url);
    assert.doesNotMatch(url, /k-17/);
  }
  assert.ok(interactions.some(({ request }) => request.url.includes("%24COVTOOL_AUTH_SHOP_KEY")));
});
