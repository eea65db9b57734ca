import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { pause, RawClient } from "./raw_client.ts";
import { startProxy, startRequestServer } from "./test_server.ts";

const EXTRA = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen";

/** How a server sends an unrequested response. */
const WAYS: readonly { readonly name: string; send(socket: Socket, answer: string): void }[] = [
  { name: "at once", send: (socket, answer) => void socket.write(answer + EXTRA) },
  {
    name: "in the next piece",
    send: (socket, answer) => {
      socket.write(answer);
      setImmediate(() => socket.write(EXTRA));
    },
  },
  {
    name: "later",
    send: (socket, answer) => {
      socket.write(answer);
      setTimeout(() => socket.write(EXTRA), 20);
    },
  },
  {
    name: "as garbage, later",
    send: (socket, answer) => {
      socket.write(answer);
      setTimeout(() => socket.write("\r\n\r\n?"), 20);
    },
  },
];

for (const isSecure of [false, true]) {
  Deno.test(`an unrequested response${isSecure ? " over TLS" : ""} is not forwarded to any client`, async () => {
    for (const { name, send } of WAYS) {
      await using server = await startRequestServer((head, socket) => {
        const [, path = ""] = head.split(" ");
        send(socket, `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
      }, isSecure);
      await using test = await startProxy({
        reverse: `http${isSecure ? "s" : ""}://localhost:${server.port}`,
        insecure: true,
      });
      for (let index = 0; index < 4; index++) {
        const request = `GET /client-${index} HTTP/1.1\r\nHost: x\r\n\r\n`;
        const { text } = await RawClient.ask(test.proxy.port, request);
        assert.equal(text, `/client-${index}`, name);
        await pause(60);
      }
    }
  });
}
