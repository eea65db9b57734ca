import axios from "axios";
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
import Fastify from "fastify";
import got from "got";
import { Hono } from "hono";
import Koa from "koa";
import ky from "ky";
import { ofetch } from "ofetch";
import supertest from "supertest";
import * as undici from "undici";
import type { HttpResponse, Interaction } from "../../mod.ts";
import { connectMiddleware, fastifyRecorder, koaMiddleware } from "../../src/entries/server.ts";
import { headerLookup } from "../../src/http/headers.ts";
import { PluginSet } from "../../src/plugins/plugin_set.ts";
import type { SinkOptions } from "../../src/plugins/plugin_sink.ts";
import { test } from "./session.ts";

const BOOK = '{"title":"Пикник","price":9.9}';
const BYTES = new TextEncoder().encode(BOOK);
const GZIP = new Uint8Array(gzipSync(BOOK));

/** A set of plugins with the interactions that they record. */
function collector(options?: SinkOptions): { plugins: PluginSet; interactions: Interaction[] } {
  const interactions: Interaction[] = [];
  const plugins = new PluginSet(
    (request, response, timestamp, test) =>
      interactions.push({ request, response, timestamp, test }),
    options,
  );
  return { plugins, interactions };
}

/** Starts an HTTP/1.1 server for one test. */
async function listen(listener: RequestListener): Promise<AsyncDisposable & { origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds with a book, compressed if the path says so. */
const books: RequestListener = (request, response) => {
  const isGzip = request.url === "/gzip";
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Set-Cookie": ["a=1", "b=2"],
    ...(isGzip && { "Content-Encoding": "gzip" }),
  });
  response.end(isGzip ? GZIP : BYTES);
};

/** The body of a response as the recorder reads it: decompressed if the headers say that it is compressed. */
async function decodedText(response: HttpResponse | undefined): Promise<string> {
  const { body, headers } = response ?? {};
  if (body === undefined || body === null) return `no body: ${response?.body_truncated}`;
  if (typeof body === "string") return body;
  const encoding = headerLookup(headers).get("content-encoding");
  const stream = new Blob([new Uint8Array(body)]).stream();
  return await new Response(
    encoding === undefined ? stream : stream.pipeThrough(new DecompressionStream("gzip")),
  ).text();
}

type Call = (plugins: PluginSet, url: string) => Promise<unknown>;

/** Clients, each with the usual way to read responses. */
const CLIENTS: Readonly<Record<string, Call>> = {
  "fetch, json()": async ({ fetch: plugin }, url) =>
    JSON.stringify(await (await plugin.trackClient(fetch)(url)).json()),
  "fetch, text()": async ({ fetch: plugin }, url) =>
    await (await plugin.trackClient(fetch)(url)).text(),
  "fetch, arrayBuffer()": async ({ fetch: plugin }, url) =>
    new TextDecoder().decode(await (await plugin.trackClient(fetch)(url)).arrayBuffer()),
  "fetch, blob()": async ({ fetch: plugin }, url) =>
    await (await (await plugin.trackClient(fetch)(url)).blob()).text(),
  "fetch, the stream": async ({ fetch: plugin }, url) => {
    const { body } = await plugin.trackClient(fetch)(url);
    return await new Response(body).text();
  },
  "fetch, a buffer of one's own": async ({ fetch: plugin }, url) => {
    const { body } = await plugin.trackClient(fetch)(url);
    const reader = body?.getReader({ mode: "byob" });
    let text = "";
    const decoder = new TextDecoder();
    for (;;) {
      const part = await reader?.read(new Uint8Array(7));
      if (part === undefined || part.done) return text;
      text += decoder.decode(part.value, { stream: true });
    }
  },
  "fetch, a clone": async ({ fetch: plugin }, url) => {
    const response = await plugin.trackClient(fetch)(url);
    const text = await response.clone().text();
    await response.body?.cancel();
    return text;
  },
  "fetch, a clone after looking at the stream": async ({ fetch: plugin }, url) => {
    const response = await plugin.trackClient(fetch)(url);
    assert.ok(response.body);
    const copy = response.clone();
    assert.equal(copy.url, response.url);
    assert.equal(await copy.text(), await response.text());
    return BOOK;
  },
  axios: async ({ axios: plugin }, url) =>
    JSON.stringify((await plugin.trackClient(axios.create()).get(url)).data),
  "axios, bytes": async ({ axios: plugin }, url) => {
    const client = plugin.trackClient(axios.create({ responseType: "arraybuffer" }));
    return new TextDecoder().decode((await client.get(url)).data);
  },
  "axios, a stream": async ({ axios: plugin }, url) => {
    const client = plugin.trackClient(axios.create({ responseType: "stream" }));
    let text = "";
    for await (const chunk of (await client.get(url)).data) text += chunk;
    return text;
  },
  ky: async ({ ky: plugin }, url) => JSON.stringify(await plugin.trackClient(ky)(url).json()),
  got: async ({ got: plugin }, url) => await plugin.trackClient(got)(url).text(),
  ofetch: async ({ ofetch: plugin }, url) => JSON.stringify(await plugin.trackClient(ofetch)(url)),
  undici: async ({ undici: plugin }, url) => {
    const dispatcher = plugin.trackClient(new undici.Agent());
    const { body, headers } = await undici.request(url, { dispatcher });
    const bytes = new Uint8Array(await body.arrayBuffer());
    await dispatcher.close();
    return await decodedText({ body: bytes, headers: headers as Record<string, string> });
  },
  supertest: async ({ supertest: plugin }, url) => {
    const { origin, pathname } = new URL(url);
    return (await plugin.trackClient(supertest(origin)).get(pathname)).text;
  },
};

for (const [name, call] of Object.entries(CLIENTS)) {
  test(`${name}: the response is recorded as it was received, and can be read as before`, async () => {
    await using server = await listen(books);
    for (const path of ["/plain", "/gzip"]) {
      const { plugins, interactions } = collector();
      assert.equal(await call(plugins, `${server.origin}${path}`), BOOK, path);
      await plugins.settled();
      assert.equal(interactions.length, 1, path);
      const response = interactions[0]?.response;
      assert.equal(response?.status_code, 200);
      assert.equal(headerLookup(response?.headers).get("content-type"), "application/json");
      assert.equal(await decodedText(response), BOOK, path);
    }
  });
}

interface ExpressLike {
  type(name: string): { send(text: string): unknown };
}

/** Servers that respond with a book. */
const SERVERS: Readonly<Record<string, (plugins: PluginSet) => RequestListener>> = {
  "node:http": (plugins) => {
    const middleware = connectMiddleware(plugins);
    return (request, response) =>
      middleware(request, response, () => void books(request, response as never));
  },
  Express: (plugins) => {
    const app = express();
    app.use(connectMiddleware(plugins) as never);
    const answer = (_request: unknown, response: ExpressLike) =>
      void response.type("json").send(BOOK);
    app.get("/plain", answer as never);
    return app as unknown as RequestListener;
  },
  Koa: (plugins) => {
    const app = new Koa();
    app.use(koaMiddleware(plugins) as never);
    app.use((context: { type: string; body: unknown }) => {
      context.type = "json";
      context.body = BOOK;
    });
    return app.callback();
  },
};

for (const [name, make] of Object.entries(SERVERS)) {
  test(`a ${name} server records its responses`, async () => {
    const { plugins, interactions } = collector();
    await using server = await listen(make(plugins));
    const response = await fetch(`${server.origin}/plain`);
    assert.equal(await response.text(), BOOK);
    await plugins.settled();
    const recorded = interactions[0]?.response;
    assert.equal(await decodedText(recorded), BOOK);
    assert.match(headerLookup(recorded?.headers).get("content-type") ?? "", /^application\/json/);
  });
}

test("a Fastify server records its responses, and so does inject()", async () => {
  const { plugins, interactions } = collector();
  const app = Fastify();
  await app.register(fastifyRecorder(plugins) as never);
  app.get("/plain", (_request, reply) => void reply.type("application/json").send(BOOK));
  assert.equal((await app.inject("/plain")).body, BOOK);
  assert.equal(await decodedText(interactions[0]?.response), BOOK);
  const other = collector();
  const tracked = Fastify();
  tracked.get("/plain", (_request, reply) => void reply.type("application/json").send(BOOK));
  other.plugins.fastify.trackClient(tracked as never);
  assert.equal((await tracked.inject("/plain")).body, BOOK);
  await new Promise<void>((resolve) => void tracked.inject("/plain", () => resolve()));
  await other.plugins.settled();
  for (const { response } of other.interactions) assert.equal(await decodedText(response), BOOK);
  assert.equal(other.interactions.length, 2);
});

Deno.test("app.request() of Hono records the response while it is read", async () => {
  const { plugins, interactions } = collector();
  const app = new Hono();
  app.get("/plain", (context) => context.body(BOOK, 200, { "Content-Type": "application/json" }));
  const handler = plugins.handler.trackClient(app.fetch as (request: Request) => Promise<Response>);
  const response = await handler(new Request("http://localhost/plain"));
  assert.equal(interactions.length, 0);
  assert.equal(await response.text(), BOOK);
  assert.equal(await decodedText(interactions[0]?.response), BOOK);
});

test(
  "recording a handler doesn't change a byte that Deno.serve sends",
  async () => {
    const handler = (): Response =>
      new Response(BOOK, { headers: { "content-type": "text/plain" } });
    const { plugins, interactions } = collector();
    const sent: string[] = [];
    for (const one of [handler, plugins.handler.trackClient(handler)]) {
      const server = Deno.serve({ port: 0, onListen: () => {} }, one);
      const connection = await Deno.connect({ port: server.addr.port });
      await connection.write(
        new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
      );
      const text = await new Response(connection.readable).text();
      sent.push(text.replace(/^date: .*$/m, ""));
      await server.shutdown();
    }
    assert.equal(sent[0], sent[1]);
    await plugins.settled();
    assert.equal(await decodedText(interactions[0]?.response), BOOK);
  },
);

Deno.test("a response that is not read counts without its body after settled()", async () => {
  const { plugins, interactions } = collector();
  const client = plugins.fetch.trackClient(() => Promise.resolve(Response.json([])));
  const response = await client();
  assert.equal(interactions.length, 0);
  await plugins.settled();
  assert.equal(interactions[0]?.response?.body_truncated, true);
  assert.deepEqual(await response.json(), []);
  assert.equal(interactions.length, 1);
});

Deno.test("a response is still the same object with the same properties", async () => {
  const { plugins } = collector();
  const own = Response.json({ a: 1 });
  const response = await plugins.fetch.trackClient(() => Promise.resolve(own))();
  assert.equal(response, own);
  assert.deepEqual(Object.keys(response), Object.keys(Response.json({})));
  assert.equal(response.bodyUsed, false);
  assert.ok(response.body instanceof ReadableStream);
  assert.equal(response.body, response.body);
  assert.equal(response.bodyUsed, false);
  assert.deepEqual(await response.json(), { a: 1 });
  assert.equal(response.bodyUsed, true);
  await assert.rejects(response.text(), TypeError);
});

Deno.test("errors of a body are passed on unchanged", async () => {
  const { plugins, interactions } = collector();
  const failure = new Error("the line is dead");
  const broken = new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(failure);
      },
    }),
  );
  const response = await plugins.fetch.trackClient(() => Promise.resolve(broken))();
  await assert.rejects(response.text(), failure);
  assert.equal(interactions[0]?.response?.body_truncated, true);
  const text = await plugins.fetch.trackClient(() => Promise.resolve(new Response("{")))();
  await assert.rejects(text.json(), SyntaxError);
  assert.deepEqual(interactions[1]?.response?.body, new TextEncoder().encode("{"));
});

Deno.test("recording reads no more of a response than the program, and a cancelled body is cancelled", async () => {
  const { plugins, interactions } = collector();
  let pulls = 0;
  let reason: unknown;
  const endless = new Response(
    new ReadableStream({
      type: "bytes",
      pull(controller) {
        pulls++;
        controller.enqueue(new TextEncoder().encode(`data: ${pulls}\n\nda`));
      },
      cancel(given) {
        reason = given;
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
  const response = await plugins.fetch.trackClient(() => Promise.resolve(endless))();
  const reader = response.body?.getReader();
  assert.equal(pulls, 0);
  const { value } = await reader?.read() ?? {};
  assert.equal(new TextDecoder().decode(value), "data: 1\n\nda");
  assert.equal(pulls, 1);
  await reader?.cancel("enough");
  assert.equal(reason, "enough");
  // The complete event counts.
  assert.deepEqual(interactions[0]?.response?.body, new TextEncoder().encode("data: 1\n\n"));
});

Deno.test("a response over the limit is read completely and counts as not recorded", async () => {
  const { plugins, interactions } = collector({ bodyLimit: 10 });
  const long = "x".repeat(1000);
  const response = await plugins.fetch.trackClient(() => Promise.resolve(new Response(long)))();
  assert.equal(await response.text(), long);
  assert.equal(interactions[0]?.response?.body_truncated, true);
  assert.equal(interactions[0]?.response?.body, undefined);
});

Deno.test("without responseBodies, response headers are recorded at once, and no body", async () => {
  const { plugins, interactions } = collector({ responseBodies: false });
  await plugins.fetch.trackClient(() => Promise.resolve(Response.json([])))();
  const response = interactions[0]?.response;
  assert.equal(headerLookup(response?.headers).get("content-type"), "application/json");
  assert.ok(response !== undefined && !("body" in response) && !("body_truncated" in response));
});

test(
  "server-sent events that were sent before the client disconnects count",
  async () => {
    const { plugins, interactions } = collector();
    const middleware = connectMiddleware(plugins);
    await using server = await listen((request, response) =>
      middleware(request, response, () => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.write("data: 1\n\nda");
      })
    );
    const abort = new AbortController();
    const response = await fetch(`${server.origin}/events`, { signal: abort.signal });
    const { value } = await response.body?.getReader().read() ?? {};
    assert.equal(new TextDecoder().decode(value), "data: 1\n\nda");
    abort.abort();
    while (interactions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const { status_code, body } = interactions[0]?.response ?? {};
    assert.equal(status_code, 200);
    assert.deepEqual(body, new TextEncoder().encode("data: 1\n\n"));
  },
);
