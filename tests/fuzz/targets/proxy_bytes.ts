import assert from "node:assert/strict";
import type { Socket } from "node:net";
import type { Random } from "../../corpus/random.ts";
import { eventually, RawClient } from "../../proxy/raw_client.ts";
import {
  echo,
  startProxy,
  startServer,
  type TestProxy,
  type TestServer,
} from "../../proxy/test_server.ts";
import { encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";

/** Milliseconds that the proxy has to respond before the connection is closed. */
const PATIENCE = 150;

const HEADS = [
  "GET http://localhost/a?b=c HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "POST http://localhost/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
  "POST http://localhost/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  "POST http://localhost/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
  "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n\u0016\u0003\u0001",
  "GET / HTTP/1.0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nUpgrade: websocket\r\n\r\n",
];
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

function frames(random: Random): Uint8Array {
  const all: number[] = [...encode(PREFACE), 0, 0, 0, 4, 0, 0, 0, 0, 0];
  for (let count = random.below(12); count > 0; count--) {
    const length = random.below(30);
    const payload = Array.from({ length }, () => random.below(256));
    all.push(
      0,
      0,
      length,
      random.below(11),
      random.below(256),
      0,
      0,
      0,
      random.below(8),
      ...payload,
    );
  }
  return Uint8Array.from(all);
}

interface Session {
  readonly server: TestServer;
  readonly test: TestProxy;
}

let session: Promise<Session> | undefined;

async function start(): Promise<Session> {
  return { server: await startServer(echo), test: await startProxy() };
}

/** Bytes similar to HTTP/1 and HTTP/2 sent to the proxy, which must still serve the next client. */
export const proxyBytes: FuzzTarget = {
  name: "proxy-bytes",
  make: (random) =>
    mutateBytes(random.oneIn(4) ? frames(random) : encode(random.pick(HEADS)), random),
  async check(input) {
    const { server: { port }, test } = await (session ??= start());
    const hostile = await RawClient.open(test.proxy.port);
    await sendAndClose(hostile.socket, input);
    const path = `/good/${++good}`;
    const client = await RawClient.open(test.proxy.port);
    client.write(`GET http://localhost:${port}${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    const { status } = await client.answer();
    client.destroy();
    assert.equal(status, 200, "the next client is served");
    const isRecorded = () => test.interactions.some(({ request }) => request.url.endsWith(path));
    await eventually(isRecorded);
    test.interactions.length = 0;
  },
};

let good = 0;

function sendAndClose(socket: Socket, input: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve();
    };
    const timer = setTimeout(end, PATIENCE);
    socket.on("close", end);
    socket.on("error", end);
    socket.write(input);
  });
}
