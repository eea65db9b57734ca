import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import type { IncomingMessage } from "node:http";
import { RawClient } from "./raw_client.ts";
import { echo, startProxy, startServer } from "./test_server.ts";

const text = new TextDecoder();
const UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n";

/** The values of a field that the echo server received. */
function fieldValues(fields: readonly string[], name: string): string[] {
  return fields.filter((_, index) =>
    index % 2 === 1 && fields[index - 1]?.toLowerCase() === name.toLowerCase()
  );
}

Deno.test("Host is taken from an absolute request target, not from the client's Host", async () => {
  await using server = await startServer(echo);
  const upgraded: string[][] = [];
  server.server.on("upgrade", (request: IncomingMessage, socket) => {
    upgraded.push(request.rawHeaders);
    socket.end("HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  await using test = await startProxy();
  const authority = `LocalHost:${server.port}`;
  for (const host of ["evil.example", authority, "localhost"]) {
    for (const fields of ["", "Connection: host\r\n", UPGRADE]) {
      const { body } = await RawClient.ask(
        test.proxy.port,
        `GET http://user:word@${authority}/ HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`,
      );
      const seen = fields === UPGRADE ? upgraded.pop() : JSON.parse(text.decode(body)).fields;
      assert.deepEqual(fieldValues(seen, "host"), [authority], `${host} ${fields}`);
    }
  }
  // Inside a tunnel, most targets are paths, and Host is kept.
  const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${server.port}`);
  for (
    const [target, host] of [["/", "other.example"], ["http://third.example/", "third.example"]]
  ) {
    tunnel.write(`GET ${target} HTTP/1.1\r\nHost: other.example\r\n\r\n`);
    const { body } = await tunnel.answer();
    assert.deepEqual(fieldValues(JSON.parse(text.decode(body)).fields, "host"), [host]);
  }
  tunnel.destroy();
});

Deno.test("two Host fields get a 400, and nothing is forwarded or recorded", async () => {
  await using server = await startServer(echo);
  let requests = 0;
  server.server.on("request", () => requests++);
  server.server.on("upgrade", () => requests++);
  const hosts = "Host: a.example\r\nhost: a.example\r\n";
  const base = `http://localhost:${server.port}`;
  for (const reverse of [undefined, base]) {
    await using test = await startProxy({ reverse });
    for (const fields of ["", UPGRADE]) {
      const client = await RawClient.open(test.proxy.port);
      client.write(`GET ${base}/ HTTP/1.1\r\n${hosts}${fields}\r\n`);
      const { status, body } = await client.answer();
      assert.equal(status, 400);
      assert.match(text.decode(body), /^covtool proxy: The request has two Host fields\./);
      assert.ok(await client.ends(1000));
    }
    assert.equal(test.interactions.length, 0);
  }
  assert.equal(requests, 0);
});

Deno.test("a reverse proxy sends the client's Host as X-Forwarded-Host, without recording it", async () => {
  await using server = await startServer(echo);
  await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
  const session = connectHttp2(`https://localhost:${test.proxy.port}`, {
    ca: test.proxy.caCertificate,
  });
  const seen: string[][] = [];
  for (const fields of ["", "X-Forwarded-Host: first.example\r\n"]) {
    const client = await RawClient.open(test.proxy.port);
    client.write(`GET / HTTP/1.1\r\nHost: shop.example:81\r\n${fields}\r\n`);
    seen.push(JSON.parse(text.decode((await client.answer()).body)).fields);
    client.destroy();
  }
  const stream = session.request({ ":path": "/", ":authority": "two.example" });
  let body = "";
  for await (const chunk of stream) body += text.decode(chunk);
  seen.push(JSON.parse(body).fields);
  session.close();
  assert.deepEqual(seen.map((fields) => fieldValues(fields, "x-forwarded-host")), [
    ["shop.example:81"],
    ["first.example"],
    ["two.example"],
  ]);
  for (const fields of seen) {
    assert.deepEqual(fieldValues(fields, "host"), [`localhost:${server.port}`]);
  }
  const recorded = test.interactions.map(({ request }) =>
    Object.entries(request.headers ?? {}).find(([name]) => /x-forwarded-host/i.test(name))?.[1]
  );
  assert.deepEqual(recorded, [undefined, "first.example", undefined]);
});

Deno.test("a transfer coding other than chunked gets a 501, and isn't forwarded", async () => {
  let seen = 0;
  await using server = await startServer((request, response) => {
    seen++;
    echo(request, response);
  });
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  const status = async (...codings: string[]): Promise<number> => {
    const fields = codings.map((coding) => `Transfer-Encoding: ${coding}\r\n`).join("");
    const request = `POST / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n2\r\nok\r\n0\r\n\r\n`;
    return (await RawClient.ask(test.proxy.port, request)).status;
  };
  assert.equal(await status("chunked"), 200);
  assert.equal(await status("CHUNKED"), 200);
  for (const codings of [["gzip, chunked"], ["identity", "chunked"], ["gzip", "chunked"]]) {
    assert.equal(await status(...codings), 501, codings.join(" and "));
  }
  assert.equal(seen, 2);
  assert.equal(test.proxy.interactions, 2);
});
