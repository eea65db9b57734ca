import assert from "node:assert/strict";
import type { Interaction } from "../../../mod.ts";
import { MeasuredApi } from "../../../src/coverage_map/measured_api.ts";
import { keepRequests } from "../../../src/coverage_map/suggest_for.ts";
import { ProbeClient } from "../../../src/run/probe/probe_client.ts";
import { Prober, type ProbeResult, type ProbeSettings } from "../../../src/run/probe/prober.ts";
import { LIBRARY, LibraryServer } from "./library_server.ts";

interface Probed extends ProbeResult {
  readonly map: MeasuredApi;
  readonly interactions: readonly Interaction[];
}

async function probe(
  server: string,
  settings: Partial<ProbeSettings> = {},
  given: readonly (readonly [string, string])[] = [],
  signal = new AbortController().signal,
  description = LIBRARY,
  early = 0,
): Promise<Probed> {
  const map = MeasuredApi.fromDict(description);
  keepRequests(map, "newest");
  const client = new ProbeClient({
    server,
    headers: given,
    bodyLimit: 1 << 20,
    timeout: 5000,
    now: Date.now,
  });
  const interactions: Interaction[] = [];
  let now = 0;
  const prober = new Prober(map, {
    server,
    isUnsafe: false,
    max: 1000,
    seconds: 1000,
    rate: Infinity,
    headers: new Set(given.map(([name]) => name.toLowerCase())),
    credential: () => undefined,
    ...settings,
  }, {
    client,
    signal,
    onAnswer: (interaction) => {
      interactions.push(interaction);
      map.record(interaction.request, interaction.response, interaction.timestamp);
    },
    wait: (milliseconds) => {
      now += Math.max(1, milliseconds - early);
      return Promise.resolve();
    },
    clock: () => now++,
  });
  try {
    return { ...await prober.run(), map, interactions };
  } finally {
    client.close();
  }
}

function statuses({ seen }: LibraryServer, line: RegExp): number[] {
  return seen.filter((one) => line.test(one.line)).map(({ status }) => status);
}

Deno.test("a probe closes the gaps of what it may send, with ids out of lists", async () => {
  await using server = await new LibraryServer().start();
  const { bookId } = server.add("Emma");
  const { map, end, unsafeOperations } = await probe(server.url);
  assert.equal(end, "done");
  assert.equal(unsafeOperations, 2);
  assert.deepEqual([...new Set(server.seen.map(({ line }) => line.split(" ")[0]))], ["GET"]);
  assert.ok(server.seen.some(({ line }) => line === `GET /books/${bookId}`));
  const gaps = map.report().gaps.filter((gap) => "method" in gap && gap.method === "GET");
  assert.deepEqual(gaps.map((gap) => `${gap.kind} ${"path" in gap ? gap.path : ""}`), [
    "response_uncovered /me",
  ]);
});

Deno.test("a probe that may change data creates, reads and deletes in this order", async () => {
  await using server = await new LibraryServer().start();
  const { map } = await probe(server.url, { isUnsafe: true });
  assert.ok(statuses(server, /^POST \/books$/).includes(201));
  assert.ok(statuses(server, /^GET \/books\/7/).includes(200));
  assert.deepEqual(statuses(server, /^DELETE \/books\/7/), [204]);
  const lines = server.seen.map(({ line }) => line.split(" ")[0]);
  assert.ok(lines.indexOf("POST") < lines.indexOf("DELETE"));
  assert.equal(lines.lastIndexOf("GET") < lines.indexOf("DELETE"), true);
  assert.deepEqual(map.report().gaps.map(({ kind }) => kind), ["response_uncovered"]); // 200 of /me
});

Deno.test("nothing is sent twice", async () => {
  await using server = await new LibraryServer().start();
  server.add("Emma");
  await probe(server.url);
  const lines = server.seen.map(({ line }) => line);
  assert.equal(new Set(lines).size, lines.length);
});

Deno.test("a credential comes from the environment, or is left out and said", async () => {
  await using server = await new LibraryServer().start();
  const without = await probe(server.url);
  assert.deepEqual(without.missing, ["$COVTOOL_AUTH_SHOP_KEY"]);
  assert.deepEqual(statuses(server, /\/me/), [401]);
  assert.equal(server.seen.some(({ headers }) => headers["x-shop"] !== undefined), false);
  const credential = (name: string) => name === "COVTOOL_AUTH_SHOP_KEY" ? "k-17" : undefined;
  const { missing } = await probe(server.url, { credential });
  assert.deepEqual(missing, []);
  assert.deepEqual(statuses(server, /\/me/), [401, 200]);
});

Deno.test("a given header takes the place of a placeholder, and is on every request", async () => {
  await using server = await new LibraryServer().start();
  const { missing } = await probe(server.url, {}, [["x-shop", "k-17"]]);
  assert.deepEqual(missing, []);
  assert.deepEqual(statuses(server, /\/me/), [200]);
  assert.ok(server.seen.every(({ headers }) => headers["x-shop"] === "k-17"));
});

Deno.test("the limits of requests and of time hold", async () => {
  await using server = await new LibraryServer().start();
  const { end, answered } = await probe(server.url, { max: 2 });
  assert.deepEqual([end, answered, server.seen.length], ["max", 2, 2]);
  assert.equal((await probe(server.url, { seconds: 0.001 })).end, "time");
});

Deno.test("requests keep to a rate and a time where timers end a little early", async () => {
  await using server = await new LibraryServer().start();
  const { signal } = new AbortController();
  const settings = { rate: 0.001, seconds: 5 };
  const { end, answered } = await probe(server.url, settings, [], signal, LIBRARY, 50);
  assert.deepEqual([end, answered], ["time", 1]);
});

Deno.test("requests keep to a rate", async () => {
  await using server = await new LibraryServer().start();
  // Each request waits for its turn on the probe's own clock: two seconds each.
  const { end, answered } = await probe(server.url, { rate: 0.5, seconds: 5 });
  assert.equal(end, "time");
  assert.ok(answered <= 3, `${answered} requests in five seconds`);
});

Deno.test("five failed connections in a row end a probe, with the reason", async () => {
  const server = await new LibraryServer().start();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  const { end, answered, failed, reason } = await probe(url);
  assert.deepEqual([end, answered, failed], ["no_connection", 0, 5]);
  assert.match(reason ?? "", /refused|ECONNREFUSED/i);
});

Deno.test("twenty server errors in a row end a probe", async () => {
  await using server = await new LibraryServer().start();
  server.status = 503;
  const paths = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `/things${index}`,
      { get: { responses: { 200: { description: "OK" } } } },
    ]),
  );
  const { end, answered } = await probe(server.url, {}, [], undefined, { ...LIBRARY, paths });
  assert.deepEqual([end, answered, server.seen.length], ["server_errors", 20, 20]);
});

Deno.test("an interrupted probe keeps what was answered", async () => {
  await using server = await new LibraryServer().start();
  const abort = new AbortController();
  abort.abort();
  const { end, answered } = await probe(server.url, {}, [], abort.signal);
  assert.deepEqual([end, answered], ["interrupted", 0]);
});

Deno.test("only the named server is ever contacted, and redirects aren't followed", async () => {
  await using other = await new LibraryServer().start();
  await using server = await new LibraryServer().start();
  const client = new ProbeClient({
    server: server.url,
    headers: [],
    bodyLimit: 100,
    timeout: 1000,
    now: Date.now,
  });
  const { signal } = new AbortController();
  const sent = await client.send({ method: "GET", url: `${other.url}/books`, headers: {} }, signal);
  assert.equal(sent.kind, "unsendable");
  server.status = 302;
  const moved = await client.send(
    { method: "GET", url: `${server.url}/books`, headers: {} },
    signal,
  );
  assert.equal(moved.kind === "answered" && moved.interaction.response?.status_code, 302);
  client.close();
  assert.equal(other.seen.length, 0);
});

Deno.test("an answer's body is kept up to the limit, and is said to be cut beyond", async () => {
  await using server = await new LibraryServer().start();
  for (let count = 0; count < 50; count++) server.add("A long book");
  const client = new ProbeClient({
    server: server.url,
    headers: [],
    bodyLimit: 100,
    timeout: 1000,
    now: Date.now,
  });
  const { signal } = new AbortController();
  const sent = await client.send(
    { method: "GET", url: `${server.url}/books`, headers: {} },
    signal,
  );
  client.close();
  assert.ok(sent.kind === "answered");
  assert.equal(sent.interaction.response?.body_truncated, true);
  assert.equal(sent.interaction.response?.body, undefined);
});
