import assert from "node:assert/strict";
import { RawClient } from "./raw_client.ts";
import { startProxy, startServer } from "./test_server.ts";

/** Milliseconds after which a connection that is to be closed counts as kept. */
const LATE = 6000;

for (
  const [name, request] of [
    [
      "a head and its body",
      (host: string) =>
        `POST / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\nContent-Length: 4\r\n\r\nbody`,
    ],
    ["a head alone", (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\n\r\n`],
    [
      "a body that doesn't end",
      (host: string) =>
        `POST / HTTP/1.1\r\nHost: ${host}\r\nHost: other\r\nContent-Length: 9\r\n\r\nbody`,
    ],
  ] as const
) {
  for (const way of ["in the open", "over TLS"] as const) {
    Deno.test(`the connection of a client that is refused ends: ${name}, ${way}`, async () => {
      await using server = await startServer((_request, response) => void response.end("fine"));
      await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
      const client = await RawClient.open(test.proxy.port);
      const reader = way === "over TLS" ? await client.secure(test.proxy.caCertificate) : client;
      reader.write(request(`localhost:${test.proxy.port}`));
      assert.equal((await reader.answer()).status, 400);
      assert.ok(await reader.ends(LATE), "the connection stays open");
    });
  }
}

Deno.test("the answer to a request of HTTP/1.0 over TLS has an end, whatever its length", async () => {
  await using server = await startServer((_request, response) => {
    response.write("one ");
    setTimeout(() => response.end("two"), 20);
  });
  await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
  for (let round = 0; round < 5; round++) {
    const client = await (await RawClient.open(test.proxy.port)).secure(test.proxy.caCertificate);
    client.write(`GET / HTTP/1.0\r\nHost: localhost:${test.proxy.port}\r\n\r\n`);
    await client.until("one two");
    assert.ok(await client.ends(LATE), "the connection stays open");
  }
});

for (const way of ["in the open", "over TLS"] as const) {
  Deno.test(`a client that is still sending gets the answer behind which its connection ends: ${way}`, async () => {
    await using server = await startServer((_request, response) => void response.end("early"));
    await using test = await startProxy({ reverse: `http://localhost:${server.port}` });
    const part = new Uint8Array(200_000);
    for (let round = 0; round < 30; round++) {
      const plain = await RawClient.open(test.proxy.port);
      const client = way === "over TLS" ? await plain.secure(test.proxy.caCertificate) : plain;
      const version = round % 2;
      client.write(
        `PUT / HTTP/1.${version}\r\nHost: localhost:${test.proxy.port}\r\nConnection: close\r\n` +
          "Content-Length: 4000000\r\n\r\n",
      );
      for (let left = 12; left > 0; left--) client.write(part);
      assert.equal((await client.answer()).status, 200);
      client.destroy();
    }
  });
}
