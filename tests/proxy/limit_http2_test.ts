import assert from "node:assert/strict";
import { FrameCount, MAX_STREAMS } from "../../src/proxy/limit_http2.ts";
import { eventually, pause, RawClient } from "./raw_client.ts";
import { echo, startProxy, startServer, type TestProxy } from "./test_server.ts";

const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const CANCEL = [0, 0, 0, 8];

function frame(type: number, flags: number, stream: number, payload: readonly number[]): number[] {
  const { length } = payload;
  const id = [stream >> 24, stream >> 16 & 255, stream >> 8 & 255, stream & 255];
  return [length >> 16, length >> 8 & 255, length & 255, type, flags, ...id, ...payload];
}

/** `GET https://localhost/`, as static fields of HPACK and one literal. */
function request(stream: number): number[] {
  const authority = [...new TextEncoder().encode("localhost")];
  return frame(HEADERS, 5, stream, [0x82, 0x84, 0x87, 0x01, authority.length, ...authority]);
}

async function open({ proxy }: TestProxy, port: number): Promise<RawClient> {
  const tunnel = await RawClient.tunnel(proxy.port, `localhost:${port}`);
  const client = await tunnel.secure(proxy.caCertificate, "localhost", "h2");
  client.write(Uint8Array.of(...PREFACE, ...frame(SETTINGS, 0, 0, [])));
  return client;
}

interface Frame {
  readonly type: number;
  readonly payload: Uint8Array;
}

async function nextFrame(client: RawClient): Promise<Frame> {
  const [high = 0, middle = 0, low = 0, type = 0] = await client.take(9);
  return { type, payload: await client.take(high << 16 | middle << 8 | low) };
}

/** The error code of the connection's end; undefined where it does not end. */
async function endCode(client: RawClient): Promise<number | undefined> {
  const timer = setTimeout(() => client.destroy(), 5000);
  try {
    for (;;) {
      const { type, payload } = await nextFrame(client);
      if (type === GOAWAY) return payload[7];
    }
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("only a client that cancels a thousand requests at once gets ENHANCE_YOUR_CALM", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const calm = await open(test, server.port);
  const wild = await open(test, server.port);
  const frames: number[] = [];
  for (let stream = 1; stream < 3000; stream += 2) {
    frames.push(...request(stream), ...frame(RST_STREAM, 0, stream, CANCEL));
  }
  wild.write(Uint8Array.from(frames));
  assert.equal(await endCode(wild), 0xb);
  assert.ok(await wild.ends(5000));
  assert.ok(test.proxy.requests <= 500, `${test.proxy.requests} requests`);
  assert.deepEqual(test.notices.map(({ kind }) => kind), ["client_excess"]);
  calm.write(Uint8Array.from(request(1)));
  while ((await nextFrame(calm)).type !== HEADERS);
  calm.destroy();
});

Deno.test("requests that are cancelled in the same breath open no connection to a server", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const client = await open(test, server.port);
  const frames: number[] = [];
  for (let stream = 1; stream < 800; stream += 2) {
    frames.push(...request(stream), ...frame(RST_STREAM, 0, stream, CANCEL));
  }
  client.write(Uint8Array.from([...frames, ...request(801)]));
  while ((await nextFrame(client)).type !== HEADERS);
  assert.ok(test.proxy.requests <= 20, `${test.proxy.requests} of 401 requests began`);
  client.destroy();
});

Deno.test("cancelling what is answered already, pings and settings count too", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const floods = [
    frame(RST_STREAM, 0, 1, CANCEL),
    frame(PING, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0]),
    frame(SETTINGS, 0, 0, []),
  ];
  for (const flood of floods) {
    const client = await open(test, server.port);
    client.write(Uint8Array.from(request(1)));
    while ((await nextFrame(client)).type !== HEADERS);
    client.write(Uint8Array.from(Array.from({ length: 600 }, () => flood).flat()));
    assert.equal(await endCode(client), 0xb);
    client.destroy();
  }
});

Deno.test("a client has so many requests open at once, and no more", async () => {
  let waiting = 0;
  await using server = await startServer((request) => {
    waiting++;
    request.on("error", () => {});
  }, true);
  await using test = await startProxy();
  const client = await open(test, server.port);
  const { type, payload } = await nextFrame(client);
  assert.equal(type, SETTINGS);
  const settings = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const limits = Array.from({ length: payload.length / 6 }, (_, index) => [
    settings.getUint16(index * 6),
    settings.getUint32(index * 6 + 2),
  ]);
  assert.deepEqual(limits.find(([id]) => id === 3), [3, MAX_STREAMS]);
  const frames: number[] = [];
  for (let stream = 1; stream < 1000; stream += 2) frames.push(...request(stream));
  client.write(Uint8Array.from(frames));
  await eventually(() => waiting === MAX_STREAMS);
  await pause(50);
  assert.equal(waiting, MAX_STREAMS);
  client.destroy();
});

Deno.test("frames count however they are cut, and are forgiven with time", () => {
  const cancel = frame(RST_STREAM, 0, 1, CANCEL);
  const data = frame(0, 0, 1, Array.from({ length: 300 }, () => RST_STREAM));
  const bytes = [...PREFACE];
  for (let index = 0; index < 500; index++) bytes.push(...data, ...cancel);
  for (const size of [1, 7, 4096]) {
    const count = new FrameCount();
    for (let offset = 0; offset < bytes.length; offset += size) {
      assert.ok(count.allows(Uint8Array.from(bytes.slice(offset, offset + size)), 5));
    }
    assert.ok(count.allows(Uint8Array.from(data), 5));
    assert.ok(count.allows(Uint8Array.from(cancel), 1005));
    for (let index = 0; index < 32; index++) {
      assert.ok(count.allows(Uint8Array.from(cancel), 1005));
    }
    assert.ok(!count.allows(Uint8Array.from(cancel), 1005));
  }
});
