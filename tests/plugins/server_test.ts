import express from "express";
import express4 from "express-4";
import Fastify from "fastify";
import Fastify4 from "fastify-4";
import Koa from "koa";
import Koa2 from "koa-2";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  connectMiddleware,
  fastifyRecorder,
  koaMiddleware,
  recordHandler,
} from "../../src/entries/server.ts";
import { ask, type Asked, assertSameCoverage, assertTimes, shopHandler, test } from "./session.ts";
import { fileForm, postJson, shopMap, versions } from "./shop.ts";

/** Sends the same requests to every server. */
async function talk(origin: string): Promise<void> {
  for (
    const [path, init] of [
      ["/books?limit=700", { headers: { "X-Tag": "long" } }],
      ["/books", postJson('{"title":"Momo"}')],
      ["/books", postJson("{}")],
      ["/upload", { method: "POST", body: fileForm() }],
      ["/nope", {}],
    ] as const
  ) {
    await (await fetch(`${origin}${path}`, init as RequestInit)).body?.cancel();
  }
}

/** Resolves when the server has finished all responses, which clients may receive a moment earlier. */
function answered(server: Server): () => Promise<unknown> {
  const answers: Promise<unknown>[] = [];
  server.on("request", (_request, response) => {
    answers.push(new Promise((resolve) => response.once("finish", resolve)));
  });
  return () => Promise.all(answers);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

for (const [name, library] of versions(["Express 5", express], ["Express 4", express4])) {
  test(`an ${name} server records itself, with bodies`, async () => {
    const { handler, traffic } = shopHandler();
    const map = shopMap();
    const before = Date.now() / 1000;
    const app = library();
    const middleware = connectMiddleware(map);
    // Using it twice has no effect.
    app.use(middleware, middleware, library.raw({ type: () => true }));
    // Routers shorten the URL of requests that they pass on.
    app.use(async (
      request: Asked & { readonly body?: unknown },
      response: { status(code: number): { send(body: Uint8Array): void } },
    ) => {
      const answer = await ask(handler, request, request.body);
      response.status(answer.status).send(Buffer.from(await answer.bytes()));
    });
    const server = createServer(app);
    const settled = answered(server);
    await talk(await listen(server));
    await settled();
    await assertSameCoverage(map, traffic, 5);
    assertTimes(map, before);
    await close(server);
  });
}

for (const [name, library] of versions(["Koa 3", Koa], ["Koa 2", Koa2])) {
  test(`a ${name} server records itself, with bodies`, async () => {
    const { handler, traffic } = shopHandler();
    const map = shopMap();
    const app = new library();
    app.use(koaMiddleware(map));
    app.use(async (context: {
      readonly req: Asked & AsyncIterable<Uint8Array>;
      status: number;
      body: unknown;
    }) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of context.req) chunks.push(chunk);
      const answer = await ask(handler, context.req, Buffer.concat(chunks));
      context.status = answer.status;
      context.body = Buffer.from(await answer.bytes());
    });
    const server = createServer(app.callback());
    const settled = answered(server);
    await talk(await listen(server));
    await settled();
    await assertSameCoverage(map, traffic, 5);
    await close(server);
  });
}

for (const [name, library] of versions(["Fastify 5", Fastify], ["Fastify 4", Fastify4])) {
  test(`a ${name} server records itself, also in routes of other plugins`, async () => {
    const { handler, traffic } = shopHandler();
    const map = shopMap();
    const app = library();
    await app.register(fastifyRecorder(map));
    await app.register((inner, _options, done) => {
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser(
        "*",
        { parseAs: "buffer" },
        (_request, body, parsed) => parsed(null, body),
      );
      inner.all("/*", async (request, reply) => {
        const answer = await ask(handler, request, request.body);
        return reply.code(answer.status).send(Buffer.from(await answer.bytes()));
      });
      done();
    });
    const settled = answered(app.server);
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    await talk(origin);
    await settled();
    const { host } = new URL(origin);
    await app.inject({ url: "/books?limit=7", headers: { host } });
    await assertSameCoverage(map, traffic, 6);
    app.server.closeAllConnections();
    await app.close();
  });
}

test("a server made from a handler records itself", async () => {
  const { handler, traffic } = shopHandler();
  const map = shopMap();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    recordHandler(map, handler),
  );
  await talk(`http://127.0.0.1:${server.addr.port}`);
  await assertSameCoverage(map, traffic, 5);
});

test("a body that the server doesn't read counts as not recorded", async () => {
  const map = shopMap();
  const middleware = connectMiddleware(map);
  const server = createServer((request, response) =>
    middleware(request, response, () => {
      response.statusCode = 422;
      response.end();
    })
  );
  const settled = answered(server);
  const origin = await listen(server);
  const response = await fetch(`${origin}/books`, postJson('{"title":"Momo"}'));
  assert.equal(response.status, 422);
  await settled();
  const [, post] = map.report().operations;
  assert.equal(post?.responses[1]?.hits, 1);
  const [body] = post?.parameters ?? [];
  assert.deepEqual([body?.hits, body?.not_recorded], [1, 1]);
  await close(server);
});

test("a connection that breaks before the response counts without one", async () => {
  const map = shopMap();
  const middleware = connectMiddleware(map);
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) =>
    middleware(request, response, () => {
      response.on("close", () => closed.resolve());
      request.socket.destroy();
    })
  );
  const origin = await listen(server);
  const sent = httpRequest(`${origin}/books?limit=1`);
  const failed = new Promise((resolve) => sent.on("error", resolve));
  sent.end();
  await failed;
  await closed.promise;
  assert.equal(map.statistic().parameters.seen, 1);
  assert.equal(map.statistic().responses.seen, 0);
  await close(server);
});
