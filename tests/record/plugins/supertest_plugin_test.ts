import express from "express";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import supertest from "supertest";
import supertest6 from "supertest-6";
import { assertSameCoverage, assertTimes, clientTest, shopHandler } from "./session.ts";
import { shopMap } from "./shop.ts";

import type { IncomingMessage } from "node:http";

/** What the shop uses of Express, which comes without types. */
interface ExpressResponse {
  status(code: number): ExpressResponse;
  set(headers: object): ExpressResponse;
  send(body: Uint8Array): void;
}

/** The shop as an Express application. */
function application(): {
  readonly app: unknown;
  readonly traffic: ReturnType<typeof shopHandler>["traffic"];
} {
  const { handler, traffic } = shopHandler();
  const app = express();
  app.use(express.raw({ type: () => true }));
  app.use(async (request: IncomingMessage & { body: unknown }, result: ExpressResponse) => {
    const response = await handler(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(request.body instanceof Buffer && { body: new Uint8Array(request.body) }),
      }),
    );
    result.status(response.status).set(Object.fromEntries(response.headers))
      .send(Buffer.from(await response.bytes()));
  });
  return { app, traffic };
}

for (
  const [name, library] of [
    ["supertest 7", supertest],
    ["supertest 6", supertest6 as unknown as typeof supertest],
  ] as const
) {
  clientTest(`${name} counts what reaches the application, and asserts as before`, async () => {
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

clientTest(
  "the function of supertest makes tracked agents, those with cookies as well",
  async () => {
    const { app, traffic } = application();
    const map = shopMap();
    const request = map.supertest.trackClient(supertest);
    await request(app).get("/books?limit=1");
    await request.agent(app).get("/books?limit=2");
    await assertSameCoverage(map, traffic, 2);
  },
);

clientTest("record() of supertest takes a test and its response", async () => {
  const { app, traffic } = application();
  const map = shopMap();
  const test = supertest(app).post("/books").send({ title: "Momo" });
  const response = await test;
  await map.supertest.record(test as never, response);
  await assertSameCoverage(map, traffic, 1);
});
