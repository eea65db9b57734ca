import { H3 } from "h3";
import * as h3v1 from "h3-1";
import { Hono } from "hono";
import { Hono as Hono3 } from "hono-3";
import assert from "node:assert/strict";
import { Application } from "oak";
import { Application as Application13 } from "oak-13";
import { assertSameCoverage, shopHandler } from "./session.ts";
import { postJson, shopMap, versions } from "./shop.ts";

const POST_BOOK = postJson('{"title":"Momo"}');

/** Has the arguments of `fetch`, like `app.request()` of Hono. */
type Send = (input: string | Request, init?: RequestInit) => Response | Promise<Response>;

function noteForm(): FormData {
  const form = new FormData();
  form.append("note", "short");
  return form;
}

for (const [name, library] of versions(["Hono 4", Hono], ["Hono 3", Hono3])) {
  Deno.test(`app.request() of ${name} is recorded with all its kinds of arguments`, async () => {
    const { handler, traffic } = shopHandler();
    const app = new library();
    app.all("*", (context) => handler(context.req.raw));
    const map = shopMap();
    const request: Send = map.handler.trackClient(app.request);
    await request("/books?limit=7", { headers: { "X-Tag": "long" } });
    const created = await request("/books", POST_BOOK);
    assert.equal(created.status, 201);
    assert.deepEqual(await created.json(), { title: "Momo" });
    await request("/upload", { method: "POST", body: noteForm() });
    await request(new Request("http://localhost/nope"));
    await assertSameCoverage(map, traffic, 4);
  });
}

/** Sends requests with and without bodies through a framework's handler, and compares with what reached the shop. */
async function assertHandled(
  handle: (request: Request) => Response | Promise<Response>,
  { traffic }: ReturnType<typeof shopHandler>,
): Promise<void> {
  const map = shopMap();
  const tracked = map.handler.trackClient(handle);
  const list = await tracked(new Request("http://localhost/books?limit=700"));
  assert.deepEqual(await list.json(), [{ title: "Momo" }]);
  const created = await tracked(new Request("http://localhost/books", POST_BOOK));
  assert.equal(created.status, 201);
  assert.deepEqual(await created.json(), { title: "Momo" });
  const upload = new Request("http://localhost/upload", { method: "POST", body: noteForm() });
  assert.match(await (await tracked(upload)).text(), /short/);
  await assertSameCoverage(map, traffic, 3);
}

Deno.test("app.fetch of H3 2 is recorded, and still reads its request", async () => {
  const shop = shopHandler();
  const app = new H3().all("/**", (event) => shop.handler(event.req as Request));
  await assertHandled((request) => app.fetch(request), shop);
});

Deno.test("the web handler of H3 1 is recorded, and still reads its request", async () => {
  const shop = shopHandler();
  const app = h3v1.createApp();
  app.use(h3v1.eventHandler((event) => shop.handler(h3v1.toWebRequest(event))));
  await assertHandled(h3v1.toWebHandler(app), shop);
});

for (const [name, library] of versions(["oak 14", Application], ["oak 13", Application13])) {
  Deno.test(`app.handle() of ${name} is recorded, and still reads its request`, async () => {
    const shop = shopHandler();
    const app = new library();
    app.use(async ({ request, response }) => {
      const { method, url, headers, hasBody } = request;
      const body = hasBody ? await request.body.arrayBuffer() : null;
      const answer = await shop.handler(new Request(url, { method, headers: [...headers], body }));
      response.status = answer.status;
      response.headers = answer.headers;
      response.body = await answer.bytes();
    });
    // The types are those of undici.
    const handle = (request: unknown) => app.handle(request as never) as Promise<unknown>;
    await assertHandled(handle as (request: Request) => Promise<Response>, shop);
  });
}

Deno.test("a synchronous handler stays synchronous", () => {
  const map = shopMap();
  const handler = map.handler.trackClient((_request: Request) => new Response("now"));
  assert.ok(handler(new Request("http://localhost/books")) instanceof Response);
  assert.equal(map.statistic().responses.seen, 1);
});

Deno.test("an error of a handler is thrown to its caller", () => {
  const map = shopMap();
  const handler = map.handler.trackClient((_request: Request): Response => {
    throw new RangeError("broken");
  });
  assert.throws(() => handler(new Request("http://localhost/books")), RangeError);
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("responses of Deno.serve are recorded, also for streamed requests", async () => {
  const { handler, traffic } = shopHandler();
  const map = shopMap();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    map.handler.trackClient(handler),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const body = ReadableStream.from(['{"title":', '"Momo"}']).pipeThrough(new TextEncoderStream());
  const response = await fetch(`${origin}/books`, { ...POST_BOOK, body });
  assert.deepEqual(await response.json(), { title: "Momo" });
  await assertSameCoverage(map, traffic, 1);
});
