import { pause, type RawClient } from "../raw_client.ts";
import { Http2Client, type Http2Fields } from "./h2_client.ts";
import {
  bodyHash,
  CLOSING_MODES,
  type Mode,
  type Place,
  type Sight,
  STEADY_MODES,
} from "./sights.ts";
import { attemptOverHttp1, attemptOverHttp2 } from "./smuggling.ts";
import {
  chooseAddress,
  hostAndPort,
  makeRequest,
  noteAnswer,
  openConnection,
  randomBody,
  readAnswer,
  type ReadyRequest,
  type SoakContext,
  soon,
} from "./soak_context.ts";
import type { SoakAddress } from "./soak_servers.ts";

/** Behaviour of a client on one or a few connections. */
export interface Scenario {
  readonly name: string;
  /** Probability relative to the other scenarios. */
  readonly weight: number;
  run(context: SoakContext): Promise<void>;
}

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = [
  { name: "keep-alive", weight: 300, run: (context) => keepAlive(context, false) },
  { name: "keep-alive in a tunnel", weight: 120, run: (context) => keepAlive(context, true) },
  { name: "pipelined", weight: 100, run: (context) => pipelined(context, false) },
  { name: "half-closing", weight: 60, run: (context) => pipelined(context, true) },
  { name: "h2", weight: 200, run: http2 },
  { name: "leaving", weight: 100, run: leaving },
  { name: "leaving over h2", weight: 50, run: leavingOverHttp2 },
  { name: "slow", weight: 30, run: slow },
  { name: "http/1.0", weight: 20, run: http10 },
  { name: "smuggling", weight: 120, run: attemptOverHttp1 },
  { name: "smuggling over h2", weight: 50, run: attemptOverHttp2 },
];

/** In milliseconds; a little less than the silence after which the proxy drops a half-closed client. */
const GONE = 2900;

const PLACES: readonly Place[] = ["steady", "steady", "steady", "closing"];

function modeFor({ random }: SoakContext, place: Place): Mode {
  if (place === "closing") return random.pick(CLOSING_MODES);
  return random.oneIn(2) ? "ok" : random.pick(STEADY_MODES);
}

/** Sends requests in sequence, on a new connection when one ends. */
async function keepAlive(context: SoakContext, isTunnel: boolean): Promise<void> {
  const { random } = context;
  const fixed = isTunnel ? chooseAddress(context, random.pick(PLACES)) : undefined;
  let client: RawClient | undefined;
  for (let left = 3 + random.below(10); left > 0; left--) {
    const address = fixed ?? chooseAddress(context, random.pick(PLACES));
    const mode = modeFor(context, address.place);
    const ready = makeRequest(context, { address, mode, isAbsolute: !isTunnel, mayExpect: true });
    client ??= await soon(openConnection(context, fixed), context, "opening a connection");
    if (client === undefined) return;
    const isOpen = await sendAndRead(context, client, ready);
    if (isOpen) continue;
    client.destroy();
    client = undefined;
  }
  client?.destroy();
}

/** Sends a request and reads its response. True if the connection stays open. */
async function sendAndRead(
  context: SoakContext,
  client: RawClient,
  ready: ReadyRequest,
): Promise<boolean> {
  const { sight, head, body, isExpecting } = ready;
  client.write(head);
  if (isExpecting) {
    // A client that isn't told to continue within three seconds disconnects.
    const first = client.until("\r\n\r\n").catch(() => "");
    const early = await Promise.race([first, pause(3000).then(() => undefined)]);
    if (early === undefined || !/^HTTP\/1\.1 100/.test(early)) {
      client.destroy();
      // Another response is ignored.
      sight.hasLeft = true;
      return false;
    }
  }
  client.write(body);
  sight.isSent = true;
  const answer = await soon(readAnswer(context, client, sight), context, describe(sight));
  return answer !== undefined && answer.isWhole && !answer.isLast;
}

function describe({ id, mode, method, client }: Sight): string {
  return `${method} /${mode}/${id} (${client})`;
}

/** Sends several requests at once. Some clients half-close after them. */
async function pipelined(context: SoakContext, isHalfClosing: boolean): Promise<void> {
  const { random } = context;
  const client = await soon(openConnection(context, undefined), context, "opening a connection");
  if (client === undefined) return;
  const all: ReadyRequest[] = [];
  for (let left = 2 + random.below(6); left > 0; left--) {
    const address = chooseAddress(context, random.oneIn(6) ? "closing" : "steady");
    all.push(
      makeRequest(context, { address, mode: modeFor(context, address.place), isAbsolute: true }),
    );
  }
  for (const { head, body, sight } of all) {
    client.write(head);
    client.write(body);
    sight.isSent = true;
  }
  if (isHalfClosing) client.socket.end();
  let isOpen = true;
  for (const { sight } of all) {
    if (!isOpen) {
      sight.isBehindBreak = true;
      continue;
    }
    const asked = performance.now();
    const answer = await soon(readAnswer(context, client, sight), context, describe(sight));
    isOpen = answer !== undefined && answer.isWhole && !answer.isLast;
    // On a busy machine, the proxy may have dropped its silent client.
    if (isHalfClosing && !isOpen && performance.now() - asked > GONE) sight.hasLeft = true;
  }
  client.destroy();
}

/** Fields of an HTTP/2 request. */
function http2Fields(address: SoakAddress, method: string, path: string, id: string): Http2Fields {
  return [
    [":method", method],
    [":scheme", "https"],
    [":authority", hostAndPort(address)],
    [":path", path],
    ["x-soak-id", id],
  ];
}

interface ReadyHttp2 {
  readonly sight: Sight;
  readonly fields: Http2Fields;
  readonly body: Uint8Array;
}

function makeHttp2(context: SoakContext, address: SoakAddress, mode: Mode): ReadyHttp2 {
  const { random, sights, client } = context;
  const id = context.newId();
  const method = random.pick(["GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD"]);
  const body = method === "POST" || method === "PUT" ? randomBody(random) : new Uint8Array();
  const { place } = address;
  const sight = sights.add({ id, mode, method, place, client, body: bodyHash(body) });
  const fields = [...http2Fields(address, method, `/${mode}/${id}`, id)];
  if (body.length > 0 && random.oneIn(2)) fields.push(["content-length", String(body.length)]);
  if (random.oneIn(8)) fields.push(["cookie", "a=1"], ["cookie", "b=2"]);
  if (random.oneIn(40)) fields.push(["x-huge", "h".repeat(20_000 + random.below(30_000))]);
  return { sight, fields, body };
}

async function openHttp2(
  context: SoakContext,
  address: SoakAddress,
): Promise<Http2Client | undefined> {
  const opening = openConnection(context, address, "h2");
  const client = await soon(opening, context, "opening a connection for h2");
  return client === undefined ? undefined : new Http2Client(client);
}

async function sendOverHttp2(
  context: SoakContext,
  client: Http2Client,
  { sight, fields, body }: ReadyHttp2,
): Promise<void> {
  const { stream, answer } = client.begin(fields, body.length === 0);
  const sending = body.length === 0
    ? Promise.resolve(sight.isSent = true)
    : client.send(stream, body, true).then((isSent) => sight.isSent = isSent);
  const got = await soon(answer, context, describe(sight));
  await soon(sending, context, `the body of ${describe(sight)}`);
  if (got !== undefined && got.status > 0) noteAnswer(context, sight, got);
}

/** Sends many HTTP/2 requests at once, in rounds. */
async function http2(context: SoakContext): Promise<void> {
  const { random } = context;
  const address = chooseAddress(context, random.pick(PLACES), true);
  const client = await openHttp2(context, address);
  if (client === undefined) return;
  for (let rounds = 1 + random.below(3); rounds > 0 && !client.isOver; rounds--) {
    const all = Array.from({ length: 1 + random.below(8) }, () => {
      const ready = makeHttp2(context, address, modeFor(context, address.place));
      return sendOverHttp2(context, client, ready);
    });
    await Promise.all(all);
  }
  if (random.oneIn(2)) client.goAway();
  client.destroy();
}

const STAGES = [
  ...["in the head", "in the body", "behind the request", "later", "in the answer"],
] as const;

/** Clients that disconnect before their response. */
async function leaving(context: SoakContext): Promise<void> {
  const { random } = context;
  const isTunnel = random.oneIn(3);
  for (let left = 2 + random.below(3); left > 0; left--) {
    const stage = random.pick(STAGES);
    const address = chooseAddress(context, "steady", isTunnel ? undefined : false);
    const mode: Mode = random.pick(["hang", "hang", "stall", "slow_answer", "big", "ok"]);
    const method = stage === "in the body" ? "POST" : undefined;
    const { sight, head, body } = makeRequest(context, {
      ...{ address, mode, isAbsolute: !isTunnel },
      ...(method !== undefined && { method }),
    });
    sight.hasLeft = true;
    const opening = openConnection(context, isTunnel ? address : undefined);
    const client = await soon(opening, context, "opening a connection");
    if (client === undefined) return;
    if (stage === "in the head") client.write(head.subarray(0, 1 + random.below(head.length - 1)));
    else {
      client.write(head);
      if (stage === "in the body") client.write(body.subarray(0, random.below(body.length)));
      else {
        client.write(body);
        sight.isSent = true;
      }
    }
    if (stage === "in the answer" && mode !== "hang") {
      await Promise.race([client.until('{"id').catch(() => ""), pause(2000)]);
    } else if (stage !== "behind the request") await pause(random.below(30));
    if (random.oneIn(2) && !("encrypted" in client.socket)) client.socket.resetAndDestroy();
    else client.destroy();
  }
}

/** Streams that are reset, and connections that end with open streams. */
async function leavingOverHttp2(context: SoakContext): Promise<void> {
  const { random } = context;
  const address = chooseAddress(context, "steady", true);
  const client = await openHttp2(context, address);
  if (client === undefined) return;
  const staying: Promise<void>[] = [];
  for (let left = 3 + random.below(8); left > 0; left--) {
    if (random.oneIn(4)) {
      staying.push(sendOverHttp2(context, client, makeHttp2(context, address, "ok")));
      continue;
    }
    const mode: Mode = random.pick(["hang", "stall", "slow_answer", "big", "ok"]);
    const { sight, fields, body } = makeHttp2(context, address, mode);
    sight.hasLeft = true;
    const { stream } = client.begin(fields, body.length === 0);
    sight.isSent = body.length === 0;
    if (body.length > 0) {
      const isWhole = random.oneIn(2);
      const part = isWhole ? body : body.subarray(0, random.below(body.length));
      void client.send(stream, part, isWhole).then((isSent) => sight.isSent = isSent && isWhole);
    }
    if (random.oneIn(2)) await pause(random.below(20));
    // The others end with the connection.
    if (!random.oneIn(4)) client.reset(stream);
  }
  await Promise.all(staying);
  client.destroy();
}

interface Opened {
  readonly address: SoakAddress;
  readonly isTunnel: boolean;
  readonly client: RawClient;
}

/** Opens a connection for requests to a server, with or without a tunnel. */
async function openEitherWay(context: SoakContext): Promise<Opened | undefined> {
  const address = chooseAddress(context, "steady");
  const isTunnel = context.random.oneIn(2) || address.isSecure;
  const opening = openConnection(context, isTunnel ? address : undefined);
  const client = await soon(opening, context, "opening a connection");
  return client && { address, isTunnel, client };
}

/** Sends requests byte by byte. */
async function slow(context: SoakContext): Promise<void> {
  const { random } = context;
  const opened = await openEitherWay(context);
  if (opened === undefined) return;
  const { address, isTunnel, client } = opened;
  for (let left = 1 + random.below(2); left > 0; left--) {
    const mode = random.pick(["slow_answer", "slow_reader", "ok", "big"] as const);
    const method = random.pick(["GET", "POST"]);
    const ready = makeRequest(context, { address, mode, method, isAbsolute: !isTunnel });
    for (const bytes of [ready.head, ready.body]) {
      const size = Math.ceil(bytes.length / (2 + random.below(8)));
      for (let at = 0; at < bytes.length; at += size) {
        client.write(bytes.subarray(at, at + size));
        await pause(random.below(15));
      }
    }
    ready.sight.isSent = true;
    const reading = readAnswer(context, client, ready.sight);
    if (random.oneIn(3)) {
      // The client reads slowly.
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 50);
    }
    const answer = await soon(reading, context, describe(ready.sight));
    if (answer === undefined || !answer.isWhole || answer.isLast) break;
  }
  client.destroy();
}

async function http10(context: SoakContext): Promise<void> {
  const address = chooseAddress(context, "steady", false);
  const client = await soon(openConnection(context, undefined), context, "opening a connection");
  if (client === undefined) return;
  const mode = modeFor(context, "steady");
  const ready = makeRequest(context, { address, mode, isAbsolute: true, version: "1.0" });
  await sendAndRead(context, client, ready);
  client.destroy();
}
