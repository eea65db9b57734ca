/**
 * The plugins on Node.js: `node_test.ts` bundles this program, with the libraries, and runs it there. It compares what
 * each plugin comes to with what the server, which records itself, comes to, and prints one line for each.
 *
 * @module
 */
import axios from "axios";
import Fastify from "fastify";
import got from "got";
import Koa from "koa";
import ky from "ky";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { ofetch } from "ofetch";
import supertest from "supertest";
import * as undici from "undici-7";
import type { CoverageMap } from "../../../mod.ts";
import { connectMiddleware, fastifyRecorder, koaMiddleware } from "../../../server.ts";
import { shopMap, timeless } from "./shop.ts";

const JSON_TYPE = { "content-type": "application/json" };
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

function form(): FormData {
  const made = new FormData();
  made.append("file", new File(["a,b,c"], "list.csv"));
  return made;
}

async function compare(name: string, talk: (map: CoverageMap) => Promise<void>): Promise<void> {
  expected = shopMap();
  answers = [];
  const map = shopMap();
  await talk(map);
  await map.settled();
  await Promise.all(answers);
  const isSame = JSON.stringify(timeless(map)) === JSON.stringify(timeless(expected));
  process.stdout.write(
    `${name}: ${isSame ? "same" : "different"}, ${expected.traffic().recorded}\n`,
  );
}

async function fetchAll(send: typeof globalThis.fetch): Promise<void> {
  const init = { method: "PUT", headers: RAW_TYPE, duplex: "half" } as const;
  const stream = Readable.from(["a ", "stream"]) as unknown as BodyInit;
  const responses = [
    await send(`${origin}/books?limit=700`),
    await send(`${origin}/books`, { method: "POST", headers: JSON_TYPE, body: '{"title":"Momo"}' }),
    await send(
      new Request(`${origin}/books`, { method: "POST", headers: JSON_TYPE, body: '{"title":"M"}' }),
    ),
    await send(`${origin}/upload`, { method: "POST", body: form() }),
    await send(`${origin}/raw`, { ...init, body: stream }),
    await send(`${origin}/raw`, { ...init, body: new Blob(["blob"]).stream() }),
  ];
  for (const response of responses) await response.text();
}

await compare("fetch", (map) => fetchAll(map.fetch.trackClient(fetch)));
await compare("undici", async (map) => {
  const before = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(map.undici.trackClient(new undici.Agent()));
  // The fetch of Node.js goes through it.
  await fetchAll(fetch);
  const body = Readable.from(["a ", "stream"]);
  const sent = await undici.request(`${origin}/raw`, { method: "PUT", headers: RAW_TYPE, body });
  await sent.body.dump();
  undici.setGlobalDispatcher(before);
});
await compare("axios", async (map) => {
  const client = map.axios.trackClient(axios.create({ baseURL: origin }));
  await client.get("/books", { params: { limit: 700 } });
  await client.post("/books", { title: "Momo" });
  await client.post("/upload", form());
  await client.put("/raw", Readable.from(["a ", "stream"]), { headers: RAW_TYPE });
});
await compare("ky", async (map) => {
  const client = map.ky.trackClient(ky);
  await client.get(`${origin}/books?limit=700`).text();
  await client.post(`${origin}/books`, { json: { title: "Momo" } }).json();
  await client.post(`${origin}/upload`, { body: form() }).text();
});
await compare("got", async (map) => {
  const client = map.got.trackClient(got);
  await client(`${origin}/books?limit=700`);
  await client.post(`${origin}/books`, { json: { title: "Momo" } });
  await client.post(`${origin}/upload`, { body: form() });
});
await compare("ofetch", async (map) => {
  const client = map.ofetch.trackClient(ofetch);
  await client(`${origin}/books?limit=700`);
  await client(`${origin}/books`, { method: "POST", body: { title: "Momo" } });
});
await compare("supertest", async (map) => {
  const agent = map.supertest.trackClient(supertest(origin));
  await agent.get("/books?limit=700");
  await agent.post("/books").send({ title: "Momo" });
  await agent.post("/upload").attach("file", Buffer.from("a,b,c"), "list.csv");
});
await compare("koa", async (map) => {
  const app = new Koa();
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
  const init = { method: "POST", headers: JSON_TYPE, body: '{"title":"Momo"}' };
  const client = map.fetch.trackClient(fetch);
  await (await client(`http://127.0.0.1:${port}/books`, init)).text();
  await Promise.all(answers);
  inner.closeAllConnections();
  inner.close();
});
await compare("fastify", async (map) => {
  const app = Fastify();
  await app.register(fastifyRecorder(expected));
  app.all("/*", (_request, reply) => reply.code(200).send([]));
  map.fastify.trackClient(app);
  await app.inject("/books?limit=700");
  await app.inject({ method: "POST", url: "/books", payload: { title: "Momo" } });
  await app.close();
});
server.closeAllConnections();
server.close();
