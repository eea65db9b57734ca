/**
 * The plugins on Node.js: `node_test.ts` installs the libraries with npm and runs this program. It compares the
 * coverage of each plugin with that of the server, which records itself, and prints one line for each.
 *
 * @module
 */
import axios from "axios";
import axios0 from "axios-0";
import express from "express";
import express4 from "express-4";
import Fastify from "fastify";
import Fastify4 from "fastify-4";
import FormDataLibrary from "form-data";
import got from "got";
import got15 from "got-15";
import { H3 } from "h3";
import * as h3v1 from "h3-1";
import { Hono } from "hono";
import { Hono as Hono3 } from "hono-3";
import Koa from "koa";
import Koa2 from "koa-2";
import ky from "ky";
import ky1 from "ky-1";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import * as oak from "oak";
import * as oak13 from "oak-13";
import * as playwright from "playwright-core";
import * as playwright64 from "playwright-core-1-64";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { ofetch } from "ofetch";
import { createFetch } from "ofetch-0";
import supertest from "supertest";
import supertest6 from "supertest-6";
import * as undici7 from "undici-7";
import type { CoverageMap } from "../../mod.ts";
import { connectMiddleware, fastifyRecorder, koaMiddleware } from "../../src/entries/server.ts";
import { fileForm, postJson, shopMap, timeless, versions } from "./shop.ts";

type Undici = typeof undici7;

const RAW_TYPE = { "content-type": "application/octet-stream" };

let expected = shopMap();
let answers: Promise<unknown>[] = [];

const server = createServer((request, response) => {
  answers.push(new Promise((resolve) => response.once("finish", resolve)));
  connectMiddleware(expected)(request, response, () => void answer(request, response));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const isBook = request.method === "POST" && request.url === "/books";
  response.writeHead(isBook ? 201 : 200, {
    "content-type": isBook ? "application/json" : "text/plain",
  });
  response.end(Buffer.concat(chunks));
}

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function libraryForm(): FormDataLibrary {
  const made = new FormDataLibrary();
  made.append("file", Buffer.from("a,b,c"), "list.csv");
  return made;
}

async function compare(name: string, talk: (map: CoverageMap) => Promise<void>): Promise<void> {
  expected = shopMap();
  answers = [];
  const map = shopMap();
  await talk(map);
  await map.settled();
  await Promise.all(answers);
  // The server's coverage has no response bodies, so the comparison leaves out their media types.
  const write = (of: CoverageMap): string =>
    JSON.stringify(timeless(of), (key, value) => key === "media_types" ? undefined : value);
  const isSame = write(map) === write(expected);
  process.stdout.write(
    `${name}: ${isSame ? "same" : "different"}, ${expected.traffic().recorded}\n`,
  );
}

async function fetchAll(send: typeof globalThis.fetch): Promise<void> {
  const init = { method: "PUT", headers: RAW_TYPE, duplex: "half" } as const;
  const stream = Readable.from(["a ", "stream"]) as unknown as BodyInit;
  const responses = [
    await send(`${origin}/books?limit=700`),
    await send(`${origin}/books`, postJson('{"title":"Momo"}')),
    await send(new Request(`${origin}/books`, postJson('{"title":"M"}'))),
    await send(`${origin}/upload`, { method: "POST", body: fileForm() }),
    await send(`${origin}/raw`, { ...init, body: stream }),
    await send(`${origin}/raw`, { ...init, body: new Blob(["blob"]).stream() }),
  ];
  for (const response of responses) await response.text();
}

await compare("fetch", (map) => fetchAll(map.fetch.trackClient(fetch)));
/** undici 8 needs Node.js 22.19, and is only loaded there. */
async function undicis(): Promise<readonly (readonly [name: string, library: Undici])[]> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const known = [["undici 7", undici7]] as const;
  if (major < 22 || (major === 22 && minor < 19)) return known;
  return [["undici 8", await import("undici") as unknown as Undici], ...known];
}

for (const [name, undici] of await undicis()) {
  await compare(name, async (map) => {
    const before = undici.getGlobalDispatcher();
    undici.setGlobalDispatcher(map.undici.trackClient(new undici.Agent()));
    // The fetch of Node.js uses it.
    await fetchAll(fetch);
    const body = Readable.from(["a ", "stream"]);
    const sent = await undici.request(`${origin}/raw`, { method: "PUT", headers: RAW_TYPE, body });
    await sent.body.dump();
    undici.setGlobalDispatcher(before);
  });
}
for (
  const [name, library, upload] of [
    ["axios 1", axios, fileForm()],
    // It doesn't accept the platform's forms on Node.js.
    ["axios 0", axios0 as unknown as typeof axios, libraryForm()],
  ] as const
) {
  await compare(name, async (map) => {
    const client = map.axios.trackClient(library.create({ baseURL: origin }));
    await client.get("/books", { params: { limit: 700 } });
    await client.post("/books", { title: "Momo" });
    await client.post("/upload", upload);
    await client.put("/raw", Readable.from(["a ", "stream"]), { headers: RAW_TYPE });
  });
}
for (const [name, library] of versions(["ky 2", ky], ["ky 1", ky1])) {
  await compare(name, async (map) => {
    const client = map.ky.trackClient(library);
    await client.get(`${origin}/books?limit=700`).text();
    await client.post(`${origin}/books`, { json: { title: "Momo" } }).json();
    await client.post(`${origin}/upload`, { body: fileForm() }).text();
  });
}
for (const [name, library] of versions(["got 16", got], ["got 15", got15])) {
  await compare(name, async (map) => {
    const client = map.got.trackClient(library);
    await client(`${origin}/books?limit=700`);
    await client.post(`${origin}/books`, { json: { title: "Momo" } });
    await client.post(`${origin}/upload`, { body: fileForm() });
  });
}
for (
  const [name, track] of [
    ["ofetch 1", (map: CoverageMap) => map.ofetch.trackClient(ofetch)],
    [
      "ofetch 0",
      (map: CoverageMap) => createFetch({ fetch: map.fetch.trackClient(fetch), Headers }),
    ],
  ] as const
) {
  await compare(name, async (map) => {
    const client = track(map) as typeof ofetch;
    await client(`${origin}/books?limit=700`);
    await client(`${origin}/books`, { method: "POST", body: { title: "Momo" } });
  });
}
for (
  const [name, library] of versions(["Playwright 1.65", playwright], [
    "Playwright 1.64",
    playwright64,
  ])
) {
  await compare(name, async (map) => {
    const context = await library.request.newContext({ baseURL: origin });
    map.playwright.trackClient(context);
    await context.get("/books", { params: { limit: 700 } });
    await context.post("/books", { data: { title: "Momo" } });
    const file = { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("a,b,c") };
    await context.post("/upload", { multipart: { file } });
    await context.dispose();
  });
}
for (const [name, library] of versions(["Express 5", express], ["Express 4", express4])) {
  await compare(name, async (map) => {
    const app = library();
    app.use(connectMiddleware(expected), library.json());
    app.use((request: { body: unknown }, response: { json(body: unknown): void }) =>
      response.json(request.body ?? [])
    );
    const agent = map.supertest.trackClient(supertest(app));
    await agent.get("/books?limit=700");
    await agent.post("/books").send({ title: "Momo" });
  });
}

/** Sends requests through handlers with a `Request`, and records what reaches the innermost one. */
async function handle(
  map: CoverageMap,
  wrap: (inner: (request: Request) => Promise<Response>) => (request: never) => unknown,
): Promise<void> {
  const target = expected;
  const handler = map.handler.trackClient(wrap(async (request) => {
    const { method, url, headers } = request;
    const body = await request.arrayBuffer();
    target.record({ method, url, headers, body: new Uint8Array(body) }, { status_code: 201 });
    return new Response(body, { status: 201 });
  })) as (request: Request) => Response | Promise<Response>;
  for (
    const [path, init] of [
      ["/books?limit=700", {}],
      ["/books", postJson('{"title":"Momo"}')],
      ["/upload", { method: "POST", body: fileForm() }],
    ] as const
  ) {
    const response = await handler(new Request(`http://localhost${path}`, init));
    if (response.status !== 201) throw new Error(`${path} was answered with ${response.status}.`);
    await response.text();
  }
}

for (const [name, library] of versions(["Hono 4", Hono], ["Hono 3", Hono3])) {
  await compare(name, (map) =>
    handle(map, (inner) => {
      const app = new library();
      app.all("*", (context) => inner(context.req.raw));
      return app.fetch;
    }));
}
for (const [name, { Application }] of versions(["oak 14", oak], ["oak 13", oak13])) {
  await compare(name, (map) =>
    handle(map, (inner) => {
      const app = new Application();
      app.use(async ({ request, response }) => {
        const { method, url, headers, hasBody } = request;
        const body = hasBody ? await request.body.arrayBuffer() : null;
        const answer = await inner(new Request(url, { method, headers: [...headers], body }));
        response.status = answer.status;
        response.body = await answer.bytes();
      });
      return app.handle;
    }));
}
await compare("H3 2", (map) =>
  handle(map, (inner) => {
    const app = new H3().all("/**", (event) => inner(event.req as Request));
    return (request: Request) => app.fetch(request);
  }));
await compare("H3 1", (map) =>
  handle(map, (inner) => {
    const app = h3v1.createApp();
    app.use(h3v1.eventHandler((event) => inner(h3v1.toWebRequest(event))));
    return h3v1.toWebHandler(app);
  }));
for (const [name, library] of versions(["supertest 7", supertest], ["supertest 6", supertest6])) {
  await compare(name, async (map) => {
    const agent = map.supertest.trackClient(library(origin));
    await agent.get("/books?limit=700");
    await agent.post("/books").send({ title: "Momo" });
    await agent.post("/upload").attach("file", Buffer.from("a,b,c"), "list.csv");
  });
}
for (const [name, library] of versions(["Koa 3", Koa], ["Koa 2", Koa2])) {
  await compare(name, async (map) => {
    const app = new library();
    app.use(koaMiddleware(expected));
    app.use(async (context: { req: IncomingMessage; status: number; body: unknown }) => {
      context.status = 201;
      context.body = await text(context.req);
    });
    const inner = createServer(app.callback());
    inner.on("request", (_request, response) => {
      answers.push(new Promise((resolve) => response.once("finish", resolve)));
    });
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    const { port } = inner.address() as AddressInfo;
    const client = map.fetch.trackClient(fetch);
    await (await client(`http://127.0.0.1:${port}/books`, postJson('{"title":"Momo"}'))).text();
    await Promise.all(answers);
    inner.closeAllConnections();
    inner.close();
  });
}
for (const [name, library] of versions(["Fastify 5", Fastify], ["Fastify 4", Fastify4])) {
  await compare(name, async (map) => {
    const app = library();
    await app.register(fastifyRecorder(expected));
    app.all("/*", (_request, reply) => reply.code(200).send([]));
    map.fastify.trackClient(app);
    await app.inject("/books?limit=700");
    await app.inject({ method: "POST", url: "/books", payload: { title: "Momo" } });
    await app.close();
  });
}
server.closeAllConnections();
server.close();
