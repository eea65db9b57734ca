import { latin1Bytes } from "../http/body_text.ts";
import { concatBytes } from "../values/collections.ts";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ResponseEndFinder } from "./upstream_response.ts";
import { buildInteraction } from "./body_capture.ts";
import { describeFailure } from "./describe_failure.ts";
import { ignore } from "./error_boundary.ts";
import {
  addForwardedHost,
  fieldPairs,
  fieldValue,
  readEndToEnd,
  withField,
} from "./header_fields.ts";
import { plainResponse } from "./send_response.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** Milliseconds for a peer to close its connection after the other side has ended. */
const LINGER = 2000;

export function joinSockets(first: Socket, second: Socket): void {
  // An error is followed by `close`, which is handled.
  first.on("error", ignore);
  second.on("error", ignore);
  first.once("close", () => closeAfter(first, second));
  second.once("close", () => closeAfter(second, first));
  first.pipe(second);
  second.pipe(first);
  // If a connection has already ended, it does not emit `end` again.
  if (first.readableEnded) second.end();
  if (second.readableEnded) first.end();
}

/** Closes a connection after the other one has closed, once it has sent all its data. */
function closeAfter(closed: Socket, remaining: Socket): void {
  if (!closed.readableEnded || remaining.destroyed) {
    remaining.destroy();
    return;
  }
  remaining.resume();
  const linger = (): void => {
    const timer = setTimeout(() => remaining.destroy(), LINGER);
    remaining.once("close", () => clearTimeout(timer));
  };
  if (remaining.writableFinished) linger();
  else remaining.once("finish", linger);
}

/** Maximum number of bytes that a client may send before the response. */
const MAX_EARLY_BYTES = 64 * 1024;

const UPGRADE_WITH_BODY =
  "covtool proxy: An upgrade request cannot have a body. Remove the body or the Upgrade field.\n";

/** An upgrade request, with the connection that the server gave up for it. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly client: Socket;
  /** The bytes that the client sent after the head. */
  readonly head: Uint8Array;
  readonly target: Target;
  /** Resumes reading requests from the connection, beginning with these bytes. */
  resume(first: Uint8Array): void;
}

/**
 * Passes on a request to change the protocol, such as WebSocket (RFC 6455). If the server agrees, bytes are piped both
 * ways untouched. If not, its response is passed on, and the client's further requests are read as usual. The
 * interaction is recorded when the response arrives.
 *
 * An upgrade request with a body is rejected: it should not get here (see `isWebSocketHead()`), and how much of the
 * body is left here depends on the runtime.
 */
export function passUpgrade(upgrade: UpgradeRequest, services: Services): void {
  const { request, client } = upgrade;
  client.on("error", ignore);
  client.setTimeout(0);
  const { isChunked, length } = readEndToEnd(request.rawHeaders);
  if (isChunked || (length ?? 0) > 0) {
    // Reads the rest of the body, so that the response does not get lost in a reset.
    client.resume().end(plainResponse("400 Bad Request", UPGRADE_WITH_BODY));
    return;
  }
  client.setNoDelay(true);
  new Upgrade(upgrade, services).begin().catch((error) => {
    services.boundary.report(error);
    client.destroy();
  });
}

class Upgrade {
  readonly #upgrade: UpgradeRequest;
  readonly #services: Services;
  readonly #fields: readonly string[];
  readonly #timestamp = Date.now() / 1000;
  readonly #startTime = performance.now();
  readonly #responseEnd: ResponseEndFinder;
  /** Bytes that the client sent early: in the new protocol, or its next request. */
  #earlyChunks: Uint8Array[];
  /** The bytes of the server's response until its status is known. */
  #heldChunks: Uint8Array[] = [];
  #hasResponse = false;
  #isOver = false;
  #server: Socket | undefined;
  #endExchange = ignore;
  readonly #onEarly: (chunk: Uint8Array) => void;
  readonly #onClientClose: (argument: unknown) => void;
  readonly #onData: (chunk: Uint8Array) => void;
  readonly #onServerClose: (argument: unknown) => void;

  constructor(upgrade: UpgradeRequest, services: Services) {
    this.#upgrade = upgrade;
    this.#services = services;
    const { request, target, head } = upgrade;
    const { fields } = readEndToEnd(request.rawHeaders);
    this.#fields = target.hostField === undefined
      ? fields
      : withField(fields, "Host", target.hostField);
    this.#responseEnd = new ResponseEndFinder(request.method ?? "GET");
    this.#earlyChunks = head.length > 0 ? [head] : [];
    const { boundary } = services;
    const abort = (): void => this.#abort();
    this.#onEarly = boundary.handler((chunk: Uint8Array) => this.#keepEarly(chunk), abort);
    this.#onClientClose = boundary.handler(abort, abort);
    this.#onData = boundary.handler((chunk: Uint8Array) => this.#handleServerData(chunk), abort);
    this.#onServerClose = boundary.handler(() => this.#handleServerClose(), abort);
  }

  async begin(): Promise<void> {
    const { client, target } = this.#upgrade;
    const { upstream } = this.#services;
    // Reads from the start, to notice if the client leaves.
    client.on("data", this.#onEarly);
    client.once("end", this.#onClientClose);
    client.resume();
    let server: Socket;
    try {
      server = await (target.isSecure ? upstream.connectTls(target) : upstream.connect(target));
    } catch (error) {
      const clarified = await upstream.clarify(target, error);
      const failure = describeFailure(target, clarified, upstream.proxy);
      this.#services.reportFailure(target, failure);
      this.#refuse(failure.sentence);
      return;
    }
    if (client.destroyed || this.#isOver) {
      server.destroy();
      return;
    }
    this.#server = server;
    this.#endExchange = this.#services.begin(() => this.#abort());
    // After the protocol has changed, the connection isn't watched any more, so nothing waits for its end.
    client.once("close", this.#onClientClose);
    server.on("error", ignore);
    server.on("data", this.#onData);
    server.once("close", this.#onServerClose);
    server.write(this.#requestHead());
  }

  #requestHead(): Uint8Array {
    const { request, target } = this.#upgrade;
    const forwarded = addForwardedHost(this.#fields, request, target);
    const protocol = fieldValue(request.rawHeaders, "upgrade") ?? "websocket";
    const { via } = this.#services.loopMark;
    const head = [
      `${request.method} ${target.path} HTTP/1.1`,
      ...fieldPairs(forwarded).map(([name, value]) => `${name}: ${value}`),
      ...[`Via: ${via}`, "Connection: Upgrade", `Upgrade: ${protocol}`, "", ""],
    ].join("\r\n");
    return latin1Bytes(head);
  }

  #keepEarly(chunk: Uint8Array): void {
    this.#earlyChunks.push(chunk);
    const length = this.#earlyChunks.reduce((sum, { length }) => sum + length, 0);
    if (length > MAX_EARLY_BYTES) this.#upgrade.client.pause();
  }

  #abort(): void {
    this.#isOver = true;
    this.#endExchange();
    this.#upgrade.client.destroy();
    this.#server?.destroy();
  }

  #handleServerData(chunk: Uint8Array): void {
    if (this.#isOver) return;
    const responseEnd = this.#responseEnd;
    const length = responseEnd.add(chunk);
    const { status } = responseEnd;
    if (status === undefined) {
      this.#heldChunks.push(chunk);
      if (responseEnd.endsConnection) this.#onInvalidResponse();
      return;
    }
    if (!this.#hasResponse) {
      this.#hasResponse = true;
      this.#record(status);
    }
    const part = status === 101 ? chunk : chunk.subarray(0, length);
    const bytes = concatBytes([...this.#heldChunks, part]);
    this.#heldChunks = [];
    const { client } = this.#upgrade;
    const server = this.#server;
    if (!client.write(bytes) && server !== undefined) {
      server.pause();
      client.once("drain", () => server.resume());
    }
    if (status === 101) this.#joinConnections();
    else if (responseEnd.isDone) this.#resumeClient();
  }

  /** The server agrees: from here on, the two connections are piped. */
  #joinConnections(): void {
    const server = this.#server;
    if (server === undefined) return;
    this.#detach();
    const { client } = this.#upgrade;
    for (const chunk of this.#earlyChunks) server.write(chunk);
    joinSockets(client, server);
  }

  /** The server refuses: the client's further requests are read as usual. */
  #resumeClient(): void {
    const { client } = this.#upgrade;
    this.#detach();
    this.#server?.destroy();
    const rest = concatBytes(this.#earlyChunks);
    if (this.#responseEnd.endsConnection || client.readableEnded && rest.length === 0) client.end();
    else this.#upgrade.resume(rest);
  }

  #onInvalidResponse(): void {
    const { target } = this.#upgrade;
    const failure = describeFailure(target, new Error("Parse error: this is not HTTP"));
    this.#services.reportFailure(target, failure);
    this.#refuse(failure.sentence);
  }

  #handleServerClose(): void {
    if (this.#isOver) return;
    const { client, target } = this.#upgrade;
    if (this.#hasResponse) {
      this.#detach();
      if (this.#responseEnd.endsConnection) client.end();
      else client.destroy();
      return;
    }
    const failure = describeFailure(target, new Error("socket hang up"));
    this.#services.reportFailure(target, failure);
    // A complete request counts as sent, even if no response came.
    this.#record(undefined);
    this.#refuse(failure.sentence);
  }

  #refuse(sentence: string): void {
    this.#detach();
    this.#server?.destroy();
    const response = plainResponse("502 Bad Gateway", `covtool proxy: ${sentence}\n`);
    this.#upgrade.client.resume().end(response);
  }

  #detach(): void {
    this.#isOver = true;
    this.#endExchange();
    const { client } = this.#upgrade;
    client.off("data", this.#onEarly);
    client.off("end", this.#onClientClose);
    client.off("close", this.#onClientClose);
    client.pause();
    const server = this.#server;
    server?.off("data", this.#onData);
    server?.off("close", this.#onServerClose);
    server?.pause();
  }

  #record(status: number | undefined): void {
    const { request, target } = this.#upgrade;
    if (!this.#services.isCaptured(target)) return;
    this.#services.record(buildInteraction({
      method: request.method,
      url: target.url,
      fields: this.#fields,
      isComplete: true,
      status,
      timestamp: this.#timestamp,
      startTime: this.#startTime,
    }));
  }
}
