import assert from "node:assert/strict";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { latin1, RawClient } from "./raw_client.ts";
import { startProxy, startRawServer, type TestProxy } from "./test_server.ts";

const BODY = "Content-Length: 2\r\n\r\nok";
const text = new TextDecoder();

/** A client's response. */
interface Got {
  readonly status: number;
  readonly body: string;
  /** Fields by lowercase name; repeated ones joined. */
  readonly fields: Readonly<Record<string, string>>;
  readonly reason?: string;
  readonly trailers?: IncomingHttpHeaders;
}

async function overHttp1(test: TestProxy): Promise<Got> {
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const { status, head, text: body } = await RawClient.ask(test.proxy.port, request);
  const [line = "", ...lines] = head.trimEnd().split("\r\n");
  const fields: Record<string, string> = {};
  for (const one of lines) {
    const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(one) ?? [];
    const key = name.toLowerCase();
    fields[key] = fields[key] === undefined ? value : `${fields[key]}, ${value}`;
  }
  return { status, body, fields, reason: line.slice(13) };
}

async function overHttp2(test: TestProxy): Promise<Got> {
  const session = connectHttp2(`https://localhost:${test.proxy.port}`, {
    ca: test.proxy.caCertificate,
  });
  try {
    return await new Promise<Got>((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": "/" });
      let got: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders = {};
      let body = "";
      stream.on("response", (headers) => got = headers);
      stream.on("trailers", (headers) => trailers = headers);
      stream.on("data", (chunk: Uint8Array) => body += text.decode(chunk));
      stream.on("error", reject);
      stream.on("end", () => {
        const fields = Object.fromEntries(
          Object.entries(got).map(([name, value]) => [name, String(value)]),
        );
        resolve({ status: Number(got[":status"]), body, fields, trailers });
      });
      stream.end();
    });
  } finally {
    session.destroy();
  }
}

/** A reverse proxy for a server that responds to everything with these characters, one byte each. */
async function withAnswer(answer: string, run: (test: TestProxy) => Promise<void>): Promise<void> {
  await using server = await startRawServer((socket) => {
    socket.once("data", () => void socket.end(latin1(answer)));
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  await run(test);
  assert.equal(test.proxy.failures, 0);
  assert.equal(test.proxy.inFlight, 0);
}

Deno.test("repeated response fields reach HTTP/2 clients, joined if only one is allowed", async () => {
  const names = [
    ...["Date", "Content-Type", "Location", "ETag", "X-Content-Type-Options", "Expires", "Age"],
    ...["Content-Encoding", "Content-Language", "Retry-After", "Last-Modified", "Host", "DNT"],
    ...["Access-Control-Allow-Credentials", "Access-Control-Max-Age", "Content-Range", "From"],
    ...["User-Agent", "Referer", "Authorization", "Max-Forwards", "Server", "Vary", "Link"],
  ];
  const twice = names.map((name) => `${name}: a\r\n${name.toUpperCase()}: b\r\n`).join("");
  await withAnswer(`HTTP/1.1 200 OK\r\n${twice}${BODY}`, async (test) => {
    const got = await overHttp2(test);
    assert.equal(got.status, 200);
    assert.equal(got.body, "ok");
    for (const name of names) assert.equal(got.fields[name.toLowerCase()], "a, b", name);
  });
  const chunked =
    "Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n";
  await withAnswer(`HTTP/1.1 200 OK\r\n${chunked}`, async (test) => {
    assert.equal((await overHttp2(test)).trailers?.["x-sum"], "7");
  });
  const same = "Date: Sun, 22 Nov 2026 10:00:00 GMT\r\nX-Content-Type-Options: nosniff\r\n";
  await withAnswer(`HTTP/1.1 200 OK\r\n${same}${same}${BODY}`, async (test) => {
    const { fields } = await overHttp2(test);
    assert.equal(fields["date"], "Sun, 22 Nov 2026 10:00:00 GMT");
    assert.equal(fields["x-content-type-options"], "nosniff");
    const plain = await overHttp1(test);
    assert.equal(plain.fields["x-content-type-options"], "nosniff, nosniff");
  });
});

Deno.test("an invalid status or an unrequested protocol becomes a 502 that names it", async () => {
  const upgraded = "101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nxyz";
  for (
    const [rest, http1, http2, recorded] of [
      [`000 Zero\r\n${BODY}`, 502, 502, undefined],
      [`099 Low\r\n${BODY}`, 502, 502, undefined],
      [`101 Odd\r\n${BODY}`, 502, 502, undefined],
      [upgraded, 502, 502, undefined],
      [`299 Fine\r\n${BODY}`, 299, 299, 299],
      [`599 Highest\r\n${BODY}`, 599, 599, 599],
      [`600 High\r\n${BODY}`, 600, 502, 600],
      [`999 Top\r\n${BODY}`, 999, 502, 999],
    ] as const
  ) {
    await withAnswer(`HTTP/1.1 ${rest}`, async (test) => {
      for (
        const [got, status] of [[await overHttp1(test), http1], [await overHttp2(test), http2]]
      ) {
        const { body, ...head } = got as Got;
        assert.equal(head.status, status, rest);
        if (status !== 502) assert.equal(body, "ok");
        else {assert.match(
            body,
            /^covtool proxy: Cannot forward the response of 127\.0\.0\.1:\d+: .+\.\n$/,
          );}
      }
      const statuses = test.interactions.map(({ response }) => response?.status_code);
      assert.deepEqual(statuses, [recorded, recorded], rest);
    });
  }
});

Deno.test("control characters in a reason phrase become spaces", async () => {
  for (const code of [0x00, 0x01, 0x07, 0x08, 0x0b, 0x1b, 0x1f, 0x7f]) {
    const odd = String.fromCharCode(code);
    await withAnswer(`HTTP/1.1 200 A${odd}B\tC \xe9\r\n${BODY}`, async (test) => {
      const got = await overHttp1(test);
      assert.equal(got.reason, "A B\tC \xe9");
      assert.equal(got.body, "ok");
      assert.equal((await overHttp2(test)).status, 200);
    });
  }
});

Deno.test("a contradictory response is forwarded as far as HTTP allows", async () => {
  const chunked = "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n";
  for (
    const [answer, status, body] of [
      [`HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\n${BODY}`, 200, "ok"],
      [`HTTP/1.1 204 None\r\nContent-Length: 2\r\n\r\nok`, 204, ""],
      [`HTTP/1.1 200 OK\r\n:status: 500\r\n${BODY}`, 502, undefined],
      [
        "HTTP/1.1 200 OK\r\nContent-Length: 9007199254740992\r\n\r\nok",
        502,
        /: its Content-Length is too large to be counted exactly \(2\^53 bytes or more\)\.\s*$/,
      ],
      ["HTTP/1.1 200 OK\r\nContent-Length: 002\r\n\r\nok", 200, "ok"],
      [`HTTP/1.1 200 OK\r\n__proto__: 1\r\nconstructor: 2\r\n${BODY}`, 200, "ok"],
      [`HTTP/1.1 200 OK\r\nTE: gzip\r\nUpgrade: h2c\r\nKeep-Alive: x\r\n${BODY}`, 200, "ok"],
      [`HTTP/1.1 200 OK\r\nX: a\x1bb\r\n${BODY}`, 502, undefined],
      [
        `HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Early\x1b\r\nLink: x\r\n\r\nHTTP/1.0 200 OK\r\n\r\nok`,
        undefined,
        undefined,
      ],
      ...["Connection: x", "TE: gzip", "Upgrade: y", "Date: a\r\nDate: b", "Transfer-Encoding: x"]
        .map((trailer) => [`HTTP/1.1 200 OK\r\n${chunked}${trailer}\r\n\r\n`, 200, "ok"] as const),
      ["", 502, undefined],
      ["\0\xff".repeat(99), 502, undefined],
    ] as const
  ) {
    await withAnswer(answer, async (test) => {
      const ways = [overHttp1, overHttp2];
      for (const way of ways) {
        const got = await way(test);
        if (status !== undefined) assert.equal(got.status, status, answer);
        if (body instanceof RegExp) assert.match(got.body, body, answer);
        else if (body !== undefined) assert.equal(got.body, body, answer);
      }
    });
  }
});

Deno.test("an internal error ends only one exchange, and is counted and reported", async () => {
  await withAnswer(`HTTP/1.1 200 OK\r\n${BODY}`, async ({ proxy: { port } }) => {
    const said: string[] = [];
    await using broken = await startProxy({
      reverse: `http://127.0.0.1:${port}`,
      onInteraction: () => {
        throw new Error("no interaction");
      },
      onNotice: ({ kind, message }) => {
        said.push(`${kind} ${message}`);
        if (kind.startsWith("upstream_")) throw new Error("no notice");
      },
    });
    for (const way of [overHttp1, overHttp2]) assert.equal((await way(broken)).body, "ok");
    assert.equal(broken.proxy.failures, 2);
    assert.equal(broken.interactions.length, 2);
    assert.match(
      said.join(),
      /^exchange_failed covtool itself failed on a request \(no interaction\)/,
    );
    assert.equal(said.length, 1);
  });
  // Here, an event handler throws before there is a response.
  await using server = await startRawServer((socket) => void socket.destroy());
  await using broken = await startProxy({
    reverse: `http://127.0.0.1:${server.port}`,
    onNotice: ({ kind }) => {
      if (kind.startsWith("upstream_")) throw new Error("no notice");
    },
  });
  for (const way of [overHttp1, overHttp2]) {
    const got = await way(broken);
    assert.equal(got.status, 502);
    assert.match(got.body, /^covtool proxy: .+\n$/);
  }
  assert.ok(broken.proxy.failures > 0);
  assert.equal(broken.proxy.inFlight, 0);
});
