import { H3 } from "h3";
import { Hono } from "hono";
import assert from "node:assert/strict";
import { assertSameCoverage, shopHandler } from "./session.ts";
import { shopMap } from "./shop.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

Deno.test("app.request() of Hono is recorded, with everything that it takes", async () => {
  const { handler, traffic } = shopHandler();
  const app = new Hono();
  app.all("*", (context) => handler(context.req.raw));
  const map = shopMap();
  const request = map.handler.trackClient(app.request);
  await request("/books?limit=7", { headers: { "X-Tag": "long" } });
  const created = await request("/books", {
    method: "POST",
    headers: JSON_TYPE,
    body: '{"title":"Momo"}',
  });
  assert.equal(created.status, 201);
  assert.deepEqual(await created.json(), { title: "Momo" });
  const form = new FormData();
  form.append("note", "short");
  await request("/upload", { method: "POST", body: form });
  await request(new Request("http://localhost/nope"));
  await assertSameCoverage(map, traffic, 4);
});

Deno.test("app.fetch of H3 is recorded, and reads its request itself", async () => {
  const { handler, traffic } = shopHandler();
  const app = new H3().all("/**", (event) => handler(event.req as Request));
  const map = shopMap();
  const fetch = map.handler.trackClient((request: Request) => app.fetch(request));
  const response = await fetch(
    new Request("http://localhost/books", { method: "POST", headers: JSON_TYPE, body: "{}" }),
  );
  assert.equal(response.status, 422);
  await assertSameCoverage(map, traffic, 1);
});

Deno.test("a handler that answers at once still does", () => {
  const map = shopMap();
  const handler = map.handler.trackClient((_request: Request) => new Response("now"));
  assert.ok(handler(new Request("http://localhost/books")) instanceof Response);
  assert.equal(map.statistic().responses.seen, 1);
});

Deno.test("a handler's fault reaches its caller", () => {
  const map = shopMap();
  const handler = map.handler.trackClient((_request: Request): Response => {
    throw new RangeError("broken");
  });
  assert.throws(() => handler(new Request("http://localhost/books")), RangeError);
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("what Deno.serve answers is recorded, streams of requests included", async () => {
  const { handler, traffic } = shopHandler();
  const map = shopMap();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    map.handler.trackClient(handler),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const body = ReadableStream.from(['{"title":', '"Momo"}']).pipeThrough(new TextEncoderStream());
  const response = await fetch(`${origin}/books`, { method: "POST", headers: JSON_TYPE, body });
  assert.deepEqual(await response.json(), { title: "Momo" });
  await assertSameCoverage(map, traffic, 1);
});
