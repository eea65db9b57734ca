// The server of the proxy benchmark, in its own process. Prints its two ports and the authority of its certificate.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { print } from "../../scripts/print.ts";
import { Authority, createAuthority } from "../../src/proxy/authority.ts";

const body = new Uint8Array(1024).fill(0x78);
const piece = new Uint8Array(64 * 1024).fill(0x79);

function answer(request: IncomingMessage, response: ServerResponse): void {
  const size = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("bytes"));
  if (size === 0) {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
    return;
  }
  response.writeHead(200, { "content-length": size });
  let left = size;
  const more = (): void => {
    while (left > 0) {
      const next = left < piece.length ? piece.subarray(0, left) : piece;
      left -= next.length;
      if (!response.write(next)) {
        response.once("drain", more);
        return;
      }
    }
    response.end();
  };
  more();
}

const authority = new Authority(createAuthority(new Date()));
const { certificate, key } = authority.issueLeaf("localhost", new Date());
const plain = createServer(answer).listen(0, "127.0.0.1", () => {
  const secure = createSecureServer({ cert: certificate, key }, answer);
  secure.listen(0, "127.0.0.1", () => {
    print(JSON.stringify({
      http: (plain.address() as AddressInfo).port,
      https: (secure.address() as AddressInfo).port,
    }));
  });
});
