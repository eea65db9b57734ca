import axios from "axios";
import type { AxiosInstance } from "axios";
import axios0 from "axios-0";
import FormDataStream from "form-data";
import got from "got";
import got15 from "got-15";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import supertest from "supertest";
import { axiosUrl } from "../../src/plugins/axios_request.ts";
import { PluginSet } from "../../src/plugins/plugin_set.ts";
import { assertSameCoverage, assertTimes, startShop, test } from "./session.ts";
import { fileForm, shopMap, versions } from "./shop.ts";

for (const [name, library] of versions(["axios 1", axios], ["axios 0", axios0])) {
  test(`${name} is recorded as the server receives it, and responds as before`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const before = Date.now() / 1000;
    const instance = library.create({ baseURL: shop.origin, headers: { "X-Tag": "long" } });
    const client: AxiosInstance = map.axios.trackClient(instance);
    assert.equal(client, instance);
    assert.equal(map.axios.trackClient(instance), instance);
    const list = await client.get("/books", { params: { limit: 700 } });
    assert.deepEqual([list.status, list.data], [200, [{ title: "Momo" }]]);
    const created = await client.post("/books", { title: "Momo" });
    assert.deepEqual(created.data, { title: "Momo" });
    await assert.rejects(client.post("/books", {}), { message: /422/ });
    await client.post("/form", new URLSearchParams({ size: "12" }));
    const form = new FormDataStream();
    form.append("note", "short");
    form.append("file", Buffer.from("a,b,c"), "list.csv");
    const uploaded = await client.post("/upload", form, { headers: form.getHeaders() });
    assert.match(uploaded.data, /a,b,c/);
    const raw = { headers: { "Content-Type": "application/octet-stream" } };
    await client.put("/raw", Buffer.from("bytes"), raw);
    await client.put("/raw", Readable.from([Buffer.from("a "), Buffer.from("stream")]), raw);
    const later = await client.get("/flaky", { validateStatus: (status) => status === 503 });
    assert.equal(later.status, 503);
    await assertSameCoverage(map, shop.traffic, 8);
    assertTimes(map, before);
  });
}

test("each redirect of axios counts", async () => {
  await using shop = startShop();
  const map = shopMap();
  const client = map.axios.trackClient(axios.create());
  assert.deepEqual((await client.get(`${shop.origin}/old`)).data, [{ title: "Momo" }]);
  await assertSameCoverage(map, shop.traffic, 2);
});

test(
  "axios is recorded with the platform's forms, and with its fetch adapter",
  async () => {
    await using shop = startShop();
    const map = shopMap();
    const client = map.axios.trackClient(axios.create());
    await client.post(`${shop.origin}/upload`, fileForm());
    await client.postForm(`${shop.origin}/upload`, { note: "too long", file: Buffer.from("a") });
    await client.post(`${shop.origin}/books`, { title: "Momo" }, { adapter: "fetch" });
    await assertSameCoverage(map, shop.traffic, 3);
  },
);

test(
  "forms count under the media type with which axios sends them",
  async () => {
    await using shop = startShop();
    const URLENCODED = "application/x-www-form-urlencoded";
    const fields = (): FormData => {
      const made = new FormData();
      made.append("size", "12");
      return made;
    };
    for (const adapter of ["fetch", ["xhr", "fetch"], "http"]) {
      const map = shopMap();
      const begin = shop.traffic.length;
      const client = map.axios.trackClient(axios.create({ baseURL: shop.origin, adapter }));
      // With fetch, this form is multipart by its bytes, and urlencoded by its header.
      await client.post("/form", fields(), { headers: { "Content-Type": URLENCODED } });
      await client.post("/form", fields());
      await client.post("/upload", fields(), {
        headers: { "Content-Type": "multipart/form-data" },
      });
      await client.post("/form", new URLSearchParams({ size: "12" }));
      const params = new URLSearchParams({ size: "12" });
      await client.post("/form", params, { headers: { "Content-Type": URLENCODED } });
      await client.post("/form", { size: 12 }, { headers: { "Content-Type": URLENCODED } });
      await assertSameCoverage(map, shop.traffic.slice(begin), 6);
    }
  },
);

test("each attempt counts if an interceptor of axios resends a request", async () => {
  await using shop = startShop();
  const map = shopMap();
  const client = axios.create();
  client.interceptors.response.use(undefined, (error) => client.request(error.config));
  map.axios.trackClient(client);
  assert.deepEqual((await client.get(`${shop.origin}/flaky`)).data, { now: true });
  await assertSameCoverage(map, shop.traffic, 2);
});

test("an axios request without a response counts, and its error is passed on", async () => {
  const map = shopMap();
  const client = map.axios.trackClient(axios.create());
  await assert.rejects(client.get("http://127.0.0.1:1/books?limit=1"), { code: "ECONNREFUSED" });
  const signal = AbortSignal.abort();
  await assert.rejects(client.get("http://127.0.0.1:1/books", { signal }), {
    code: "ERR_CANCELED",
  });
  assert.equal(map.traffic().recorded, 1);
  assert.equal(map.statistic().parameters.seen, 1);
});

test("an axios instance that two maps track is recorded by both, also without a response", async () => {
  const maps = [shopMap(), shopMap()];
  const client = axios.create();
  for (const map of maps) map.axios.trackClient(client);
  await assert.rejects(client.get("http://127.0.0.1:1/books"), { code: "ECONNREFUSED" });
  assert.deepEqual(maps.map((map) => map.traffic().recorded), [1, 1]);
});

test("requests that axios refuses to send don't count", async () => {
  const map = shopMap();
  const client = map.axios.trackClient(axios.create());
  const headers = { "Content-Type": "application/octet-stream" };
  for (
    const [data, options] of [
      ["long", { headers, maxBodyLength: 2 }],
      [Symbol("data"), { headers }],
    ] as const
  ) {
    const sent = client.put("http://127.0.0.1:1/raw", data, options);
    await assert.rejects(sent, { code: "ERR_BAD_REQUEST" });
  }
  assert.equal(map.traffic().recorded, 0);
  // In contrast, a response that the client refuses counts.
  await using shop = startShop();
  await assert.rejects(client.get(`${shop.origin}/nope`), { code: "ERR_BAD_REQUEST" });
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("parameters of axios without a request are written as axios writes them", () => {
  const params = {
    ...{ limit: 1, none: null, tags: ["a", "b c"], since: new Date(0) },
    filter: { title: "Momo", price: { max: 5 }, ids: [1, 2] },
    ...{ sort: [{ by: "title" }], between: [new Date(0), null, new Date(1)], "ids[]": [1, 2] },
    "one[]": 1,
  };
  const config = { url: "http://localhost/books", params };
  const read = (url: string): unknown => [...new URL(url).searchParams];
  assert.deepEqual(read(axiosUrl(config, undefined)), read(axios.getUri(config)));
});

test("responseHook() can be added to axios by hand", async () => {
  await using shop = startShop();
  const map = shopMap();
  const client = axios.create({ baseURL: `${shop.origin}/` });
  client.interceptors.response.use(...map.axios.responseHook());
  await client.get("/books", { params: { limit: 7 } });
  await assert.rejects(client.post("/books", {}), { message: /422/ });
  await client.post("/books", { title: "Momo" }, { adapter: "fetch" });
  await assertSameCoverage(map, shop.traffic, 3);
});

for (const [name, library] of versions(["got 16", got], ["got 15", got15])) {
  test(`${name} is recorded with every attempt and redirect, and responds as before`, async () => {
    await using shop = startShop();
    const map = shopMap();
    const before = Date.now() / 1000;
    const plain = library.extend({ headers: { "x-tag": "long" } });
    const client = map.got.trackClient(plain);
    const url = shop.origin;
    assert.deepEqual(await client(`${url}/books`, { searchParams: { limit: 700 } }).json(), [
      { title: "Momo" },
    ]);
    const created = await client.post(`${url}/books`, { json: { title: "Momo" } });
    assert.equal(created.statusCode, 201);
    await assert.rejects(async () => await client.post(`${url}/books`, { json: {} }), {
      name: "HTTPError",
    });
    await client.post(`${url}/form`, { form: { size: 12 } });
    assert.match(await client.post(`${url}/upload`, { body: fileForm() }).text(), /a,b,c/);
    await client.get(`${url}/old`);
    await client(`${url}/flaky`, {
      retry: { limit: 1, calculateDelay: ({ attemptCount }) => attemptCount > 1 ? 0 : 1 },
    });
    const stream = client.stream.put(`${url}/raw`, {
      headers: { "content-type": "application/octet-stream" },
      body: Readable.from(["a ", "stream"]),
    });
    assert.equal(await text(stream), "a stream");
    await assertSameCoverage(map, shop.traffic, 10);
    assertTimes(map, before);
    await plain(`${url}/books`);
    assert.equal(map.traffic().recorded, 10);
  });
}

test("a got request without a response counts, and its error is passed on", async () => {
  const map = shopMap();
  const client = map.got.trackClient(got.extend({ retry: { limit: 0 } }));
  await assert.rejects(async () => await client("http://127.0.0.1:1/books?limit=1"), {
    code: "ECONNREFUSED",
  });
  assert.equal(map.traffic().recorded, 1);
  assert.equal(map.statistic().responses.seen, 0);
});

Deno.test("record() of got and axios accepts their own objects", async () => {
  const map = shopMap();
  await map.got.record(
    { method: "POST", url: new URL("http://localhost/books"), json: { title: "Momo" } },
    { statusCode: 201 },
    5,
    0.5,
  );
  await map.axios.record({ baseURL: "http://localhost", url: "books", params: { limit: 7 } }, {
    status: 200,
  });
  assert.equal(map.statistic().responses.seen, 2);
  assert.equal(map.statistic().examples.seen, 1);
  assert.equal(map.statistic().parameters.seen, 2);
});

test("record() of got, axios, supertest and undici reads what was sent and received", async () => {
  await using shop = startShop();
  const recorded: unknown[] = [];
  const { got: ofGot, axios: ofAxios, supertest: ofSupertest, undici } = new PluginSet(
    ({ body }, response) => {
      const { status_code, headers = [], body: received } = response ?? {};
      const [, type] = [...headers as Iterable<[string, string]>]
        .find(([name]) => name.toLowerCase() === "content-type") ?? [];
      const text = typeof received === "string" ? received : new TextDecoder().decode(received!);
      recorded.push([body, status_code, type, text]);
    },
  );
  const title = { title: "Momo" };
  const url = `${shop.origin}/books`;
  const fromGot = await got.post(url, { json: title });
  await ofGot.record({ method: "POST", url, json: title }, fromGot);
  const config = { method: "POST", url, data: title };
  await ofAxios.record(config, await axios(config));
  await ofAxios.record(config);
  const asked = supertest(shop.origin).post("/books").send(title);
  await ofSupertest.record(asked as never, await asked);
  const sent = '{"title":"Momo"}';
  await undici.record(
    { origin: shop.origin, path: "/books", method: "POST", body: sent },
    { statusCode: 201, headers: { "content-type": "application/json" } },
  );
  const answered = [sent, 201, "application/json", sent];
  assert.deepEqual(recorded, [
    answered,
    answered,
    [sent, undefined, undefined, ""],
    answered,
    [sent, 201, "application/json", ""],
  ]);
});
