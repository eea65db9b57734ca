import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Exchange } from "../../src/proxy/exchange.ts";
import { ErrorBoundary } from "../../src/proxy/error_boundary.ts";
import type { Services } from "../../src/proxy/services.ts";
import { resolveTarget } from "../../src/proxy/target.ts";
import { pause } from "./raw_client.ts";

/** A message whose connection is read like a TLS connection in Deno. */
class TestMessage extends Readable {
  readonly rawHeaders: string[];
  readonly rawTrailers: string[] = [];
  readonly method = "POST";
  readonly statusCode = 200;
  readonly statusMessage = "OK";
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  /** Number of times that reading from the connection was paused minus resumed. */
  stops = 0;
  readonly socket = {
    _handle: { _parent: { readStop: () => this.stops++, readStart: () => this.stops-- } },
  };

  constructor(...rawHeaders: string[]) {
    super({ read() {} });
    this.rawHeaders = rawHeaders;
  }
}

/** A message whose buffer is always full. */
class FullMessage extends EventEmitter {
  readonly destroyed = false;
  readonly req = { complete: true, socket: { encrypted: true } };
  headersSent = false;
  isEnded = false;
  writeHead(): void {
    this.headersSent = true;
  }
  /** Called when the last part has been written. */
  onWritten: (() => void) | undefined;
  write(_part: Uint8Array, onWritten?: () => void): boolean {
    this.onWritten = onWritten;
    return false;
  }
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {}
}

const CHUNKED = ["Host", "localhost", "Transfer-Encoding", "chunked"];

interface TestExchange {
  readonly request: TestMessage;
  readonly response: FullMessage;
  readonly upstream: FullMessage;
}

function begin(): TestExchange {
  const request = new TestMessage(...CHUNKED);
  const response = new FullMessage();
  const upstream = new FullMessage();
  const target = resolveTarget({ kind: "forward" }, "http://localhost/");
  assert.ok(target !== undefined);
  const services: Partial<Services> = {
    upstream: { request: () => upstream as unknown as ClientRequest } as never,
    boundary: new ErrorBoundary((error) => assert.fail(String(error))),
    bodyLimit: 0,
    responseBodyLimit: 0,
    isCaptured: () => false,
    begin: () => () => {},
  };
  new Exchange(
    request as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    target,
    services as Services,
  );
  return { request, response, upstream };
}

/** Waits until scheduled callbacks have run. */
async function turn(): Promise<void> {
  for (let left = 3; left > 0; left--) await pause(0);
}

Deno.test("after the last bytes of a request fill the server's buffer, the client's connection is read on", async () => {
  const { request, upstream } = begin();
  request.push("abc");
  await turn();
  assert.equal(request.stops, 1);
  // A client that is paused just before it is read on still reports its end.
  request.emit("end");
  assert.ok(upstream.isEnded);
  // No drain event follows: the runtimes emit it only if more is written.
  assert.equal(request.stops, 0);
});

Deno.test("after the last bytes of a response fill the client's buffer, the server's connection is read on", async () => {
  const { response, upstream } = begin();
  const answer = new TestMessage("Transfer-Encoding", "chunked");
  upstream.emit("response", answer);
  answer.push("abc");
  await turn();
  assert.equal(answer.stops, 1);
  answer.emit("end");
  assert.equal(answer.stops, 0);
  assert.ok(!response.isEnded);
  response.onWritten?.();
  assert.ok(response.isEnded);
});
