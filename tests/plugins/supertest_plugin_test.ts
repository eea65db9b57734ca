import express5 from "express";
import express4 from "express-4";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import Koa from "koa";
import Koa2 from "koa-2";
import { Hono } from "hono";
import { buffer } from "node:stream/consumers";
import supertest from "supertest";
import supertest6 from "supertest-6";
import { ask, assertSameCoverage, assertTimes, shopHandler, test } from "./session.ts";
import { shopMap, versions } from "./shop.ts";

import type { IncomingMessage } from "node:http";

/** The part of Express that the shop uses, because Express has no types. */
interface ExpressResponse {
  status(code: number): ExpressResponse;
  set(headers: object): ExpressResponse;
  send(body: Uint8Array): void;
}

/** The part of Koa that the shop uses, because Koa has no types. */
interface KoaContext {
  readonly req: IncomingMessage;
  status: number;
  body: unknown;
  set(headers: object): void;
}

/** The shop as an Express application. */
function application(express: typeof express5 = express5): {
  readonly app: unknown;
  readonly traffic: ReturnType<typeof shopHandler>["traffic"];
} {
  const { handler, traffic } = shopHandler();
  const app = express();
  app.use(express.raw({ type: () => true }));
  app.use(async (request: IncomingMessage & { body: unknown }, result: ExpressResponse) => {
    const response = await ask(handler, request, request.body);
    result.status(response.status).set(Object.fromEntries(response.headers))
      .send(Buffer.from(await response.bytes()));
  });
  return { app, traffic };
}

for (const [name, library] of versions(["supertest 7", supertest], ["supertest 6", supertest6])) {
  test(`${name} is recorded as the application receives it, and asserts as before`, async () => {
    const { app, traffic } = application();
    const map = shopMap();
    const before = Date.now() / 1000;
    const plain = library(app);
    const agent = map.supertest.trackClient(plain);
    assert.equal(agent, plain);
    await agent.get("/books").query({ limit: 700 }).set("X-Tag", "long").expect(200, [
      { title: "Momo" },
    ]);
    await agent.post("/books").send({ title: "Momo" }).expect(201, { title: "Momo" });
    await agent.post("/books").send({}).expect(422);
    await agent.post("/form").type("form").send({ size: 12 }).expect(200);
    await agent.post("/upload").field("note", "short").attach(
      "file",
      Buffer.from("a,b,c"),
      "l.csv",
    );
    await agent.get("/old").redirects(1).expect(200);
    await assert.rejects(async () => await agent.get("/nope").expect(200), /404/);
    await assertSameCoverage(map, traffic, 8);
    assertTimes(map, before);
  });
}

test(
  "the tracked function of supertest makes tracked agents, also with cookies",
  async () => {
    const { app, traffic } = application();
    const map = shopMap();
    const request = map.supertest.trackClient(supertest);
    await request(app).get("/books?limit=1");
    await request.agent(app).get("/books?limit=2");
    await assertSameCoverage(map, traffic, 2);
  },
);

test("record() of supertest accepts a test and its response", async () => {
  const { app, traffic } = application();
  const map = shopMap();
  const test = supertest(app).post("/books").send({ title: "Momo" });
  const response = await test;
  await map.supertest.record(test as never, response);
  await assertSameCoverage(map, traffic, 1);
});

test("supertest is recorded with an application of Express 4", async () => {
  const { app, traffic } = application(express4);
  const map = shopMap();
  const agent = map.supertest.trackClient(supertest(app));
  await agent.post("/books").send({ title: "Momo" }).expect(201, { title: "Momo" });
  await agent.get("/books?limit=700").expect(200);
  await assertSameCoverage(map, traffic, 2);
});

for (const [name, library] of versions(["Koa 3", Koa], ["Koa 2", Koa2])) {
  test(`supertest is recorded with an application of ${name}`, async () => {
    const { handler, traffic } = shopHandler();
    const app = new library();
    app.use(async (context: KoaContext) => {
      const answer = await ask(handler, context.req, await buffer(context.req));
      context.status = answer.status;
      context.set(Object.fromEntries(answer.headers));
      context.body = Buffer.from(await answer.bytes());
    });
    const map = shopMap();
    const agent = map.supertest.trackClient(supertest(app.callback()));
    await agent.post("/books").send({ title: "Momo" }).expect(201, { title: "Momo" });
    await agent.get("/books?limit=700").expect(200);
    await assertSameCoverage(map, traffic, 2);
  });
}

Deno.test("trackClient() of supertest refuses an application, a request and other objects at once", () => {
  const app = express5();
  const servers = [new Koa().callback(), new Hono(), () => new Response()];
  for (const other of [app, new Koa(), ...servers, supertest(app).get("/books"), new Map(), {}]) {
    assert.throws(() => shopMap().supertest.trackClient(other), {
      name: "TypeError",
      message: /can't track this: give it an agent of supertest, request\(app\)/,
    });
  }
  for (const agent of [supertest(app), supertest.agent(app), supertest6(app), supertest]) {
    assert.ok(shopMap().supertest.trackClient(agent));
  }
});
