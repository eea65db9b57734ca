import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { CoverageMap } from "../../mod.ts";
import type { HttpResponse } from "../../src/http/interaction.ts";
import type { ProxyOptions } from "../../src/proxy/proxy_options.ts";
import { BodyCapture, buildInteraction, ResponseCapture } from "../../src/proxy/body_capture.ts";
import { eventually } from "./raw_client.ts";
import { type Handler, startProxy, startServer } from "./test_server.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function captured(
  head: Partial<ConstructorParameters<typeof ResponseCapture>[0]>,
  chunks: readonly string[],
  { limit = 100, isComplete = true } = {},
): HttpResponse {
  const capture = new ResponseCapture(
    { method: "GET", status: 200, fields: [], length: undefined, ...head },
    limit,
  );
  for (const chunk of chunks) capture.add(bytes(chunk));
  if (isComplete) capture.complete();
  const { headers, ...response } = capture.toResponse(0.5);
  assert.ok(headers !== undefined);
  return response;
}

Deno.test("a response is kept completely or not at all", () => {
  const head = { status_code: 200, elapsed: 0.5 };
  assert.deepEqual(captured({}, ["ab", "c"]), { ...head, body: bytes("abc") });
  assert.deepEqual(captured({}, []), { ...head, body: bytes("") });
  assert.deepEqual(captured({}, ["abc"], { limit: 2 }), { ...head, body_truncated: true });
  assert.deepEqual(captured({ length: 3 }, ["abc"], { limit: 2 }), {
    ...head,
    body_truncated: true,
  });
  assert.deepEqual(captured({}, ["abc"], { isComplete: false }), { ...head, body_truncated: true });
  assert.deepEqual(captured({}, ["abc"], { limit: 0 }), head);
});

Deno.test("responses that can't have a body have none", () => {
  for (const odd of [{ method: "HEAD" }, { status: 204 }, { status: 304 }]) {
    assert.deepEqual(captured(odd, []), { status_code: odd.status ?? 200, elapsed: 0.5 });
  }
});

Deno.test("complete records of a stream count", () => {
  const head = { status_code: 200, elapsed: 0.5 };
  const events = { fields: ["Content-Type", "text/event-stream; charset=utf-8"] };
  const open = { isComplete: false };
  assert.deepEqual(captured(events, ["data: 1\n\nda", "ta: 2\n"], open), {
    ...head,
    body: bytes("data: 1\n\n"),
  });
  assert.deepEqual(captured(events, ["data: 1\r\n\r\ndata"], open).body, bytes("data: 1\r\n\r\n"));
  assert.deepEqual(
    captured(events, ["data: 1\n\ndata: 2\n\n"], { limit: 12 }).body,
    bytes("data: 1\n\n"),
  );
  assert.deepEqual(captured(events, ["data"], open).body, bytes(""));
  const lines = { fields: ["content-type", "application/x-ndjson"] };
  assert.deepEqual(captured(lines, ["1\n2\n3"], open).body, bytes("1\n2\n"));
  const sequence = { fields: ["content-type", "application/json-seq"] };
  assert.deepEqual(captured(sequence, ["\x1e1\n\x1e2\n\x1e3"], open).body, bytes("\x1e1\n\x1e2\n"));
  const packed = { fields: [...lines.fields, "Content-Encoding", "gzip"] };
  assert.equal(captured(packed, ["1\n"], open).body_truncated, true);
});

/** Sends one request through the proxy. Returns what the client gets, and what is recorded. */
async function exchange(
  handler: Handler,
  { body, ...options }: ProxyOptions & { readonly body?: string } = {},
) {
  await using server = await startServer(handler);
  await using running = await startProxy({
    reverse: `http://127.0.0.1:${server.port}`,
    ...options,
  });
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(`${running.proxy.url}/books`, { method, body: body ?? null });
  const got = await answer.text();
  await running.proxy.close();
  return {
    got,
    request: running.interactions[0]?.request,
    response: running.interactions[0]?.response,
    notices: running.notices.map(({ kind }) => kind),
  };
}

Deno.test("the proxy records response headers and bodies as they were sent", async () => {
  for (const [encoding, encode] of [["gzip", gzipSync], ["br", brotliCompressSync]] as const) {
    const body = new Uint8Array(encode('{"id":1}'));
    const { got, response } = await exchange((_request, answer) => {
      answer.writeHead(200, [
        ...["Content-Type", "application/json", "Content-Encoding", encoding],
        ...["Set-Cookie", "a=1", "Set-Cookie", "b=2"],
      ]);
      answer.end(body);
    });
    assert.equal(got, '{"id":1}');
    assert.deepEqual(new Uint8Array(response?.body as Uint8Array), body);
    const { headers } = response as { readonly headers: Record<string, unknown> };
    assert.equal(headers["Content-Encoding"], encoding);
    assert.deepEqual(headers["Set-Cookie"], ["a=1", "b=2"]);
  }
});

Deno.test("the proxy forwards a long response without recording it, with a notice if it could be measured", async () => {
  for (const [type, notices] of [["application/json", ["body_cut"]], ["image/png", []]] as const) {
    const { got, response, notices: said } = await exchange((_request, answer) => {
      answer.writeHead(200, { "Content-Type": type });
      for (let part = 0; part < 20; part++) answer.write("x".repeat(10_000));
      answer.end();
    }, { bodyLimit: 50_000 });
    assert.equal(got.length, 200_000);
    assert.deepEqual([response?.body, response?.body_truncated], [undefined, true]);
    assert.deepEqual(said, notices);
  }
});

Deno.test("the proxy forwards a long request completely, and records its beginning with a notice", async () => {
  const { got, request, notices } = await exchange((asked, answer) => {
    let length = 0;
    asked.on("data", (chunk) => length += chunk.length);
    asked.on("end", () => answer.end(String(length)));
  }, { bodyLimit: 1000, body: "x".repeat(200_000) });
  assert.equal(got, "200000");
  assert.deepEqual([request?.body?.length, request?.body_truncated], [1000, true]);
  assert.deepEqual(notices, ["body_cut"]);
});

Deno.test("the proxy records a response of more than 64 KiB before it is closed", async () => {
  const { got, response } = await exchange((_request, answer) =>
    void answer.end("x".repeat(300_000))
  );
  assert.equal(got.length, 300_000);
  assert.equal(response?.body?.length, 300_000);
});

Deno.test("without responseBodies, the proxy records only headers", async () => {
  const { got, response } = await exchange(
    (_request, answer) => void answer.end("text"),
    { responseBodies: false },
  );
  assert.equal(got, "text");
  assert.ok(response?.headers !== undefined && !("body" in response));
  assert.equal(response.body_truncated, undefined);
});

Deno.test("server-sent events are forwarded at once, and count when the client disconnects", async () => {
  let send: (text: string) => void = () => {};
  await using server = await startServer((_request, answer) => {
    answer.writeHead(200, { "Content-Type": "text/event-stream" });
    send = (text) => void answer.write(text);
    send("data: 1\n\n");
  });
  await using running = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const request = httpRequest(`${running.proxy.url}/events`).end();
  const [answer] = await once(request, "response");
  const [first] = await once(answer, "data");
  assert.equal(String(first), "data: 1\n\n");
  send("data: 2\n\nda");
  const [second] = await once(answer, "data");
  assert.equal(String(second), "data: 2\n\nda");
  assert.equal(running.interactions.length, 0);
  request.destroy();
  await eventually(() => running.interactions.length > 0);
  const { status_code, body } = running.interactions[0]?.response ?? {};
  assert.deepEqual([status_code, body], [200, bytes("data: 1\n\ndata: 2\n\n")]);
});

Deno.test("a response that breaks off counts as not recorded", async () => {
  await using server = await startServer((_request, answer) => {
    answer.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
    answer.write('{"id":');
    setTimeout(() => answer.destroy(), 20);
  });
  await using running = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  await assert.rejects(fetch(`${running.proxy.url}/books`).then((answer) => answer.text()));
  await eventually(() => running.interactions.length > 0);
  assert.equal(running.interactions[0]?.response?.body_truncated, true);
});

Deno.test("a proxy's recording has responses with masked secrets", async () => {
  await using server = await startServer((_request, answer) => {
    answer.writeHead(200, { "Content-Type": "application/json", "Set-Cookie": "sid=planted-1" });
    answer.end('{"token":"planted-2","id":1}');
  });
  const path = await Deno.makeTempFile();
  const map = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths: {} });
  assert.deepEqual(map.secretNames().headers, []);
  await using running = await startProxy({
    reverse: `http://127.0.0.1:${server.port}`,
    saveTraffic: path,
  });
  await (await fetch(`${running.proxy.url}/login`)).text();
  await running.proxy.close();
  const line = await Deno.readTextFile(path);
  await Deno.remove(path);
  assert.ok(!line.includes("planted"));
  assert.equal(JSON.parse(line).response.body, '{"token":"aaaaaaa-1","id":1}');
  assert.equal(running.interactions[0]?.response?.body?.length, 28);
});

Deno.test("buildInteraction() marks a truncated or incomplete body, and omits a response without a status", () => {
  const exchange = {
    method: undefined,
    url: "http://h/",
    fields: ["A", "1", "A", "2"],
    isComplete: true,
    status: undefined,
    timestamp: 7,
    startTime: performance.now(),
  };
  const plain = buildInteraction(exchange);
  assert.equal(plain.request.method, "GET");
  assert.deepEqual({ ...plain.request.headers }, { A: ["1", "2"] });
  assert.ok(!("response" in plain) && !("body_truncated" in plain.request));
  const capture = new BodyCapture(1);
  capture.add(Uint8Array.of(1, 2));
  for (const odd of [{ capture }, { isComplete: false }]) {
    assert.equal(buildInteraction({ ...exchange, ...odd }).request.body_truncated, true);
  }
  assert.equal(buildInteraction({ ...exchange, status: 204 }).response?.status_code, 204);
});
