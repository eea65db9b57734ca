import type { Socket } from "node:net";
import { concatBytes } from "../../../src/values/collections.ts";
import { type RawServer, startRawServer } from "../test_server.ts";
import { type RequestHead, RequestReader } from "./request_reader.ts";
import { bodyHash, type Mode, type Place, type Sight, type Sights } from "./sights.ts";

/** The address of a server. */
export interface SoakAddress {
  readonly host: string;
  readonly port: number;
  readonly place: Place;
  readonly isSecure: boolean;
}

/** Servers that treat requests as their paths say, and accept only what is unambiguous. */
export interface SoakServers extends AsyncDisposable {
  readonly addresses: readonly SoakAddress[];
  /** Number of open connections. */
  readonly connections: number;
}

const ID = /^\/(\w+)\/([\w-]+)(?:\?.*)?$/;
const encoder = new TextEncoder();

/** Starts all servers, for HTTP and HTTPS. */
export async function startSoakServers(sights: Sights): Promise<SoakServers> {
  const servers: RawServer[] = [];
  const addresses: SoakAddress[] = [];
  for (const place of ["steady", "closing"] as const) {
    for (const isSecure of [false, true]) {
      const serve = (socket: Socket): void => void new Connection(socket, place, sights);
      const server = await startRawServer(serve, isSecure);
      servers.push(server);
      const host = isSecure && place !== "closing" ? "localhost" : "127.0.0.1";
      addresses.push({ host, port: server.port, place, isSecure });
    }
  }
  return {
    addresses,
    get connections() {
      return servers.reduce((sum, { sockets }) => sum + sockets.size, 0);
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

/** One connection to a server. */
class Connection {
  readonly #socket: Socket;
  readonly #place: Place;
  readonly #sights: Sights;
  readonly #reader: RequestReader;
  #head: RequestHead | undefined;
  #sight: Sight | undefined;
  #mode: Mode = "ok";
  #body: Uint8Array[] = [];
  /** True while a response is being sent. */
  #isAnswering = false;

  constructor(socket: Socket, place: Place, sights: Sights) {
    this.#socket = socket;
    this.#place = place;
    this.#sights = sights;
    socket.setNoDelay(true);
    this.#reader = new RequestReader({
      onHead: (head) => this.#onHead(head),
      onBody: (bytes) => this.#body.push(bytes),
      onEnd: () => this.#onEnd(),
      onViolation: (sentence) => {
        sights.fail(`The proxy sent ${sentence}.`);
        socket.destroy();
      },
    });
    socket.on("data", (chunk: Uint8Array) => this.#reader.add(chunk));
  }

  #onHead(head: RequestHead): void {
    const { path, method } = head;
    const [, mode = "", id = ""] = ID.exec(path) ?? [];
    const sight = this.#sights.all.get(id);
    this.#head = head;
    this.#body = [];
    const before = this.#sight;
    this.#sight = sight;
    if (this.#isAnswering) {
      this.#sights.fail(
        `${id} (${this.#place}) came before the answer to ${before?.id} (${before?.mode}) had ended.`,
      );
    }
    if (sight === undefined || this.#sights.forbidden.has(id)) {
      this.#sights.fail(`A server got a request that nobody sent: ${method} ${path.slice(0, 200)}`);
      this.#socket.destroy();
      return;
    }
    if (sight.method !== method || sight.mode !== mode) {
      this.#sights.fail(
        `${id} came as ${method} ${path} instead of ${sight.method} ${sight.mode}.`,
      );
    }
    if (sight.place !== this.#place) {
      this.#sights.fail(`${id} is for a ${sight.place} server, and came to a ${this.#place} one.`);
    }
    const marks = head.fields.filter(([name]) => name === "x-soak-id").map(([, value]) => value);
    // Fields that Connection lists are removed, which some requests try.
    if (marks.some((mark) => mark !== id)) this.#sights.fail(`${id} came with fields of ${marks}.`);
    this.#mode = sight.mode;
    sight.heads++;
    if (sight.mode === "close_on_head") this.#end();
    else if (sight.mode === "early_answer") this.#answer(id);
    else if (sight.mode === "slow_reader") {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), 40);
    }
    if (head.fields.some(([name, value]) => name === "expect" && value === "100-continue")) {
      this.#write("HTTP/1.1 100 Continue\r\n\r\n");
    }
  }

  #onEnd(): void {
    const sight = this.#sight;
    if (sight === undefined) return;
    sight.wholes++;
    sight.seenBody = bodyHash(concatBytes(this.#body));
    if (this.#mode !== "early_answer") this.#answer(sight.id);
  }

  #answer(id: string): void {
    const filler = this.#mode === "big" ? 300_000 : id.length * 97 % 3000;
    const body = `{"id":"${id}","filler":"${"x".repeat(filler)}"}`;
    const mark = `X-Soak-Id: ${id}\r\nContent-Type: application/json\r\n`;
    const whole = `HTTP/1.1 200 OK\r\n${mark}Content-Length: ${body.length}\r\n\r\n`;
    const isHead = this.#head?.method === "HEAD";
    const ok = whole + (isHead ? "" : body);
    const half = isHead ? "" : body.slice(0, body.length >> 1);
    switch (this.#mode) {
      case "chunked":
        return this.#write(
          `HTTP/1.1 200 OK\r\n${mark}Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n` +
            (isHead ? "" : `${chunk(half)}${chunk(body.slice(half.length))}0\r\nX-Sum: 7\r\n\r\n`),
        );
      case "slow_answer":
        return this.#slowly([
          ok.slice(0, 20),
          ok.slice(20, whole.length),
          isHead ? "" : half,
          ok.slice(whole.length + half.length),
        ]);
      case "stall":
        return this.#later(50 + id.length * 31 % 300, ok);
      case "early_hints": {
        const hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";
        return this.#slowly([hints, hints + "HTTP/1.1 102 Processing\r\n\r\n", ok]);
      }
      case "huge_head":
        return this.#write(ok.replace("\r\n", `\r\nX-Huge: ${"h".repeat(12_000)}\r\n`));
      case "empty":
        return this.#write(`HTTP/1.1 204 No Content\r\n${mark}\r\n`);
      case "then_close":
        this.#write(ok);
        setTimeout(() => this.#end(), 1);
        return;
      case "close":
        return this.#end();
      case "cut":
        if ("encrypted" in this.#socket) this.#socket.destroy();
        else this.#socket.resetAndDestroy();
        return;
      case "few_bytes":
        return this.#end("HTTP/1.");
      case "half_body":
        return this.#end(whole + half);
      case "half_chunk":
        return this.#end(
          `HTTP/1.1 200 OK\r\n${mark}Transfer-Encoding: chunked\r\n\r\n${
            isHead ? "" : chunk(half)
          }`,
        );
      case "nonsense":
        return this.#end("What did you say?\r\n\r\n");
      case "until_close":
        return this.#end(`HTTP/1.1 200 OK\r\n${mark}\r\n${isHead ? "" : body}`);
      case "too_huge_head":
        return this.#write(ok.replace("\r\n", `\r\nX-Huge: ${"h".repeat(300_000)}\r\n`));
      case "two_lengths":
        return this.#write(ok.replace("\r\n", "\r\nContent-Length: 3\r\n"));
      case "bad_status":
        return this.#write(ok.replace("200 OK", "099 What"));
      case "hang":
        return;
      default:
        return this.#write(ok);
    }
  }

  #slowly(parts: readonly string[]): void {
    this.#isAnswering = true;
    const [first, ...rest] = parts;
    if (first === undefined) {
      this.#isAnswering = false;
      return;
    }
    if (first !== "") this.#write(first);
    // The response to HEAD has no body.
    if (rest.every((part) => part === "")) this.#isAnswering = false;
    else setTimeout(() => this.#slowly(rest), 7);
  }

  #later(milliseconds: number, text: string): void {
    this.#isAnswering = true;
    setTimeout(() => {
      this.#isAnswering = false;
      this.#write(text);
    }, milliseconds);
  }

  #write(text: string): void {
    if (this.#socket.writable) this.#socket.write(encoder.encode(text));
  }

  #end(text?: string): void {
    this.#reader.stop();
    if (text === undefined) this.#socket.end();
    else this.#socket.end(encoder.encode(text));
  }
}

function chunk(text: string): string {
  return text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`;
}
