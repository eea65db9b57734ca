import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { EndedClients } from "../../src/proxy/ended_clients.ts";
import { Guard } from "../../src/proxy/guard.ts";
import { RelayedConnections } from "../../src/proxy/relayed_connections.ts";
import { eventually } from "./raw_client.ts";

Deno.test("a relayed connection passes bytes both ways, knows its port, and ends on both sides together", async () => {
  const guard = new Guard((error) => assert.fail(String(error)));
  const relayed = new RelayedConnections(guard, new EndedClients(guard, () => false));
  const ports: boolean[] = [];
  const inner = createServer((socket: Socket) => {
    socket.on("data", (chunk) => {
      ports.push(relayed.has(socket.remotePort));
      socket.write(`got ${chunk}`);
    });
  }).listen(0, "127.0.0.1");
  await once(inner, "listening");
  const { port } = inner.address() as AddressInfo;
  const front = createServer({ allowHalfOpen: true }, (socket) => {
    relayed.relay(socket, new TextEncoder().encode("head "), { port, host: "127.0.0.1" });
  }).listen(0, "127.0.0.1");
  await once(front, "listening");
  const client = connect((front.address() as AddressInfo).port, "127.0.0.1");
  const [first] = await once(client, "data");
  assert.equal(String(first), "got head ");
  client.write("more");
  const [second] = await once(client, "data");
  assert.equal(String(second), "got more");
  assert.deepEqual(ports, [true, true]);
  assert.equal(relayed.size, 1);
  client.destroy();
  await eventually(() => relayed.size === 0);
  assert.equal(relayed.has(undefined), false);
  front.close();
  inner.close();
});
