import assert from "node:assert/strict";
import type { WholeResponse } from "../../src/proxy/proxy_options.ts";
import { startProxy, startServer } from "./test_server.ts";
import type { Interaction } from "../../src/http/interaction.ts";

interface Passed {
  readonly url: string;
  readonly seen: WholeResponse[];
  readonly recorded: readonly Interaction[];
}

async function withProxy(
  port: number,
  change: (response: WholeResponse) => WholeResponse | undefined,
  action: (passed: Passed) => Promise<void>,
  bodyLimit?: number,
): Promise<void> {
  const seen: WholeResponse[] = [];
  await using test = await startProxy({
    reverse: `http://127.0.0.1:${port}`,
    bodyLimit,
    changeResponse(_request, response) {
      seen.push(response);
      return change(response);
    },
  });
  await action({ url: test.proxy.url, seen, recorded: test.interactions });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("a response that is held until its end is forwarded unchanged", async () => {
  await using server = await startServer((request, response) => {
    if (request.url === "/empty") response.writeHead(204).end();
    else if (request.url === "/chunks") {
      response.writeHead(200, { "content-type": "application/json", trailer: "x-end" });
      response.write('{"a":');
      response.addTrailers({ "x-end": "1" });
      response.end("1}");
    } else response.writeHead(200, { "content-length": "3", "x-own": "1" }).end("abc");
  });
  await withProxy(server.port, () => undefined, async ({ url, seen }) => {
    const plain = await fetch(`${url}/plain`);
    assert.equal(await plain.text(), "abc");
    assert.equal(plain.headers.get("x-own"), "1");
    assert.equal((await fetch(`${url}/empty`)).status, 204);
    assert.equal(await (await fetch(`${url}/chunks`)).text(), '{"a":1}');
    const head = await fetch(`${url}/plain`, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "3");
    assert.deepEqual(seen.map(({ body }) => new TextDecoder().decode(body)), [
      "abc",
      "",
      '{"a":1}',
      "",
    ]);
  });
});

Deno.test("a changed response replaces the server's, which is recorded", async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "7" });
    response.end('{"a":1}');
  });
  const changed = { status: 404, headers: [["x-changed", "1"] as const], body: bytes("{}") };
  await withProxy(server.port, () => changed, async ({ url, recorded }) => {
    for (let turn = 0; turn < 3; turn++) {
      const response = await fetch(url);
      assert.equal(response.status, 404);
      assert.equal(response.headers.get("x-changed"), "1");
      assert.equal(response.headers.get("content-type"), null);
      assert.equal(await response.text(), "{}");
    }
    assert.equal(recorded[0]?.response?.status_code, 200);
    assert.equal(new TextDecoder().decode(recorded[0]?.response?.body as Uint8Array), '{"a":1}');
  });
});

Deno.test("bodies over the limit and streams are forwarded at once, unchanged", async () => {
  await using server = await startServer((request, response) => {
    const isSequence = request.url === "/events";
    response.writeHead(200, { "content-type": isSequence ? "text/event-stream" : "text/plain" });
    response.write("x".repeat(60));
    setTimeout(() => response.end("y".repeat(60)), 20);
  });
  const changed = { status: 500, headers: [], body: bytes("") };
  await withProxy(server.port, () => changed, async ({ url, seen }) => {
    for (const path of ["/long", "/events"]) {
      const response = await fetch(url + path);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), "x".repeat(60) + "y".repeat(60));
    }
    assert.deepEqual(seen, []);
  }, 100);
});

Deno.test("a held response that breaks off also breaks off for the client", async () => {
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("abc");
    setTimeout(() => response.destroy(), 20);
  });
  await withProxy(server.port, () => undefined, async ({ url }) => {
    await assert.rejects(async () => await (await fetch(url)).text());
  });
});
