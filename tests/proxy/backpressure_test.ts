import assert from "node:assert/strict";
import { eventually, pause, RawClient, within } from "./raw_client.ts";
import { type Handler, startProxy, startRawServer, startServer } from "./test_server.ts";

const LENGTH = 573_000;
/** A body of this length as one chunk. */
const BODY = new TextEncoder().encode(
  `${LENGTH.toString(16)}\r\n${"x".repeat(LENGTH)}\r\n0\r\n\r\n`,
);

/** Reads a request slowly, and responds with more than any buffer holds. */
const slow: Handler = (request, response) => {
  request.on("data", () => {
    request.pause();
    setTimeout(() => request.resume(), 3);
  });
  request.on("end", () => {
    const body = "y".repeat(request.url === "/large" ? 1_000_000 : 2);
    response.end(body);
  });
};

Deno.test("after a body that its server reads slowly, the next request on the connection is read", async () => {
  await using server = await startServer(slow, true);
  await using test = await startProxy();
  const host = `localhost:${server.port}`;
  const round = async (name: string): Promise<void> => {
    const client = await RawClient.reach(test.proxy, host, true);
    for (let index = 0; index < 3; index++) {
      client.write(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      // The end arrives with the last part of the body, which may still be in transit.
      for (let at = 0; at < BODY.length; at += BODY.length / 3) {
        client.write(BODY.subarray(at, at + BODY.length / 3));
        await pause(at % 11);
      }
      const { status } = await within(client.answer(), `request ${index} of ${name}`);
      assert.equal(status, 200);
    }
    client.destroy();
  };
  for (let index = 0; index < 2; index++) {
    await Promise.all(Array.from({ length: 8 }, (_, number) => round(`${index}/${number}`)));
  }
});

Deno.test("a client that is still sending its request receives a refusal", async () => {
  await using closing = await startRawServer((socket) =>
    void socket.once("data", () => socket.destroy())
  );
  await using test = await startProxy({ reverse: `http://127.0.0.1:${closing.port}` });
  for (let index = 0; index < 8; index++) {
    for (const isSecure of [false, true]) {
      const opened = await RawClient.open(test.proxy.port);
      const client = isSecure ? await opened.secure(test.proxy.caCertificate) : opened;
      client.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n");
      for (let left = 5; left > 0; left--) {
        client.write(new Uint8Array(1_000_000));
        await pause(1);
      }
      const { status, head } = await within(client.answer(), "a refusal");
      assert.equal(status, 502);
      assert.match(head, /^Connection: close\r$/mi);
      assert.ok(await client.ends(3000));
    }
  }
  await eventually(() => test.proxy.connections === 0);
});
