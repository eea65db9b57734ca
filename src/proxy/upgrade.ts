import { latin1Bytes } from "../http/body_text.ts";
import { concatBytes } from "../values/collections.ts";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { UpstreamResponseEnd } from "./upstream_response.ts";
import { buildInteraction } from "./body_capture.ts";
import { failureSentence } from "./failure_sentence.ts";
import { endToEnd, fieldPairs, fieldValue, forwardedFields, withField } from "./header_fields.ts";
import { plainResponse } from "./send_response.ts";
import type { Services } from "./services.ts";
import type { Target } from "./target.ts";

/** Milliseconds for a peer to close its connection after it was told of the end. */
const LINGER = 2000;

/** Passes on what each of two connections receives to the other, until both end. */
export function joinSockets(one: Socket, other: Socket): void {
  // The close event that follows deals with it.
  one.on("error", ignore);
  other.on("error", ignore);
  one.once("close", () => closeAfter(one, other));
  other.once("close", () => closeAfter(other, one));
  one.pipe(other);
  other.pipe(one);
  // A connection that ended earlier emits no event for it.
  if (one.readableEnded) other.end();
  if (other.readableEnded) one.end();
}

/** Closes the rest of two connections when the other is gone, as soon as it has passed on what it has. */
function closeAfter(gone: Socket, rest: Socket): void {
  if (!gone.readableEnded || rest.destroyed) {
    rest.destroy();
    return;
  }
  rest.resume();
  const linger = (): void => {
    const timer = setTimeout(() => rest.destroy(), LINGER);
    rest.once("close", () => clearTimeout(timer));
  };
  if (rest.writableFinished) linger();
  else rest.once("finish", linger);
}

/** Bytes that a client may send before it is answered. */
const MAX_EARLY = 64 * 1024;

const WITH_BODY =
  "covtool proxy: An upgrade request cannot have a body. Remove the body or the Upgrade field.\n";

/** A request that asks for another protocol, taken from the server that read it. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly client: Socket;
  /** The bytes that the client sent after the head. */
  readonly head: Uint8Array;
  readonly target: Target;
  /** Has the connection read on from these bytes, as one with requests. */
  resume(first: Uint8Array): void;
}

/**
 * Passes on a request that changes the protocol, as WebSocket does (RFC 6455): where the server agrees, bytes flow both
 * ways untouched. Where it does not, its answer is passed on, and the client's next requests are read as all others are.
 * The interaction is recorded when the answer comes.
 *
 * One with a body is rejected: the front leaves such an offer out where it can (`isWebSocketHead()`), and what is left
 * of the body here depends on the runtime.
 */
export function passUpgrade(upgrade: UpgradeRequest, services: Services): void {
  const { request, client } = upgrade;
  client.on("error", ignore);
  client.setTimeout(0);
  const { isChunked, length } = endToEnd(request.rawHeaders);
  if (isChunked || (length ?? 0) > 0) {
    // What is still to come is read, so that the answer does not get lost in a reset.
    client.resume().end(plainResponse("400 Bad Request", WITH_BODY));
    return;
  }
  client.setNoDelay(true);
  new Upgrade(upgrade, services).begin().catch((error) => {
    services.boundary.report(error);
    client.destroy();
  });
}

/** One request for another protocol, until its answer is there. */
class Upgrade {
  readonly #upgrade: UpgradeRequest;
  readonly #services: Services;
  readonly #fields: readonly string[];
  readonly #timestamp = Date.now() / 1000;
  readonly #started = performance.now();
  readonly #answer: UpstreamResponseEnd;
  /** Bytes that the client sent early: of the other protocol, or its next request. */
  #early: Uint8Array[];
  /** The bytes of the server's answer, until its protocol is clear. */
  #held: Uint8Array[] = [];
  #isAnswered = false;
  #isOver = false;
  #server: Socket | undefined;
  #end = ignore;
  readonly #onEarly: (chunk: Uint8Array) => void;
  readonly #onClientClose: (argument: unknown) => void;
  readonly #onData: (chunk: Uint8Array) => void;
  readonly #onServerClose: (argument: unknown) => void;

  constructor(upgrade: UpgradeRequest, services: Services) {
    this.#upgrade = upgrade;
    this.#services = services;
    const { request, target, head } = upgrade;
    const { fields } = endToEnd(request.rawHeaders);
    this.#fields = target.hostField === undefined
      ? fields
      : withField(fields, "Host", target.hostField);
    this.#answer = new UpstreamResponseEnd(request.method ?? "GET");
    this.#early = head.length > 0 ? [head] : [];
    const { boundary } = services;
    const abort = (): void => this.#abort();
    this.#onEarly = boundary.handler((chunk: Uint8Array) => this.#keep(chunk), abort);
    this.#onClientClose = boundary.handler(abort, abort);
    this.#onData = boundary.handler((chunk: Uint8Array) => this.#take(chunk), abort);
    this.#onServerClose = boundary.handler(() => this.#onServerGone(), abort);
  }

  async begin(): Promise<void> {
    const { client, target } = this.#upgrade;
    const { upstream } = this.#services;
    // Read from the start, so that it shows where a client leaves.
    client.on("data", this.#onEarly);
    client.once("end", this.#onClientClose);
    client.resume();
    let server: Socket;
    try {
      server = await (target.isSecure ? upstream.connectTls(target) : upstream.connect(target));
    } catch (error) {
      const clear = await upstream.clarify(target, error);
      const failure = failureSentence(target, clear, upstream.proxy);
      this.#services.onFailure(target, failure);
      this.#refuse(failure.sentence);
      return;
    }
    if (client.destroyed || this.#isOver) {
      server.destroy();
      return;
    }
    this.#server = server;
    this.#end = this.#services.begin(() => this.#abort());
    // Once the protocol has changed, its end can't be recognised: nothing waits for it.
    client.once("close", this.#onClientClose);
    server.on("error", ignore);
    server.on("data", this.#onData);
    server.once("close", this.#onServerClose);
    server.write(this.#head());
  }

  #head(): Uint8Array {
    const { request, target } = this.#upgrade;
    const forwarded = forwardedFields(this.#fields, request, target);
    const protocol = fieldValue(request.rawHeaders, "upgrade") ?? "websocket";
    const { via } = this.#services.mark;
    const head = [
      `${request.method} ${target.path} HTTP/1.1`,
      ...fieldPairs(forwarded).map(([name, value]) => `${name}: ${value}`),
      ...[`Via: ${via}`, "Connection: Upgrade", `Upgrade: ${protocol}`, "", ""],
    ].join("\r\n");
    return latin1Bytes(head);
  }

  #keep(chunk: Uint8Array): void {
    this.#early.push(chunk);
    const length = this.#early.reduce((sum, { length }) => sum + length, 0);
    if (length > MAX_EARLY) this.#upgrade.client.pause();
  }

  #abort(): void {
    this.#isOver = true;
    this.#end();
    this.#upgrade.client.destroy();
    this.#server?.destroy();
  }

  #take(chunk: Uint8Array): void {
    if (this.#isOver) return;
    const answer = this.#answer;
    const used = answer.add(chunk);
    const { status } = answer;
    if (status === undefined) {
      this.#held.push(chunk);
      if (answer.isLast) this.#onNonsense();
      return;
    }
    if (!this.#isAnswered) {
      this.#isAnswered = true;
      this.#record(status);
    }
    const bytes = concatBytes([...this.#held, status === 101 ? chunk : chunk.subarray(0, used)]);
    this.#held = [];
    const { client } = this.#upgrade;
    const server = this.#server;
    if (!client.write(bytes) && server !== undefined) {
      server.pause();
      client.once("drain", () => server.resume());
    }
    if (status === 101) this.#change();
    else if (answer.isDone) this.#goOn();
  }

  /** Both agree: from here on the connection is theirs. */
  #change(): void {
    const server = this.#server;
    if (server === undefined) return;
    this.#leave();
    const { client } = this.#upgrade;
    for (const chunk of this.#early) server.write(chunk);
    joinSockets(client, server);
  }

  /** The server has not agreed: what follows are requests as before. */
  #goOn(): void {
    const { client } = this.#upgrade;
    this.#leave();
    this.#server?.destroy();
    const rest = concatBytes(this.#early);
    if (this.#answer.isLast || client.readableEnded && rest.length === 0) client.end();
    else this.#upgrade.resume(rest);
  }

  #onNonsense(): void {
    const { target } = this.#upgrade;
    const failure = failureSentence(target, new Error("Parse error: this is not HTTP"));
    this.#services.onFailure(target, failure);
    this.#refuse(failure.sentence);
  }

  #onServerGone(): void {
    if (this.#isOver) return;
    const { client, target } = this.#upgrade;
    if (this.#isAnswered) {
      this.#leave();
      if (this.#answer.isLast) client.end();
      else client.destroy();
      return;
    }
    const failure = failureSentence(target, new Error("socket hang up"));
    this.#services.onFailure(target, failure);
    // What was sent counts, even where no answer came.
    this.#record(undefined);
    this.#refuse(failure.sentence);
  }

  #refuse(sentence: string): void {
    this.#leave();
    this.#server?.destroy();
    const answer = plainResponse("502 Bad Gateway", `covtool proxy: ${sentence}\n`);
    this.#upgrade.client.resume().end(answer);
  }

  /** Stops listening to the connections. */
  #leave(): void {
    this.#isOver = true;
    this.#end();
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
      started: this.#started,
    }));
  }
}

function ignore(): void {}
