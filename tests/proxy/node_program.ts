// The program that node_test.ts bundles and runs on Node.js: a proxy from the library, with Node.js clients.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { connect as connectTls } from "node:tls";
import { CoverageMap } from "../../mod.ts";
import { createProxy } from "../../src/entries/proxy.ts";
import { startFaultServer } from "./fault_server.ts";
import { RawClient } from "./raw_client.ts";
import { shopApi } from "../shop_api.ts";

const DESCRIPTION = shopApi({
  "/books": {
    get: { responses: { 200: { description: "Books" } } },
    post: {
      requestBody: { content: { "application/json": { schema: { required: ["title"] } } } },
      responses: { 200: { description: "Made" } },
    },
  },
});

const folder = mkdtempSync(join(tmpdir(), "covtool-node-"));
const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on("end", () => response.end(`${incoming.method} ${incoming.headers.host}`));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as { port: number };

async function plain(proxyPort: number): Promise<string> {
  const host = `127.0.0.1:${port}`;
  const request = `GET http://${host}/books HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  return (await RawClient.ask(proxyPort, request)).text;
}

async function http2(proxyPort: number, ca: string): Promise<string> {
  const socket = connectTcp(proxyPort, "127.0.0.1");
  await once(socket, "connect");
  const secure = connectTls({ socket, ca, servername: "localhost", ALPNProtocols: ["h2"] });
  const session = connectHttp2("https://localhost", { createConnection: () => secure });
  const stream = session.request({
    ":method": "POST",
    ":path": "/books",
    "content-type": "application/json",
  });
  stream.end('{"title":"Momo"}');
  const [headers] = await once(stream, "response") as [IncomingHttpHeaders];
  let text = `${headers[":status"]} `;
  for await (const chunk of stream) text += chunk;
  session.close();
  await once(session, "close");
  return text;
}

/** The status of each of some requests to a server, sent in sequence on one connection. */
async function statuses(proxyPort: number, requests: readonly string[]): Promise<number[]> {
  const client = await RawClient.open(proxyPort);
  const all: number[] = [];
  for (const line of requests) {
    client.write(`${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
    all.push((await client.answer()).status);
  }
  client.destroy();
  return all;
}

/** The response to a client that half-closes right after its request. */
async function halfClosed(proxyPort: number): Promise<string> {
  const socket = connectTcp({ port: proxyPort, host: "127.0.0.1", allowHalfOpen: true });
  socket.end("GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

const map = CoverageMap.fromDict(DESCRIPTION);
const forward = await createProxy(map, { dataFolder: folder });
assert.equal(await plain(forward.port), `GET 127.0.0.1:${port}`);
await forward.close();
// A client may reuse a kept connection until it has read its end.
await new Promise((resolve) => setTimeout(resolve, 50));
await assert.rejects(plain(forward.port), { code: "ECONNREFUSED" });

const reverse = await createProxy(map, {
  dataFolder: folder,
  reverse: `http://127.0.0.1:${port}`,
  saveTraffic: join(folder, "traffic.jsonl"),
});
assert.equal(await http2(reverse.port, reverse.caCertificate), `200 POST 127.0.0.1:${port}`);
assert.match(await halfClosed(reverse.port), /GET 127\.0\.0\.1/);
await reverse[Symbol.asyncDispose]();
await assert.rejects(plain(reverse.port), { code: "ECONNREFUSED" });

const faulty = await startFaultServer();
const careful = await createProxy({ record() {} }, {
  dataFolder: folder,
  reverse: `http://127.0.0.1:${faulty.port}`,
});
const asked = ["GET /ok", "POST /close", "GET /ok", "GET /close"];
assert.deepEqual(await statuses(careful.port, asked), [200, 502, 200, 502]);
assert.deepEqual(faulty.heads.map((head) => head.split(" HTTP/")[0]), [...asked, "GET /close"]);
await careful.close();
await faulty[Symbol.asyncDispose]();

const { operations, keywords, responses } = map.statistic();
assert.deepEqual(operations, { seen: 2, total: 2 });
assert.equal(keywords.partial, 1);
assert.equal(responses.seen, 2);
server.close();
rmSync(folder, { recursive: true });
// An open handle must not keep the program from ending.
process.stdout.write("done");
