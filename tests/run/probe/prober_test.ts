import assert from "node:assert/strict";
import { LIBRARY, LibraryServer, makeClient, probe } from "./library_server.ts";

function statuses({ seen }: LibraryServer, line: RegExp): number[] {
  return seen.filter((one) => line.test(one.line)).map(({ status }) => status);
}

Deno.test("a probe closes the gaps that safe requests can close, with ids from lists", async () => {
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

Deno.test("a probe that may change data creates, reads and deletes, in this order", async () => {
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

Deno.test("no request is sent twice, even if it fails with every known id", async () => {
  await using server = await new LibraryServer().start();
  const { bookId } = server.add("Emma");
  const parameters = [{ name: "bookId", in: "path", required: true, schema: { type: "integer" } }];
  const reviews = { get: { parameters, responses: { 200: { description: "None has any" } } } };
  const paths = { ...LIBRARY["paths"] as object, "/books/{bookId}/reviews": reviews };
  const { end, interactions } = await probe(server.url, {}, {}, { ...LIBRARY, paths });
  assert.equal(end, "done");
  assert.deepEqual(statuses(server, new RegExp(`^GET /books/${bookId}/reviews$`)), [404]);
  const sent = interactions.map(({ request }) => JSON.stringify(request));
  assert.deepEqual(sent, [...new Set(sent)]);
});

Deno.test("a credential is read from the environment, or left out with a message", async () => {
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

Deno.test("a given header replaces a placeholder, and is sent with every request", async () => {
  await using server = await new LibraryServer().start();
  const { missing } = await probe(server.url, { fields: [["x-shop", "k-17"]] });
  assert.deepEqual(missing, []);
  assert.deepEqual(statuses(server, /\/me/), [200]);
  assert.ok(server.seen.every(({ headers }) => headers["x-shop"] === "k-17"));
});

Deno.test("the number of requests and the time are limited", async () => {
  await using server = await new LibraryServer().start();
  const { end, answered } = await probe(server.url, { max: 2 });
  assert.deepEqual([end, answered, server.seen.length], ["max", 2, 2]);
  assert.equal((await probe(server.url, { seconds: 0.001 })).end, "time");
});

Deno.test("requests keep to the rate and the time limit, even if timers fire early", async () => {
  await using server = await new LibraryServer().start();
  let now = 0;
  const wait = (milliseconds: number) =>
    Promise.resolve(void (now += Math.max(1, milliseconds - 50)));
  const tools = { wait, clock: () => now++ };
  // The time limit ends the pause for the rate.
  const { end, answered } = await probe(server.url, { rate: 0.001, seconds: 5 }, tools);
  assert.deepEqual([end, answered], ["time", 1]);
  assert.ok(now < 6000, `${now} milliseconds`);
  // Each request waits two seconds for its turn.
  const some = await probe(server.url, { rate: 0.5, seconds: 5 });
  assert.equal(some.end, "time");
  assert.ok(some.answered <= 3, `${some.answered} requests in five seconds`);
});

Deno.test("a probe ends after five failed connections in a row, with the reason", async () => {
  const server = await new LibraryServer().start();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  const { end, answered, failed, reason } = await probe(url);
  assert.deepEqual([end, answered, failed], ["no_connection", 0, 5]);
  assert.match(reason ?? "", /refused|ECONNREFUSED/i);
});

Deno.test("a probe ends after twenty server errors in a row", async () => {
  await using server = await new LibraryServer().start();
  server.status = 503;
  const paths = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `/things${index}`,
      { get: { responses: { 200: { description: "OK" } } } },
    ]),
  );
  const { end, answered } = await probe(server.url, {}, {}, { ...LIBRARY, paths });
  assert.deepEqual([end, answered, server.seen.length], ["server_errors", 20, 20]);
});

Deno.test("the first reason to end is the one that is told, and nothing waits after it", async () => {
  const server = await new LibraryServer().start();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  let waits = 0;
  let now = 0;
  const wait = (milliseconds: number) => Promise.resolve(void (waits++, now += milliseconds));
  const { end } = await probe(url, { max: 5, rate: 1 }, { wait, clock: () => now });
  assert.deepEqual([end, waits], ["no_connection", 4]);
});

Deno.test("an interrupted probe keeps the responses so far", async () => {
  await using server = await new LibraryServer().start();
  const abort = new AbortController();
  abort.abort();
  const { end, answered } = await probe(server.url, {}, { signal: abort.signal });
  assert.deepEqual([end, answered], ["interrupted", 0]);
});

Deno.test("only the named server is ever contacted", async () => {
  await using other = await new LibraryServer().start();
  const client = makeClient("http://127.0.0.1:1");
  const { signal } = new AbortController();
  const sent = await client.send({ method: "GET", url: `${other.url}/books`, headers: {} }, signal);
  client.close();
  assert.equal(sent.kind, "unsendable");
  assert.equal(other.seen.length, 0);
});
