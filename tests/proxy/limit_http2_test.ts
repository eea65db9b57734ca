import assert from "node:assert/strict";
import { FrameLimiter, MAX_STREAMS } from "../../src/proxy/limit_http2.ts";
import { concatBytes } from "../../src/values/collections.ts";
import { eventually, pause, RawClient, requestFields } from "./raw_client.ts";
import { frame, Http2Client, PING, PREFACE, RST_STREAM, SETTINGS } from "./soak/h2_client.ts";
import { echo, startProxy, startServer, type TestProxy } from "./test_server.ts";

const CANCEL = Uint8Array.of(0, 0, 0, 8);
const ENHANCE_YOUR_CALM = 0xb;
const GET = requestFields("GET", "localhost");

async function open(
  { proxy }: TestProxy,
  port: number,
): Promise<{ readonly client: Http2Client; readonly socket: RawClient["socket"] }> {
  const raw = await RawClient.reach(proxy, `localhost:${port}`, true, "h2");
  return { client: new Http2Client(raw), socket: raw.socket };
}

Deno.test("only a client that cancels a thousand requests at once gets ENHANCE_YOUR_CALM", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const { client: calm } = await open(test, server.port);
  const { client: wild, socket } = await open(test, server.port);
  socket.cork();
  for (let left = 1500; left > 0; left--) wild.reset(wild.begin(GET, true).stream);
  socket.uncork();
  await eventually(() => wild.isOver);
  assert.equal(wild.endCode, ENHANCE_YOUR_CALM);
  assert.ok(test.proxy.requests <= 500, `${test.proxy.requests} requests`);
  assert.deepEqual(test.notices.map(({ kind }) => kind), ["client_excess"]);
  assert.equal((await calm.request(GET)).isWhole, true);
  calm.destroy();
});

Deno.test("requests that are cancelled at once open no connection to a server", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const { client, socket } = await open(test, server.port);
  socket.cork();
  for (let left = 400; left > 0; left--) client.reset(client.begin(GET, true).stream);
  const answer = client.request(GET);
  socket.uncork();
  assert.equal((await answer).isWhole, true);
  assert.ok(test.proxy.requests <= 20, `${test.proxy.requests} of 401 requests began`);
  client.destroy();
});

Deno.test("cancelled finished streams, pings and settings count too", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const floods = [
    frame(RST_STREAM, 0, 1, CANCEL),
    frame(PING, 0, 0, new Uint8Array(8)),
    frame(SETTINGS, 0, 0, new Uint8Array()),
  ];
  for (const flood of floods) {
    const { client } = await open(test, server.port);
    await client.request(GET);
    client.write(concatBytes(Array.from({ length: 600 }, () => flood)));
    await eventually(() => client.endCode === ENHANCE_YOUR_CALM);
    client.destroy();
  }
});

Deno.test("a client can only have a limited number of open requests", async () => {
  let waiting = 0;
  await using server = await startServer((request) => {
    waiting++;
    request.on("error", () => {});
  }, true);
  await using test = await startProxy();
  const { client } = await open(test, server.port);
  for (let left = 500; left > 0; left--) client.begin(GET, true);
  await eventually(() => waiting === MAX_STREAMS);
  await pause(50);
  assert.equal(waiting, MAX_STREAMS);
  assert.equal(client.maxStreams, MAX_STREAMS);
  client.destroy();
});

Deno.test("frames are counted however they are split, and the count decreases over time", () => {
  const cancel = frame(RST_STREAM, 0, 1, CANCEL);
  const data = frame(0, 0, 1, new Uint8Array(300).fill(RST_STREAM));
  const frames = Array.from({ length: 500 }, () => [data, cancel]).flat();
  const bytes = concatBytes([PREFACE, ...frames]);
  for (const size of [1, 7, 4096]) {
    const count = new FrameLimiter();
    for (let offset = 0; offset < bytes.length; offset += size) {
      assert.ok(count.allows(bytes.subarray(offset, offset + size), 5));
    }
    assert.ok(count.allows(data, 5));
    assert.ok(count.allows(cancel, 1005));
    for (let index = 0; index < 32; index++) {
      assert.ok(count.allows(cancel, 1005));
    }
    assert.ok(!count.allows(cancel, 1005));
  }
});
