import Fastify from "fastify";
import type { FastifyInstance } from "fastify";
import Fastify4 from "fastify-4";
import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { ask, assertSameCoverage, assertTimes, shopHandler, test } from "./session.ts";
import { fileForm, shopMap, versions } from "./shop.ts";

/** The shop as a Fastify application. */
function application(create: typeof Fastify): {
  readonly app: FastifyInstance;
  readonly traffic: ReturnType<typeof shopHandler>["traffic"];
} {
  const { handler, traffic } = shopHandler();
  const app = create();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.all("/*", async (request, reply) => {
    const response = await ask(handler, request, request.body);
    return reply.code(response.status).headers(Object.fromEntries(response.headers))
      .send(Buffer.from(await response.bytes()));
  });
  return { app, traffic };
}

for (const [name, create] of versions(["Fastify 5", Fastify], ["Fastify 4", Fastify4])) {
  test(`inject() of ${name} is recorded in every form of call`, async () => {
    const { app: original, traffic } = application(create);
    const map = shopMap();
    const before = Date.now() / 1000;
    const app = map.fastify.trackClient(original);
    assert.equal(app, original);
    assert.equal((await app.inject("/books?limit=700")).statusCode, 200);
    const created = await app.inject({ method: "POST", url: "/books", payload: { title: "Momo" } });
    assert.deepEqual(created.json(), { title: "Momo" });
    const refused = await app.inject().post("/books").payload({}).end();
    assert.equal(refused.statusCode, 422);
    await app.inject({
      method: "GET",
      url: "/books",
      query: { limit: "7" },
      headers: { "X-Tag": "long" },
    });
    await app.inject({
      method: "PUT",
      url: "/raw",
      headers: { "content-type": "application/octet-stream" },
      payload: Readable.from([Buffer.from("a "), Buffer.from("stream")]),
    });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      app.inject(
        {
          method: "POST",
          url: "/form",
          payload: "size=12",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        },
        (error, response) => error ? reject(error) : resolve(response?.statusCode),
      );
    });
    assert.equal(status, 200);
    await assertSameCoverage(map, traffic, 6);
    assertTimes(map, before);
    await app.close();
  });
}

test("a form that is injected into Fastify is recorded", async () => {
  const { app, traffic } = application(Fastify);
  const map = shopMap();
  const upload = { method: "POST", url: "/upload", payload: fileForm() } as const;
  await map.fastify.trackClient(app).inject(upload);
  await assertSameCoverage(map, traffic, 1);
  await app.close();
});

test("record() of Fastify accepts a response, which has its request", async () => {
  const { app, traffic } = application(Fastify);
  const map = shopMap();
  const response = await app.inject({ method: "POST", url: "/books", payload: { title: "Momo" } });
  await map.fastify.record(undefined, response);
  await assertSameCoverage(map, traffic, 1);
  await map.fastify.record({ url: "/books?limit=1" });
  assert.equal(map.traffic().matched, 2);
  await app.close();
});
