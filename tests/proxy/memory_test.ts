import assert from "node:assert/strict";
import { ClientRequest } from "node:http";
import v8 from "node:v8";
import { Exchange } from "../../src/proxy/exchange.ts";
import { eventually, RawClient, requestFields } from "./raw_client.ts";
import { Http2Client } from "./soak/h2_client.ts";
import { echo, startProxy, startServer } from "./test_server.ts";

/** The number of reachable objects of a class after garbage collection. */
function held(constructor: unknown): number {
  // The types don't have this function yet.
  const { queryObjects } = v8 as unknown as {
    queryObjects(constructor: unknown, options: { readonly format: "count" }): number;
  };
  return queryObjects(constructor, { format: "count" });
}

Deno.test("requests that are cancelled before their server is reached are garbage collected", async () => {
  const earlier = [Exchange, ClientRequest].map(held);
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  for (let round = 0; round < 3; round++) {
    const authority = `localhost:${server.port}`;
    const client = new Http2Client(await RawClient.reach(test.proxy, authority, true, "h2"));
    const before = test.proxy.requests;
    const methods = Array.from({ length: 60 }, () => ["GET", "POST"]).flat();
    const streams = methods.map((method, index) => {
      const fields = requestFields(method, authority, `/${index}`);
      const { stream } = client.begin(fields, method === "GET");
      if (method === "POST") void client.send(stream, new Uint8Array(100), false);
      return stream;
    });
    // Cancelled as soon as they have begun, before their connections are open.
    while (test.proxy.requests < before + methods.length) await new Promise(setImmediate);
    for (const stream of streams) client.reset(stream);
    await eventually(() => test.proxy.inFlight === 0);
    client.destroy();
  }
  await eventually(() => test.proxy.inFlight === 0 && test.proxy.connections === 0);
  assert.ok(test.proxy.requests >= 300);
  // Pending connections are opened first. Earlier tests in the same process may have left some.
  await eventually(
    () => [Exchange, ClientRequest].every((kind, index) => held(kind) <= (earlier[index] ?? 0)),
    60_000,
  );
});
