import { pause, type RawClient } from "../raw_client.ts";
import { Http2Client } from "./h2_client.ts";
import { bodyHash, type Sight } from "./sights.ts";
import {
  chooseAddress,
  hostAndPort,
  noteAnswer,
  openConnection,
  readAnswer,
  type SoakContext,
  soon,
} from "./soak_context.ts";
import { HTTP2_ATTEMPTS } from "./smuggling_h2.ts";

/** Parts from which an attempt is written. */
export interface AttemptParts {
  /** The request target of the outer and of the hidden request. */
  readonly target: string;
  readonly host: string;
  /** A field with a line break that marks the outer request. */
  readonly mark: string;
  /** The complete hidden request. */
  readonly inner: string;
}

/** A request that two readers could read differently. */
export interface Attempt {
  readonly name: string;
  /** If a server may receive the outer request. It must never receive the hidden one. */
  readonly outer: "never" | "may" | "must";
  text(parts: AttemptParts): string;
}

/** A request with the hidden one in its body. */
function post(fields: string, body: (inner: string) => string): (parts: AttemptParts) => string {
  return ({ target, host, mark, inner }) =>
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${mark}${fields}\r\n\r\n${body(inner)}`;
}

/** The same, with the length of the body in place of `#` in the fields. */
function sized(fields: string): (parts: AttemptParts) => string {
  return (parts) =>
    post(fields.replaceAll("#", String(parts.inner.length)), (inner) => inner)(parts);
}

/** A chunked body whose first chunk is the hidden request. */
function chunked(inner: string, line = "#", end = "\r\n0\r\n\r\n"): string {
  return `${line.replace("#", inner.length.toString(16))}\r\n${inner}${end}`;
}

const TE = "Transfer-Encoding: chunked";

/** Attempts that differ only in one text. */
function each(
  what: string,
  outer: Attempt["outer"],
  text: (value: string) => Attempt["text"],
): (...values: readonly string[]) => Attempt[] {
  return (...values) =>
    values.map((value) => ({ name: `${what} ${JSON.stringify(value)}`, outer, text: text(value) }));
}

/** A length, and chunks without the hidden request that another line may declare. */
function lengthAnd(line: string): Attempt["text"] {
  return (parts) => {
    const body = `0\r\n\r\n${parts.inner}`;
    return post(`Content-Length: ${body.length}\r\n${line}`, () => body)(parts);
  };
}

const inChunks = (fields: string) => post(fields, (inner) => chunked(inner));
const codings = (...values: readonly string[]): Attempt[] => [
  ...each("Transfer-Encoding:", "never", (value) => inChunks(`Transfer-Encoding:${value}`))(
    ...values,
  ),
  ...each(
    "length and Transfer-Encoding:",
    "never",
    (value) => lengthAnd(`Transfer-Encoding:${value}`),
  )(...values),
];
const hidden = each("length and", "may", lengthAnd);
const lengths = each("Content-Length:", "never", (value) => sized(`Content-Length:${value}`));
const chunkLines = each("chunk", "may", (line) => post(TE, (inner) => chunked(inner, line)));
const chunkEnds = each(
  "after the chunk",
  "may",
  (end) => post(TE, (inner) => chunked(inner, "#", end)),
);
const withField = (outer: Attempt["outer"], ...fields: readonly string[]) =>
  each("field", outer, (field) => sized(`Content-Length: #\r\n${field}`))(...fields);
/** Requests with an empty body and a special first line. */
const lines = (outer: Attempt["outer"], ...all: readonly string[]) =>
  each("line", outer, (line) => ({ target, host, mark, inner }) => {
    const fields = `Host: ${host}\r\n${mark}Content-Length: ${inner.length}`;
    return `${line.replace("@", target)}\r\n${fields}\r\n\r\n${inner}`;
  })(...all);

/** All attempts over HTTP/1.1. */
export const ATTEMPTS: readonly Attempt[] = [
  {
    name: "length and chunks, the length longer",
    outer: "may",
    text: lengthAnd(TE),
  },
  {
    name: "length and chunks, the chunks longer",
    outer: "may",
    text: inChunks(`${TE}\r\nContent-Length: 4`),
  },
  { name: "two lengths", outer: "never", text: sized("Content-Length: 3\r\nContent-Length: #") },
  {
    name: "two lengths, the longer first",
    outer: "never",
    text: sized("Content-Length: #\r\nContent-Length: 3"),
  },
  { name: "one length twice", outer: "may", text: sized("Content-Length: #\r\nContent-Length: #") },
  { name: "a list of one length", outer: "may", text: sized("Content-Length: #, #") },
  ...lengths(
    ...[" 3, #", " +#", " -#", " 0x#", " # 3", " #a", " #.0", " 1e2", "", " ٣"],
    " 99999999999999999999",
  ),
  ...lengths(" 18446744073709551617", " 9007199254740993", "\v#", " #\v", " #\0", ' "#"', " #;q=1"),
  ...codings(
    ...[" xchunked", " identity", " chunked, identity", " chunked;q=1", "\vchunked", " chunked\v"],
  ),
  ...codings(
    ...[' "chunked"', " chunked\0", " chunked, chunked", " ch\runked", " chunke", " \\chunked"],
  ),
  ...codings(" gzip, chunked", " gzip"),
  // White space after a value isn't part of it, and includes tabs (RFC 9110, section 5.6.3): this request has both
  // lengths, and a proxy may use the chunks if it removes the other (RFC 9112, section 6.1).
  ...hidden("Transfer-Encoding:", "Transfer-Encoding: chunked\t"),
  {
    name: "chunks in capitals",
    outer: "must",
    text: inChunks("TRANSFER-ENCODING:\tCHUNKED "),
  },
  {
    name: "two codings",
    outer: "never",
    text: inChunks(`${TE}\r\nTransfer-Encoding: identity`),
  },
  {
    name: "two codings, chunks last",
    outer: "never",
    text: inChunks(`Transfer-Encoding: identity\r\n${TE}`),
  },
  { name: "chunks twice", outer: "may", text: inChunks(`${TE}\r\n${TE}`) },
  ...hidden(
    "Transfer-Encoding : chunked",
    "Transfer-Encoding\t: chunked",
    " Transfer-Encoding: chunked",
  ),
  ...hidden("X: y\r\n Transfer-Encoding: chunked", "X: y\r\n\tTransfer-Encoding: chunked"),
  ...hidden("X: y\nTransfer-Encoding: chunked", "X: y\rTransfer-Encoding: chunked"),
  ...hidden("X: y\0\r\nTransfer-Encoding: chunked", "Transfer-Encoding:\n chunked"),
  ...hidden(
    "Transfer-Encoding:\r\n chunked",
    "Transfer_Encoding: chunked",
    "Transfer-Encoding\0: chunked",
  ),
  ...hidden(
    "X-A: b\rTransfer-Encoding: chunked\r",
    "\x0bTransfer-Encoding: chunked",
    ": x\r\nTransfer-Encoding: chunked",
  ),
  ...hidden(
    "Upgrade: h2c\r\n Transfer-Encoding: chunked",
    "Upgrade: h2c\nTransfer-Encoding: chunked",
  ),
  ...chunkLines(
    ...["#;a=b", '#;a="b"', "# ", "#\t", " #", "0x#", "+#", "-#", "#_", "#;\n", "#;a\nb", "#\n"],
    "#\r",
  ),
  ...chunkLines(
    ...["000000#", "1000000000000000#", "#;a\0b", "#,#", '#;a="\r\n"', "#\r\r"],
    ...["0000000000000000000000#", "#g", ""],
  ),
  ...chunkEnds(
    ...["\n0\r\n\r\n", "\r\n0\n\n", "\r\n0\r\n\n", "\r\n0\n\r\n", "\r0\r\n\r\n", "0\r\n\r\n"],
    "XX0\r\n\r\n",
  ),
  ...chunkEnds(
    ...["\r\n0;x=y\r\n\r\n", "\r\n0 \r\n\r\n", "\r\n00\r\n\r\n", "\r\n-0\r\n\r\n"],
    "\r\n\r\n0\r\n\r\n",
  ),
  ...chunkEnds("\r\n0\r\nContent-Length: 3\r\n\r\n", "\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
  ...chunkEnds(
    "\r\n0\r\nHost: evil.example\r\n\r\n",
    "\r\n0\r\nX: y\n\r\n",
    "\r\n0\r\nX: y\r\n z\r\n\r\n",
  ),
  ...chunkEnds(
    ...["\r\n0\r\nX : y\r\n\r\n", "\r\n0\r\nX\r\n\r\n", "\r\n0\r\nX: a\0b\r\n\r\n"],
    "\r\n0\r\n: x\r\n\r\n",
  ),
  ...withField(
    "may",
    ...["X-A: b\r\n c", "X-A: b\r\n\tc", "X(Y: 1", "X Y: 1", ": 1", "X\x80: 1", "X-A: \0"],
    "X-A: b\0c",
  ),
  ...withField(
    "may",
    ...["X-A", "X-A : 1", "X-A: b\rc", "X-A: b\nc", "X-A: b\n", "X-A: \x7f", "X-A: \x01"],
    "X-A: é",
  ),
  ...withField("must", "X-A:", "X-A:\tb\t", "x-a:b", "X-A: b, c", "X-A: ;,;"),
  ...withField(
    "may",
    ...["Connection: content-length", "Connection: Content-Length, close"],
    "Connection: transfer-encoding",
  ),
  ...withField(
    "may",
    ...["Connection: host", "Connection: x-soak-id, content-type"],
    "Connection: expect\r\nExpect: 100-continue",
  ),
  ...withField(
    "may",
    "Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  ),
  ...withField(
    "may",
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Upgrade: websocket",
    "Upgrade: TLS/1.0\r\nConnection: upgrade",
  ),
  ...withField(
    "may",
    ...["Expect: 100-continue", "Expect: 200-ok", "Expect: 100-continue, x", "Expect:"],
  ),
  ...withField(
    "may",
    ...["TE: trailers, chunked", "Trailer: Content-Length", "Proxy-Connection: close"],
    "Keep-Alive: timeout=1",
  ),
  ...withField("never", "Host: evil.example", "HOST: evil.example"),
  ...withField(
    "may",
    ...["Host : evil.example", " Host: evil.example", "Max-Forwards: 0"],
    "X-Forwarded-Host: evil.example",
  ),
  ...lines("must", "GET @ HTTP/1.1", "DELETE @ HTTP/1.1", "HEAD @ HTTP/1.1", "OPTIONS @ HTTP/1.1"),
  // A reader may accept several spaces as one, and the proxy writes only one (RFC 9112, section 3).
  ...lines("may", "POST  @ HTTP/1.1", "POST @  HTTP/1.1"),
  ...lines("never", "POST @ HTTP/1.1 ", " POST @ HTTP/1.1", "POST\t@\tHTTP/1.1"),
  ...lines(
    "never",
    ...["POST @ HTTP/1.2", "POST @ HTTP/2.0", "POST @ HTTP/3.1", "POST @ HTTP/0.9"],
    ...["POST @ HTTP/11", "POST @ http/1.1"],
  ),
  ...lines(
    "never",
    ...["POST @", "POST @ x HTTP/1.1", "POST @\0 HTTP/1.1", "POST @ HTTP/1.1\0"],
    "PO(ST @ HTTP/1.1",
  ),
  ...lines("never", "POST @\rX HTTP/1.1", "POST @ HTTP/1.1\rX: y", "@ HTTP/1.1", "POST HTTP/1.1"),
  ...lines(
    "may",
    ...["\r\nPOST @ HTTP/1.1", "\r\n\r\nPOST @ HTTP/1.1", "POST @ HTTP/1.1\nX: y"],
    "\nPOST @ HTTP/1.1",
  ),
  ...lines(
    "may",
    ...["POST @#fragment HTTP/1.1", "post @ HTTP/1.1", "POST @?a=\x80 HTTP/1.1"],
    'POST @?a=" HTTP/1.1',
  ),
  {
    name: "bare line feeds throughout",
    outer: "may",
    text: ({ target, host, mark, inner }) =>
      `POST ${target} HTTP/1.1\nHost: ${host}\n${mark.trim()}\nContent-Length: ${inner.length}\n\n${inner}`,
  },
  {
    name: "HTTP/1.0 with chunks",
    outer: "may",
    text: ({ target, host, mark, inner }) =>
      `POST ${target} HTTP/1.0\r\nHost: ${host}\r\n${mark}${TE}\r\n\r\n${chunked(inner)}`,
  },
  {
    name: "another Host than in the target",
    outer: "must",
    text: ({ target, mark, inner }) =>
      `POST ${target} HTTP/1.1\r\nHost: evil.example\r\n${mark}Content-Length: ${inner.length}\r\n\r\n${inner}`,
  },
  {
    name: "no Host",
    outer: "may",
    text: ({ target, mark, inner }) =>
      `POST ${target} HTTP/1.1\r\n${mark}Content-Length: ${inner.length}\r\n\r\n${inner}`,
  },
  {
    name: "a short body and an end",
    outer: "never",
    text: ({ target, host, mark }) =>
      `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${mark}Content-Length: 5000\r\n\r\nabc`,
  },
  {
    name: "garbage after a request",
    outer: "may",
    text: ({ target, host, mark }) =>
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${mark}\r\n\x01\x02garbage\r\n\r\n`,
  },
  {
    name: "a tunnel on a connection with requests",
    outer: "may",
    text: ({ target, host, mark, inner }) =>
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${mark}\r\nCONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n${inner}`,
  },
  {
    name: "too long a head",
    outer: "never",
    text: ({ target, host, mark }) =>
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${mark}X: ${"h".repeat(300_000)}\r\n\r\n`,
  },
];

/** Milliseconds of silence after which nothing more is expected. */
const SILENCE = 400;

/** Makes one attempt over HTTP/1.1, directly or in a tunnel. */
export async function attemptOverHttp1(context: SoakContext): Promise<void> {
  const { random } = context;
  await tryHttp1(context, random.pick(ATTEMPTS), random.oneIn(3));
}

/** Makes a given attempt. */
export async function tryHttp1(
  context: SoakContext,
  attempt: Attempt,
  isTunnel: boolean,
): Promise<void> {
  const { sights } = context;
  const address = chooseAddress(context, "steady", isTunnel);
  const host = hostAndPort(address);
  const outer = context.newId();
  const inner = context.newId();
  sights.forbidden.add(inner);
  const base = isTunnel ? "" : `http://${host}`;
  const text = attempt.text({
    ...{ target: `${base}/ok/${outer}`, host, mark: `X-Soak-Id: ${outer}\r\n` },
    inner: `GET ${base}/ok/${inner} HTTP/1.1\r\nHost: ${host}\r\nX-Soak-Id: ${inner}\r\n\r\n`,
  });
  const method = /[A-Z]+(?=\s)/i.exec(text)?.[0] ?? "";
  const client = `smuggling: ${attempt.name}${isTunnel ? " in a tunnel" : ""}`;
  const sight = sights.add({ id: outer, mode: "ok", method, place: "steady", client });
  const opening = openConnection(context, isTunnel ? address : undefined);
  const connection = await soon(opening, context, "opening a connection");
  if (connection === undefined) return;
  connection.write(text);
  sight.isSent = attempt.outer === "must";
  // The client leaves a connection that stays open or silent.
  sight.hasLeft = attempt.outer !== "must";
  if (attempt.outer === "must") await soon(readAnswer(context, connection, sight), context, client);
  else await Promise.race([readAll(context, connection, sight), pause(SILENCE)]);
  if (sight.outcome !== undefined) sight.hasLeft = false;
  connection.destroy();
  checkOuter(context, sight, attempt.outer);
}

/** Reads the response to the outer request. After it, only a refusal is permitted. */
async function readAll(context: SoakContext, connection: RawClient, sight: Sight): Promise<void> {
  const answer = await readAnswer(context, connection, sight);
  if (answer.isLast || !answer.isWhole) return;
  for (;;) {
    const head = await connection.until("\r\n\r\n").catch(() => "");
    if (head === "") return;
    if (/^HTTP\/1\.1 2/.test(head)) {
      context.sights.fail(`A second answer came (${sight.client}): ${head}`);
    }
  }
}

function checkOuter({ sights }: SoakContext, sight: Sight, outer: Attempt["outer"]): void {
  const { wholes, outcome, id, client } = sight;
  const isServers = outcome?.isServers === true;
  if (outer === "never" && (wholes > 0 || isServers)) {
    sights.fail(`${id} was passed on (${client}).`);
  }
  if (outer === "must" && !isServers) {
    sights.fail(`${id} was not passed on (${client}): ${outcome?.status}`);
  }
}

/** Makes one attempt over HTTP/2. */
export async function attemptOverHttp2(context: SoakContext): Promise<void> {
  const { random, sights } = context;
  const attempt = random.pick(HTTP2_ATTEMPTS);
  const address = chooseAddress(context, "steady", true);
  const host = hostAndPort(address);
  const outer = context.newId();
  const inner = context.newId();
  sights.forbidden.add(inner);
  const client = `smuggling over h2: ${attempt.name}`;
  const { fields, body } = attempt.parts({
    ...{ target: `/ok/${outer}`, host, mark: outer },
    inner: `GET /ok/${inner} HTTP/1.1\r\nHost: ${host}\r\nX-Soak-Id: ${inner}\r\n\r\n`,
  });
  const method = fields.find(([name]) => name === ":method")?.[1] ?? "";
  const facts = { id: outer, mode: "ok", place: "steady", client } as const;
  const sight = sights.add({ ...facts, method, body: bodyHash(body) });
  const opening = openConnection(context, address, "h2");
  const connection = await soon(opening, context, "opening a connection for h2");
  if (connection === undefined) return;
  const session = new Http2Client(connection);
  sight.hasLeft = attempt.outer !== "must";
  const asking = session.request(fields, body);
  const answer = attempt.outer === "must"
    ? await soon(asking, context, client)
    : await Promise.race([asking, pause(SILENCE)]);
  sight.isSent = attempt.outer === "must";
  if (answer !== undefined && answer.status > 0) {
    noteAnswer(context, sight, answer);
    sight.hasLeft = false;
  }
  session.destroy();
  checkOuter(context, sight, attempt.outer);
}
