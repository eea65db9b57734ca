import assert from "node:assert/strict";
import { RawClient, requestFields } from "./raw_client.ts";
import { Http2Client } from "./soak/h2_client.ts";
import {
  type RequestServer,
  startProxy,
  startRequestServer,
  type TestProxy,
} from "./test_server.ts";

/** A server that responds to everything. */
function startOrigin(): Promise<RequestServer> {
  return startRequestServer(() => "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
}

const WAYS = ["forward", "in the open, in a tunnel", "over TLS"] as const;

/**
 * Sends a raw request in each way to reach the server, as the first and as the second one on a connection.
 * Returns the statuses; 0 where the connection just ends.
 */
async function statuses(
  origin: RequestServer,
  text: (prefix: string) => string,
): Promise<number[]> {
  const all: number[] = [];
  await using forward = await startProxy();
  await using reverse = await startProxy({ reverse: `http://127.0.0.1:${origin.port}` });
  const host = `127.0.0.1:${origin.port}`;
  for (const way of WAYS) {
    for (const isSecond of [false, true]) {
      const client = way === "over TLS"
        ? await (await RawClient.open(reverse.proxy.port)).secure(reverse.proxy.caCertificate)
        : way === "forward"
        ? await RawClient.open(forward.proxy.port)
        : await RawClient.tunnel(forward.proxy.port, host);
      const prefix = way === "forward" ? `http://${host}` : "";
      if (isSecond) {
        client.write(`GET ${prefix}/first HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await client.answer();
      }
      client.write(text(prefix));
      all.push(await client.answer().then(({ status }) => status, () => 0));
      client.destroy();
    }
  }
  return all;
}

function isRefusal(status: number): boolean {
  return status === 0 || status === 400 || status === 505;
}

/** The request lines that the server received, without those of first requests. */
function lines({ heads }: RequestServer): string[] {
  return heads.flatMap((head) => head.split("\r\n", 1)).filter((line) => !line.includes("/first"));
}

async function overHttp2(test: TestProxy, ...fields: [string, string][]): Promise<number> {
  const client = await (await RawClient.open(test.proxy.port))
    .secure(test.proxy.caCertificate, "localhost", "h2");
  const session = new Http2Client(client);
  const named = new Set(fields.map(([name]) => name));
  const { status } = await session.request([
    ...requestFields("POST", "localhost", "/a").filter(([name]) => !named.has(name)),
    ...fields,
  ], new Uint8Array(3));
  session.destroy();
  return status;
}

Deno.test("extra spaces in a request line are removed before it reaches the server", async () => {
  await using origin = await startOrigin();
  for (const spaces of [["  ", " "], [" ", "  "]]) {
    const line = (prefix: string): string =>
      `GET${spaces[0]}${prefix}/a${spaces[1]}HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    assert.deepEqual(await statuses(origin, line), WAYS.flatMap(() => [200, 200]));
  }
  assert.deepEqual(new Set(lines(origin)), new Set(["GET /a HTTP/1.1"]));
});

Deno.test("requests with another version than HTTP/1.0 and HTTP/1.1, or none, reach no server", async () => {
  await using origin = await startOrigin();
  for (const version of ["2.0", "0.9", "1.2", "3.0", "2", "1.10"]) {
    const request = (prefix: string): string =>
      `GET ${prefix}/a HTTP/${version}\r\nHost: localhost\r\n\r\n`;
    const all = await statuses(origin, request);
    assert.ok(all.every(isRefusal), `${version}: ${all}`);
  }
  // In a tunnel, this isn't HTTP, and is passed through.
  await using test = await startProxy({ reverse: `http://127.0.0.1:${origin.port}` });
  const without = await RawClient.ask(test.proxy.port, "GET /a\r\nHost: localhost\r\n\r\n");
  assert.ok(isRefusal(without.status));
  assert.deepEqual(lines(origin), []);
});

Deno.test("HTTP/2 without TLS is passed through a tunnel", async () => {
  await using origin = await startOrigin();
  await using test = await startProxy();
  const client = await RawClient.tunnel(test.proxy.port, `127.0.0.1:${origin.port}`);
  client.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  await client.answer();
  assert.deepEqual(origin.heads, ["PRI * HTTP/2.0", "SM"]);
  client.destroy();
});

Deno.test("a fragment is removed from the path before it is forwarded and recorded", async () => {
  await using origin = await startOrigin();
  const request = (prefix: string): string =>
    `GET ${prefix}/a?b#c?d HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  assert.deepEqual(await statuses(origin, request), WAYS.flatMap(() => [200, 200]));
  await using test = await startProxy({ reverse: `http://127.0.0.1:${origin.port}` });
  assert.equal(await overHttp2(test, [":path", "/a?b#c"]), 200);
  assert.match(test.interactions[0]?.request.url ?? "", /\/a\?b$/);
  assert.deepEqual(new Set(lines(origin)), new Set(["GET /a?b HTTP/1.1", "POST /a?b HTTP/1.1"]));
});

Deno.test("a request with an invalid Content-Length reaches no server", async () => {
  await using origin = await startOrigin();
  await using test = await startProxy({ reverse: `http://127.0.0.1:${origin.port}` });
  for (const length of ["9007199254740992", "18446744073709551615"]) {
    const request = (prefix: string): string =>
      `POST ${prefix}/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\nabc`;
    assert.deepEqual(await statuses(origin, request), WAYS.flatMap(() => [400, 400]), length);
    assert.ok(isRefusal(await overHttp2(test, ["content-length", length])), length);
  }
  for (const length of ["99999999999999999999", "+3", "-3", "0x3", "3.0", "3 3", "3, 3", "abc"]) {
    const request = (prefix: string): string =>
      `POST ${prefix}/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\nabc`;
    assert.ok((await statuses(origin, request)).every(isRefusal), length);
    assert.ok(isRefusal(await overHttp2(test, ["content-length", length])), length);
  }
  const long = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9007199254740992\r\n\r\na";
  assert.match(
    (await RawClient.ask(test.proxy.port, long)).text,
    /^covtool proxy: The Content-Length of the request is too large to be counted exactly \(/,
  );
  assert.deepEqual(lines(origin), []);
});

Deno.test("leading zeros of a Content-Length are removed", async () => {
  await using origin = await startOrigin();
  const request = (prefix: string): string =>
    `POST ${prefix}/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0003\r\n\r\nabc`;
  assert.deepEqual(await statuses(origin, request), WAYS.flatMap(() => [200, 200]));
  for (const head of origin.heads) assert.match(head, /\/first|\r\nContent-Length: 3(?:\r\n|$)/);
});
