import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { Exchange } from "../../src/proxy/exchange.ts";
import { ErrorBoundary } from "../../src/proxy/error_boundary.ts";
import type { Services } from "../../src/proxy/services.ts";
import { resolveTarget } from "../../src/proxy/target.ts";
import { pause } from "./raw_client.ts";

/** A message whose connection is read as that of TLS is in Deno. */
class TestMessage extends Readable {
  readonly rawHeaders: string[];
  readonly rawTrailers: string[] = [];
  readonly method = "POST";
  readonly statusCode = 200;
  readonly statusMessage = "OK";
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  /** Times that the reading of the connection was stopped, less those that it began again. */
  stops = 0;
  readonly socket = {
    _handle: { _parent: { readStop: () => this.stops++, readStart: () => this.stops-- } },
  };

  constructor(...rawHeaders: string[]) {
    super({ read() {} });
    this.rawHeaders = rawHeaders;
  }
}

/** A message that takes nothing more at once. */
class FullMessage extends EventEmitter {
  readonly destroyed = false;
  readonly req = { complete: true, socket: { encrypted: true } };
  headersSent = false;
  isEnded = false;
  writeHead(): void {
    this.headersSent = true;
  }
  /** Called when the last part is on its way. */
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

/** Runs what is to be done soon. */
async function turn(): Promise<void> {
  for (let left = 3; left > 0; left--) await pause(0);
}

Deno.test("a connection whose last bytes found the server's full is read on behind the request", async () => {
  const { request, upstream } = begin();
  request.push("abc");
  await turn();
  assert.equal(request.stops, 1);
  // A client that is paused while it is about to be read on has its end all the same.
  request.emit("end");
  assert.ok(upstream.isEnded);
  // No drain follows: the runtimes tell only of those that something is written after.
  assert.equal(request.stops, 0);
});

Deno.test("a server's connection whose last bytes found the client's full is read on behind the answer", async () => {
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
