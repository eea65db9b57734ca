import { concatBytes } from "../../../src/values/collections.ts";
import type { Random } from "../../corpus/random.ts";
import { latin1, RawClient } from "../raw_client.ts";
import { bodyHash, type Mode, type Place, type Sight, type Sights } from "./sights.ts";
import type { SoakAddress } from "./soak_servers.ts";

/** What a scenario needs. */
export interface SoakContext {
  readonly sights: Sights;
  readonly random: Random;
  readonly proxyPort: number;
  /** The certificate of the proxy's authority. */
  readonly ca: string;
  readonly addresses: readonly SoakAddress[];
  /** The name of the running scenario. */
  readonly client: string;
  /** Makes a unique id for a request. */
  newId(): string;
}

/** A request that can be written over HTTP/1.1. */
export interface ReadyRequest {
  readonly sight: Sight;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
  readonly isExpecting: boolean;
}

/** Properties of a request; the others are random. */
export interface RequestWishes {
  readonly address: SoakAddress;
  readonly mode: Mode;
  /** True if the request target is a full URL. */
  readonly isAbsolute: boolean;
  readonly method?: string;
  readonly version?: "1.0" | "1.1";
  /** True if it may wait for `100 Continue`. */
  readonly mayExpect?: boolean;
}

/** Outcome of a request. */
export interface RawOutcome {
  readonly status: number;
  readonly isWhole: boolean;
  /** True if nothing follows on the connection. */
  readonly isLast: boolean;
}

/** Timeout in milliseconds. */
const HANGS = 60_000;
const METHODS = ["GET", "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"];
const WITH_BODY = new Set(["POST", "PUT"]);

/** The address of a kind of server, with or without TLS. */
export function chooseAddress(
  { addresses, random }: SoakContext,
  place: Place,
  isSecure?: boolean,
): SoakAddress {
  const found = addresses.filter((address) =>
    address.place === place && (isSecure === undefined || address.isSecure === isSecure)
  );
  return random.pick(found);
}

/** Host and port of a server. */
export function hostAndPort({ host, port }: SoakAddress): string {
  return `${host}:${port}`;
}

/** Bytes of random length: mostly few, sometimes many. */
export function randomBody(random: Random): Uint8Array {
  const length = random.oneIn(30) ? 200_000 + random.below(400_000) : random.below(5000);
  const first = random.below(256);
  return Uint8Array.from({ length }, (_, index) => first + index * 7 & 255);
}

/** Makes a request, and records that it will be sent. */
export function makeRequest(context: SoakContext, wishes: RequestWishes): ReadyRequest {
  const { random, sights, client } = context;
  const { address, mode, version = "1.1" } = wishes;
  const method = wishes.method ?? random.pick(METHODS);
  const id = context.newId();
  const hasBody = WITH_BODY.has(method);
  const content = hasBody ? randomBody(random) : new Uint8Array();
  const { place } = address;
  const sight = sights.add({ id, mode, method, place, client, body: bodyHash(content) });
  const authority = hostAndPort(address);
  const base = wishes.isAbsolute ? `http${address.isSecure ? "s" : ""}://${authority}` : "";
  const lines = [`${method} ${base}/${mode}/${id} HTTP/${version}`, `Host: ${authority}`];
  lines.push(`X-Soak-Id: ${id}`);
  // Over TLS, the proxy accepts less.
  const most = address.isSecure ? 30_000 : 150_000;
  if (random.oneIn(40)) lines.push(`X-Huge: ${"h".repeat(20_000 + random.below(most))}`);
  if (random.oneIn(10)) lines.push("Connection: keep-alive, X-Hop", "X-Hop: 1");
  const isChunked = hasBody && version === "1.1" && random.oneIn(2);
  if (hasBody) {
    lines.push("Content-Type: application/octet-stream");
    lines.push(isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${content.length}`);
  }
  const isExpecting = wishes.mayExpect === true && content.length > 0 && random.oneIn(6);
  if (isExpecting) lines.push("Expect: 100-continue");
  return {
    sight,
    head: latin1(`${lines.join("\r\n")}\r\n\r\n`),
    body: isChunked ? inChunks(content, random) : content,
    isExpecting,
  };
}

function inChunks(content: Uint8Array, random: Random): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < content.length;) {
    const piece = content.subarray(at, at + 1 + random.below(50_000));
    at += piece.length;
    const extension = random.oneIn(5) ? ";soak=1" : "";
    parts.push(latin1(`${piece.length.toString(16)}${extension}\r\n`), piece, latin1("\r\n"));
  }
  parts.push(latin1(random.oneIn(3) ? "0\r\nX-Sum: 7\r\n\r\n" : "0\r\n\r\n"));
  return concatBytes(parts);
}

/** Opens a connection for requests to an address. */
export async function openConnection(
  context: SoakContext,
  tunnelTo: SoakAddress | undefined,
  protocol = "http/1.1",
): Promise<RawClient> {
  const { proxyPort, ca } = context;
  if (tunnelTo === undefined) return await RawClient.open(proxyPort);
  const tunnel = await RawClient.tunnel(proxyPort, hostAndPort(tunnelTo));
  return tunnelTo.isSecure ? await tunnel.secure(ca, tunnelTo.host, protocol) : tunnel;
}

/** Reads the next response, checks that it is for this request, and records the outcome. */
export async function readAnswer(
  context: SoakContext,
  client: RawClient,
  sight: Sight,
): Promise<RawOutcome> {
  const { sights } = context;
  const { id, method } = sight;
  let head = "";
  let status = 0;
  try {
    do {
      head = await client.until("\r\n\r\n");
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
      if (status !== 100 && status < 200) sights.fail(`${id} is answered with ${head}`);
    } while (status === 100);
  } catch {
    return { status: 0, isWhole: false, isLast: true };
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  let isLast = /\r\nconnection: *close/i.test(head);
  let isWhole = true;
  const parts: Uint8Array[] = [];
  try {
    if (isEmpty) {
      // Nothing follows.
    } else if (isChunked) {
      for (;;) {
        const size = parseInt(await client.until("\r\n"), 16);
        if (size === 0) break;
        parts.push(await client.take(size));
        await client.take(2);
      }
      while (await client.until("\r\n") !== "\r\n");
    } else if (length !== undefined) parts.push(await client.take(Number(length)));
    else {
      isLast = true;
      for (;;) parts.push(await client.take(1));
    }
  } catch {
    isWhole = length === undefined && !isChunked;
    isLast = true;
  }
  const mark = /\r\nx-soak-id: *([^\r]*)/i.exec(head)?.[1];
  noteAnswer(context, sight, { status, mark, body: concatBytes(parts), isWhole });
  return { status, isWhole, isLast };
}

/** A response over any version of HTTP. */
export interface AnyAnswer {
  readonly status: number;
  /** The id in its fields, if they can be read. */
  readonly mark?: string | undefined;
  readonly body: Uint8Array;
  readonly isWhole: boolean;
}

/** Checks that a response belongs to a request, and records the outcome. */
export function noteAnswer({ sights }: SoakContext, sight: Sight, answer: AnyAnswer): void {
  const { status, mark, body, isWhole } = answer;
  const text = new TextDecoder("latin1").decode(body.subarray(0, 200));
  const named = /^\{"id":"([^"]*)"/.exec(text)?.[1];
  for (const found of [mark, named]) {
    if (found !== undefined && found !== sight.id) {
      sights.fail(`${sight.id} (${sight.client}) got the answer of ${found}.`);
    }
  }
  if (sight.outcome !== undefined) sights.fail(`${sight.id} was answered twice.`);
  // The proxy's own responses are errors only. Over HTTP/2, only the body shows whose response it is.
  const isServers = mark !== undefined || named !== undefined || status < 300;
  sight.outcome = { status, isServers, isWhole, text };
}

/** Waits for a promise with a timeout. */
export async function soon<Value>(
  promise: Promise<Value>,
  { sights }: Pick<SoakContext, "sights">,
  what: string,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      sights.fail(`It hangs: ${what}`);
      resolve(undefined);
    }, HANGS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
