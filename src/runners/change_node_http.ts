import { Buffer } from "node:buffer";
import http, {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import { clientRequestUrl } from "../plugins/observe_node_http.ts";
import { headerPairs } from "../http/header_pairs.ts";
import { isSequence } from "../http/complete_records.ts";
import { getOrAdd } from "../values/collections.ts";
import { askForChange, type Changed, changesUrl, isAsking } from "./ask_for_change.ts";

interface Sent {
  readonly chunks: Uint8Array[];
  readonly test: string | undefined;
  /** True while covtool is asked for a change: the event `close` is held back until then. */
  isHeld: boolean;
}

/** Shared by all copies: Jest loads this module for each test file, but `http` only once per process. */
const NAME: unique symbol = Symbol.for("covtool.change-node-http");

interface Patched {
  [NAME]?: () => string | undefined;
}

/**
 * Lets `covtool mutate` change the responses that tests get from clients built on Node.js's `http`, such as supertest
 * and axios (docs/protocol.md). Does nothing in other runs.
 *
 * @param testName Returns the name of the running test.
 */
export function changeNodeHttp(testName: () => string | undefined): void {
  const url = changesUrl();
  if (!url || "Deno" in globalThis) return;
  const prototype = http.ClientRequest.prototype as ClientRequest & Patched;
  const isPatched = prototype[NAME] !== undefined;
  prototype[NAME] = testName;
  if (isPatched) return;
  const { write, end, emit } = prototype;
  const requests = new WeakMap<ClientRequest, Sent>();
  const note = (request: ClientRequest, chunk: unknown, encoding: unknown): void => {
    const begin = (): Sent => ({ chunks: [], test: prototype[NAME]?.(), isHeld: false });
    const sent = getOrAdd(requests, request, begin);
    if (typeof chunk === "string") {
      const isKnown = typeof encoding === "string" && Buffer.isEncoding(encoding);
      sent.chunks.push(Buffer.from(chunk, isKnown ? encoding : "utf8"));
    } else if (chunk instanceof Uint8Array) sent.chunks.push(chunk);
  };
  Object.assign(prototype, {
    write(this: ClientRequest, ...args: readonly unknown[]): unknown {
      note(this, args[0], args[1]);
      return Reflect.apply(write, this, args);
    },
    end(this: ClientRequest, ...args: readonly unknown[]): unknown {
      note(this, args[0], args[1]);
      return Reflect.apply(end, this, args);
    },
    emit(this: ClientRequest, ...args: readonly unknown[]): boolean {
      const sent = requests.get(this);
      const [event, response] = args;
      if (sent?.isHeld && event === "close") {
        setImmediate(() => this.emit("close"));
        return true;
      }
      const mayChange = event === "response" &&
        !isSequence((response as IncomingMessage).headers["content-type"] ?? "");
      if (sent === undefined || !mayChange || isAsking(this)) {
        return Reflect.apply(emit, this, args);
      }
      sent.isHeld = true;
      void changed(url, this, response as IncomingMessage, sent).then((given) => {
        sent.isHeld = false;
        Reflect.apply(emit, this, ["response", given]);
      }, (error) => {
        sent.isHeld = false;
        Reflect.apply(emit, this, ["error", error]);
      });
      return true;
    },
  });
}

/** Reads the whole response and returns one for the client, changed if `covtool mutate` says so. */
async function changed(
  url: string,
  request: ClientRequest,
  response: IncomingMessage,
  { chunks, test }: Sent,
): Promise<IncomingMessage> {
  const received: Uint8Array[] = [];
  for await (const chunk of response) received.push(chunk);
  const body = Buffer.concat(received);
  const answer = await askForChange(url, {
    request: {
      method: request.method,
      url: clientRequestUrl(request),
      headers: headerPairs(request.getHeaders()),
      ...(chunks.length > 0 && { body_base64: Buffer.concat(chunks).toString("base64") }),
    },
    response: {
      status_code: response.statusCode,
      headers: headerPairs(response.rawHeaders),
      body_base64: body.toString("base64"),
    },
    ...(test !== undefined && { test: { name: test } }),
  });
  const given = new http.IncomingMessage(response.socket);
  const { httpVersion, httpVersionMajor, httpVersionMinor } = response;
  Object.assign(given, {
    ...{ httpVersion, httpVersionMajor, httpVersionMinor, complete: true, req: request },
    statusCode: answer?.status_code ?? response.statusCode,
    statusMessage: answer === undefined ? response.statusMessage : "",
    rawHeaders: answer?.headers.flat() ?? response.rawHeaders,
    headers: answer === undefined ? response.headers : toIncomingHeaders(answer.headers),
  });
  Object.assign(request, { res: given });
  given.push(answer === undefined ? body : Buffer.from(answer.body_base64, "base64"));
  given.push(null);
  return given;
}

/** Headers as Node.js represents them: names in lower case, repeated fields joined except for cookies. */
export function toIncomingHeaders(pairs: Changed["headers"]): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = headers[key];
    if (key === "set-cookie") headers[key] = [before ?? [], value].flat();
    else headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
