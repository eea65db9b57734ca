import ky from "ky";
import ky1 from "ky-1";
import assert from "node:assert/strict";
import { type FetchOptions, ofetch } from "ofetch";
import { $fetch, createFetch } from "ofetch-0";
import type { CoverageMap } from "../../mod.ts";
import { assertSameCoverage, assertTimes, startShop, test } from "./session.ts";
import { fileForm, shopMap, versions } from "./shop.ts";

for (const [name, library] of versions(["ky 2", ky], ["ky 1", ky1])) {
  test(`${name} is recorded with every attempt, and responds as before`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const before = Date.now() / 1000;
    const plain = library.extend({ headers: { "X-Tag": "long" }, retry: { backoffLimit: 1 } });
    const client = map.ky.trackClient(plain);
    assert.deepEqual(await client.get(`${shop.origin}/books?limit=700`).json(), [{
      title: "Momo",
    }]);
    const created = await client.post(`${shop.origin}/books`, { json: { title: "Momo" } });
    assert.deepEqual(await created.json(), { title: "Momo" });
    await assert.rejects(
      async () => await client.post(`${shop.origin}/books`, { json: {} }),
      { name: "HTTPError" },
    );
    await client.post(`${shop.origin}/upload`, { body: fileForm() }).text();
    await client.post(`${shop.origin}/form`, { body: new URLSearchParams({ size: "12" }) }).text();
    assert.deepEqual(await client.get(`${shop.origin}/flaky`).json(), { now: true });
    await assertSameCoverage(map, shop.traffic, 7);
    assertTimes(map, before);
    await plain.get(`${shop.origin}/books`).json();
    assert.equal(map.traffic().recorded, 7);
  });
}

test("ky keeps a custom fetch", async () => {
  const map = shopMap();
  const calls: string[] = [];
  const own = (input: RequestInfo | URL): Promise<Response> => {
    calls.push(new URL((input as Request).url).pathname);
    return Promise.resolve(Response.json([]));
  };
  await map.ky.trackClient(ky.create({ fetch: own })).get("http://localhost/books").json();
  assert.deepEqual(calls, ["/books"]);
  assert.equal(map.statistic().responses.seen, 1);
});

type Tracked = (map: CoverageMap, defaults: FetchOptions) => typeof ofetch;

for (
  const [name, track] of [
    ["ofetch 1", (map, defaults) => map.ofetch.trackClient(ofetch.create(defaults))],
    // It accepts a fetch only when it is created.
    [
      "ofetch 0",
      (map, defaults) =>
        createFetch({
          fetch: map.fetch.trackClient(fetch),
          Headers,
          defaults: defaults as never,
        }) as unknown as typeof ofetch,
    ],
  ] as readonly (readonly [string, Tracked])[]
) {
  test(`${name} is recorded with every attempt, and responds as before`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const before = Date.now() / 1000;
    const client = track(map, { baseURL: shop.origin, headers: { "X-Tag": "long" } });
    assert.deepEqual(await client("/books", { query: { limit: 700 } }), [{ title: "Momo" }]);
    assert.deepEqual(
      await client("/books", { method: "POST", body: { title: "Momo" } }),
      { title: "Momo" },
    );
    await assert.rejects(client("/books", { method: "POST", body: {} }), /422/);
    await client("/form", { method: "POST", body: new URLSearchParams({ size: "12" }) });
    assert.deepEqual(await client("/flaky", { retry: 1 }), { now: true });
    await assertSameCoverage(map, shop.traffic, 6);
    assertTimes(map, before);
  });
}

test("tracking doesn't change the original instance of ofetch", async () => {
  await using shop = startShop();
  const map = shopMap();
  const plain = ofetch.create({ baseURL: shop.origin });
  const client = map.ofetch.trackClient(plain);
  await assert.rejects(client("/books", { method: "POST", body: {} }), { name: "FetchError" });
  await plain("/books");
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("instances that can't be tracked are refused, with advice", () => {
  const map = shopMap();
  assert.throws(() => map.ofetch.trackClient($fetch as never), /needs ofetch 1\.4.*createFetch/);
  // ofetch 1.0 to 1.3 ignores the second argument.
  const create = (defaults: object): unknown => ({ ...defaults });
  assert.throws(() => map.ofetch.trackClient({ native: fetch, create }), TypeError);
  // ky before 1.2 copies its argument.
  const extend = (defaults: object): unknown => ({ ...defaults });
  assert.throws(() => map.ky.trackClient({ extend }), /needs ky 1\.2/);
  // ky 1.1 refuses a function.
  const refuse = (): never => {
    throw new TypeError("The `options` argument must be an object");
  };
  assert.throws(() => map.ky.trackClient({ extend: refuse }), /needs ky 1\.2.*tracked fetch/);
  // The hooks of got 11 receive plain options.
  const got = { defaults: { options: { hooks: {} } }, extend };
  assert.throws(() => map.got.trackClient(got), /needs got 12/);
});

test("a client that is tracked in addition to the global fetch counts once", async () => {
  await using shop = startShop();
  const map = shopMap();
  using _tracked = map.fetch.trackGlobal();
  await map.ky.trackClient(ky).get(`${shop.origin}/books`).json();
  await map.ofetch.trackClient(ofetch)(`${shop.origin}/books`);
  assert.equal(map.traffic().recorded, 2);
});

Deno.test("record() of ky and ofetch accepts the arguments of their hooks", async () => {
  const map = shopMap();
  const hooked = ky.create({
    fetch: () => Promise.resolve(Response.json([])),
    hooks: { afterResponse: [({ request, response }) => void map.ky.record(request, response)] },
  });
  await hooked.get("http://localhost/books").json();
  await map.ofetch.record("http://localhost/books?limit=1", new Response());
  await map.settled();
  assert.equal(map.traffic().recorded, 2);
  assert.equal(map.statistic().parameters.seen, 1);
});
