import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import * as undici8 from "undici";
import * as undici7 from "undici-7";
import { assertSameCoverage, assertTimes, startShop, test } from "./session.ts";
import { postJson, shopMap, versions } from "./shop.ts";

const JSON_TYPE = { "content-type": "application/json" };
const RAW_TYPE = ["content-type", "application/octet-stream"];

const UNDICIS = versions(["undici 8", undici8], ["undici 7", undici7]);

for (const [name, undici] of UNDICIS) {
  test(`${name} is recorded as the server receives it, and responds as before`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const before = Date.now() / 1000;
    const agent = new undici.Agent();
    const dispatcher = map.undici.trackClient(agent);
    assert.equal(dispatcher, agent);
    const send = async (
      path: string,
      options: NonNullable<Parameters<typeof undici8.request>[1]> = {},
    ): Promise<string> => {
      const response = await undici.request(`${shop.origin}${path}`, { dispatcher, ...options });
      return await response.body.text();
    };
    assert.equal(
      await send("/books?limit=700", { headers: { "x-tag": "long" } }),
      '[{"title":"Momo"}]',
    );
    await send("/books", { query: { limit: 7 } });
    await send("/books", { method: "POST", headers: JSON_TYPE, body: '{"title":"Momo"}' });
    await send("/books", { method: "POST", headers: JSON_TYPE, body: "{}" });
    await send("/raw", { method: "PUT", headers: RAW_TYPE, body: Buffer.from("bytes") });
    assert.equal(
      await send("/raw", {
        method: "PUT",
        headers: RAW_TYPE,
        body: Readable.from(["a ", "stream"]),
      }),
      "a stream",
    );
    const form = new undici.FormData();
    form.append("file", new File(["a,b,c"], "list.csv"));
    await send("/upload", { method: "POST", body: form });
    const init = { dispatcher, ...postJson('{"title":"M"}') };
    const fetched = await undici.fetch(`${shop.origin}/books`, init);
    assert.equal(fetched.status, 201);
    await fetched.text();
    await assertSameCoverage(map, shop.traffic, 8);
    assertTimes(map, before);
    await agent.close();
  });

  test(`${name} is recorded with each redirect and attempt below its interceptors`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const agent = new undici.Agent();
    const dispatcher = agent.compose(
      map.undici.interceptor() as never,
      undici.interceptors.redirect({ maxRedirections: 1 }),
      undici.interceptors.retry({ maxRetries: 1, minTimeout: 1 }),
    );
    for (const path of ["/old", "/flaky"]) {
      const response = await undici.request(`${shop.origin}${path}`, { dispatcher });
      assert.equal(response.statusCode, 200);
      await response.body.dump();
    }
    await assertSameCoverage(map, shop.traffic, 4);
    await agent.close();
  });
}

test("an undici request without a response counts, and its error is passed on", async () => {
  const map = shopMap();
  const dispatcher = map.undici.trackClient(new undici8.Agent());
  await assert.rejects(undici8.request("http://127.0.0.1:1/books?limit=1", { dispatcher }), {
    code: "ECONNREFUSED",
  });
  assert.equal(map.traffic().recorded, 1);
  assert.equal(map.statistic().responses.seen, 0);
  await dispatcher.close();
});

test("requests that undici refuses to send don't count", async () => {
  for (const [, undici] of UNDICIS) {
    const map = shopMap();
    const dispatcher = map.undici.trackClient(new undici.Agent());
    for (
      const [headers, code] of [
        [{ "transfer-encoding": "chunked" }, "UND_ERR_INVALID_ARG"],
        [{ "x-tag": "a\nb" }, "UND_ERR_INVALID_ARG"],
        [{ expect: "100-continue" }, "UND_ERR_NOT_SUPPORTED"],
      ] as const
    ) {
      const sent = undici.request("http://127.0.0.1:1/books", { headers, dispatcher });
      await assert.rejects(sent, { code });
    }
    await map.settled();
    assert.equal(map.traffic().recorded, 0);
  }
});

test("a MockAgent of undici is recorded like a server", async () => {
  const map = shopMap();
  const agent = new undici8.MockAgent();
  agent.disableNetConnect();
  agent.get("http://shop.example").intercept({ path: "/books", method: "POST" }).reply(201, "{}");
  const dispatcher = map.undici.trackClient(agent);
  const response = await undici8.request("http://shop.example/books", {
    dispatcher,
    method: "POST",
    headers: JSON_TYPE,
    body: '{"title":"Momo"}',
  });
  assert.equal(await response.body.text(), "{}");
  assert.equal(map.statistic().examples.seen, 1);
  assert.equal(map.statistic().responses.seen, 1);
  await agent.close();
});

Deno.test("record() of undici accepts the options of a request", async () => {
  const map = shopMap();
  await map.undici.record(
    { origin: "http://localhost", path: "/books", method: "GET", query: { limit: 7 } },
    { statusCode: 200 },
  );
  assert.equal(map.statistic().parameters.seen, 1);
  assert.equal(map.statistic().responses.seen, 1);
});
