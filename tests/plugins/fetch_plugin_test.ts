import assert from "node:assert/strict";
import { BODY_LIMIT } from "../../src/plugins/plugin_sink.ts";
import { assertSameCoverage, assertTimes, startShop, test } from "./session.ts";
import { fileForm, postJson, shopMap } from "./shop.ts";

function stream(...parts: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(parts).pipeThrough(new TextEncoderStream());
}

const RAW_TYPE = { "Content-Type": "application/octet-stream" };
const BOOK = postJson('{"title":"Momo"}');

/** A client that accepts any request. */
const take = (_url: string, _init: RequestInit): Promise<Response> =>
  Promise.resolve(new Response(null, { status: 201 }));

/** Sends everything that fetch accepts as a body, and invalid bodies. Returns the number of requests. */
async function talk(fetch: typeof globalThis.fetch, origin: string): Promise<number> {
  const form = fileForm();
  form.append("note", "too long");
  const raw = { method: "PUT", headers: RAW_TYPE };
  const bytes = new TextEncoder().encode("..raw..");
  const responses = await Promise.all([
    fetch(`${origin}/books?limit=7`, { headers: { "X-Tag": "long" } }),
    fetch(new URL(`${origin}/books?limit=700`)),
    fetch(`${origin}/books`, { ...postJson('{"title":"Momo"}'), method: "post" }),
    fetch(new Request(`${origin}/books`, postJson('{"title":"M"}'))),
    fetch(new Request(`${origin}/books`, { method: "POST", body: "x" }), postJson("{}")),
    fetch(`${origin}/form`, { method: "POST", body: new URLSearchParams({ size: "12" }) }),
    fetch(`${origin}/upload`, { method: "POST", body: form }),
    fetch(new Request(`${origin}/upload`, { method: "POST", body: form })),
    fetch(`${origin}/raw`, {
      method: "PUT",
      body: new Blob(["long blob"], { type: "application/octet-stream" }),
    }),
    fetch(`${origin}/raw`, { ...raw, body: bytes.subarray(2, 5) }),
    fetch(`${origin}/raw`, { ...raw, body: bytes.buffer }),
    fetch(`${origin}/text`, { method: "POST", body: "text" }),
    fetch(`${origin}/text`, {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: stream("lo", "ng", " text"),
    }),
    fetch(`${origin}/old`, { redirect: "manual" }),
    fetch(`${origin}/nope`),
  ]);
  const [first, , created] = responses;
  assert.deepEqual(await first?.json(), [{ title: "Momo" }]);
  assert.equal(await created?.text(), '{"title":"Momo"}');
  assert.equal(await responses[7]?.text().then((text) => text.includes("a,b,c")), true);
  assert.equal(await responses[8]?.text(), "long blob");
  assert.equal(await responses[12]?.text(), "long text");
  await Promise.all(
    responses.filter((response) => !response.bodyUsed).map((response) => response.body?.cancel()),
  );
  return responses.length;
}

test("fetch is recorded as the server receives it, with every kind of body", async () => {
  await using shop = startShop();
  const map = shopMap();
  const before = Date.now() / 1000;
  const count = await talk(map.fetch.trackClient(fetch), shop.origin);
  await assertSameCoverage(map, shop.traffic, count);
  assertTimes(map, before);
});

test("the global fetch is tracked until it is restored", async () => {
  await using shop = startShop();
  const map = shopMap();
  const original = globalThis.fetch;
  {
    using _tracked = map.fetch.trackGlobal();
    assert.notEqual(globalThis.fetch, original);
    // Tracking it twice has no effect.
    assert.equal(map.fetch.trackClient(globalThis.fetch), globalThis.fetch);
    await (await fetch(`${shop.origin}/books`)).body?.cancel();
  }
  assert.equal(globalThis.fetch, original);
  await (await fetch(`${shop.origin}/flaky`)).body?.cancel();
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("two maps that track the global fetch record until they are restored, in any order", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.resolve(new Response(null, { status: 204 }));
  const original = globalThis.fetch;
  try {
    const maps = [shopMap(), shopMap()];
    for (const round of [1, 2]) {
      const tracked = maps.map((map) => map.fetch.trackGlobal());
      for (const one of tracked) {
        await globalThis.fetch("http://localhost/books");
        one.restore();
      }
      await globalThis.fetch("http://localhost/books");
      assert.deepEqual(maps.map((map) => map.traffic().recorded), [round, round * 2]);
      assert.equal(globalThis.fetch, original);
    }
  } finally {
    globalThis.fetch = fetch;
  }
});

test(
  "a redirect that fetch follows is recorded with its first and last request",
  async () => {
    await using shop = startShop();
    const map = shopMap();
    const response = await map.fetch.trackClient(fetch)(`${shop.origin}/old`);
    assert.equal(response.redirected, true);
    assert.deepEqual(await response.json(), [{ title: "Momo" }]);
    const [list, old] = [map.report().operations[0], map.report().operations.at(-2)];
    assert.deepEqual([list?.path, list?.hits, list?.responses[0]?.hits], ["/books", 1, 1]);
    // The status of the first response is unknown, and not the same as the last one's.
    assert.deepEqual([old?.path, old?.hits, old?.undocumented_responses], ["/old", 1, []]);
  },
);

Deno.test("errors of fetch are passed on unchanged, and their requests count without a response", async () => {
  const map = shopMap();
  const failure = new TypeError("no network");
  const client = map.fetch.trackClient((_input: string): Promise<Response> =>
    Promise.reject(failure)
  );
  await assert.rejects(client("http://localhost/books?limit=1"), (error) => error === failure);
  await assert.rejects(client("no url"), (error) => error === failure);
  assert.equal(map.traffic().recorded, 1);
  assert.deepEqual(map.statistic().responses, { seen: 0, total: 10 });
  assert.equal(map.statistic().parameters.seen, 1);
});

Deno.test("a request that is aborted before it is sent doesn't count", async () => {
  const map = shopMap();
  const client = map.fetch.trackClient(fetch);
  const signal = AbortSignal.abort();
  await assert.rejects(client("http://localhost:9/books", { signal }), { name: "AbortError" });
  assert.equal(map.traffic().recorded, 0);
});

test("a request that is aborted after it was sent counts without a response", async () => {
  const map = shopMap();
  const arrived = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    arrived.resolve();
    return answer.promise;
  });
  const abort = new AbortController();
  const url = `http://127.0.0.1:${server.addr.port}/books?limit=1`;
  const sent = map.fetch.trackClient(fetch)(url, { signal: abort.signal });
  const failed = assert.rejects(sent, (error) => error === abort.signal.reason);
  await arrived.promise;
  abort.abort();
  await failed;
  answer.resolve(new Response());
  assert.equal(map.statistic().parameters.seen, 1);
  assert.equal(map.statistic().responses.seen, 0);
  assert.deepEqual(map.diagnostics(), []);
});

Deno.test("a locked stream as a body is refused as before", async () => {
  const map = shopMap();
  const body = new ReadableStream();
  body.getReader();
  const send = (client: typeof fetch): Promise<unknown> =>
    client("http://127.0.0.1:1/books", { method: "POST", body }).catch(String);
  assert.equal(await send(map.fetch.trackClient(fetch)), await send(fetch));
});

Deno.test("an endless body counts as not recorded when it exceeds the limit", async () => {
  const map = shopMap();
  let pulled = 0;
  const chunk = new Uint8Array(BODY_LIMIT / 4);
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(chunk);
    },
  }, { highWaterMark: 0 });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const client = map.fetch.trackClient(async (_url: string, init: RequestInit) => {
    reader = (init.body as ReadableStream<Uint8Array>).getReader();
    for (let index = 0; index < 8; index++) assert.equal((await reader.read()).value, chunk);
    return new Response("enough", { status: 201 });
  });
  const response = await client("http://localhost/books", { ...BOOK, body: endless });
  assert.equal(await response.text(), "enough");
  await map.settled();
  assert.equal(pulled, 8);
  assert.equal(map.statistic().responses.seen, 1);
  assert.deepEqual(map.statistic().keywords.partial, 0);
  await reader?.cancel();
});

Deno.test("settled() waits for a body that is still being sent, and a diagnostic reports it until then", async () => {
  const map = shopMap();
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const client = map.fetch.trackClient(async (_url: string, init: RequestInit) => {
    const reader = (init.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    void reader.read();
    return new Response(null, { status: 201 });
  });
  const writer = writable.getWriter();
  const first = writer.write(new TextEncoder().encode('{"title":'));
  await client("http://localhost/books", { ...BOOK, body: readable });
  await first;
  assert.equal(map.traffic().recorded, 0);
  assert.equal(
    map.diagnostics()[0]?.message,
    "1 request is not counted yet, because its body is still being read; await map.settled() before the report",
  );
  void writer.close();
  await map.settled();
  assert.equal(map.traffic().recorded, 1);
  assert.deepEqual(map.diagnostics(), []);
});

Deno.test("an unread body doesn't keep settled() waiting", async () => {
  const map = shopMap();
  const client = map.fetch.trackClient(take);
  await client("http://localhost/books", { method: "POST", body: new ReadableStream() });
  await map.settled();
  assert.equal(map.statistic().responses.seen, 1);
});

Deno.test("bytes that are changed after the call count as they were sent", async () => {
  const map = shopMap();
  const body = new TextEncoder().encode('{"title":"Momo"}');
  const sent = map.fetch.trackClient(take)("http://localhost/books", { ...BOOK, body });
  body.fill(32);
  await sent;
  assert.equal(map.statistic().examples.seen, 1);
});

Deno.test("the stream of a body is cancelled when its receiver cancels", async () => {
  const map = shopMap();
  let reason: unknown;
  const body = new ReadableStream({
    cancel(given) {
      reason = given;
    },
  });
  const client = map.fetch.trackClient(async (_url: string, init: RequestInit) => {
    await (init.body as ReadableStream).cancel("enough");
    return new Response(null, { status: 201 });
  });
  await client("http://localhost/books", { method: "POST", body });
  assert.equal(reason, "enough");
});

Deno.test("an error while recording is a diagnostic and doesn't affect the caller", async () => {
  const map = shopMap();
  const client = map.fetch.trackClient((_url: string, _init?: object) =>
    Promise.resolve(new Response("fine"))
  );
  const headers = {
    get broken(): string {
      throw new Error("headers are broken");
    },
  };
  assert.equal(await (await client("http://localhost/books", { headers })).text(), "fine");
  await client("http://localhost/books", { headers });
  assert.equal(
    map.diagnostics()[0]?.message,
    "fetch: a request could not be recorded: headers are broken (2 times)",
  );
});

Deno.test("record() and responseHook() accept a request with its response", async () => {
  const map = shopMap();
  const request = new Request("http://localhost/books", BOOK);
  await map.fetch.record(request, new Response(null, { status: 201 }), 5, 0.5);
  // The caller can still read it.
  assert.equal(await request.text(), '{"title":"Momo"}');
  map.fetch.responseHook()(new Request("http://localhost/books?limit=1"), new Response());
  await map.settled();
  assert.equal(map.statistic().examples.seen, 1);
  assert.equal(map.statistic().responses.seen, 2);
  assert.equal(map.report().traffic.first_at, 5);
  assert.deepEqual(map.report().operations[1]?.responses[0]?.elapsed, { mean: 0.5, max: 0.5 });
});

Deno.test("record() reads the body of a request without a response", async () => {
  const map = shopMap();
  await map.fetch.record(new Request("http://localhost/books", BOOK));
  assert.equal(map.statistic().examples.seen, 1);
  assert.equal(map.report().operations[1]?.parameters[0]?.not_recorded, 0);
});

Deno.test("a stream that was partly read is refused as before", async () => {
  const map = shopMap();
  const send = async (client: typeof fetch): Promise<unknown> => {
    const body = stream("a", "b");
    const reader = body.getReader();
    await reader.read();
    reader.releaseLock();
    return await client("http://127.0.0.1:1/books", { method: "POST", body }).catch(String);
  };
  const refused = await send(fetch);
  assert.match(String(refused), /^TypeError/);
  assert.equal(await send(map.fetch.trackClient(fetch)), refused);
  assert.equal(map.traffic().recorded, 0);
});

Deno.test("requests that fetch refuses to send don't count", async () => {
  const map = shopMap();
  const client = map.fetch.trackClient(fetch);
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/books`;
  listener.close();
  for (
    const init of [
      { method: "GET", body: "none" },
      { method: "TRACE" },
      { headers: { "not a name": "1" } },
    ]
  ) {
    await assert.rejects(client(url, init), TypeError);
  }
  assert.equal(map.traffic().recorded, 0);
  // Nothing listens there, which shows only after sending.
  await assert.rejects(client(url), TypeError);
  assert.equal(map.traffic().recorded, 1);
});

Deno.test("a body that isn't read further after the response doesn't delay the report", async () => {
  const map = shopMap();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Like fetch in Node.js if a server responds before it has read the request.
  const client = map.fetch.trackClient(async (_url: string, init: RequestInit) => {
    reader = (init.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return new Response(null, { status: 200 });
  });
  const sent = { method: "PUT", headers: RAW_TYPE, body: stream("a", "b") };
  await client("http://localhost/raw", sent);
  assert.match(map.diagnostics()[0]?.message ?? "", /1 request is not counted yet/);
  await map.settled();
  assert.deepEqual(map.diagnostics(), []);
  const raw = map.report().operations.find(({ path }) => path === "/raw");
  assert.deepEqual(raw?.parameters.map(({ hits, not_recorded }) => [hits, not_recorded]), [[1, 1]]);
  await reader?.cancel();
});

Deno.test("settled() waits for a body that is sent slowly after the response", async () => {
  const map = shopMap();
  let sending: Promise<string> | undefined;
  const client = map.fetch.trackClient((_url: string, init: RequestInit) => {
    sending = new Response(init.body as ReadableStream).text();
    return Promise.resolve(new Response(null, { status: 200 }));
  });
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (++count > 6) controller.close();
      else controller.enqueue(new TextEncoder().encode("x"));
    },
  });
  await client("http://localhost/raw", { method: "PUT", headers: RAW_TYPE, body });
  await map.settled();
  const raw = map.report().operations.find(({ path }) => path === "/raw");
  assert.deepEqual(raw?.parameters.map(({ hits, not_recorded }) => [hits, not_recorded]), [[1, 0]]);
  assert.equal(await sending, "xxxxxx");
});
