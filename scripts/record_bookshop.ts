/**
 * Records the traffic of the demo, `examples/bookshop/traffic.json`, from the bookshop's server. Only the times between
 * the requests are made up: an hour of traffic takes a second to record.
 *
 *     python3 -m venv .cache/bookshop
 *     .cache/bookshop/bin/pip install fastapi uvicorn python-multipart
 *     PYTHON=.cache/bookshop/bin/python3 deno run -A scripts/record_bookshop.ts
 *
 * @module
 */
import { request as send } from "node:http";
import { print } from "./print.ts";
import { runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";

const FOLDER = `${ROOT}/examples/bookshop`;
const SERVER = "http://127.0.0.1:8901";
const START = Date.UTC(2026, 10, 20, 21, 55, 12) / 1000;
/** Seconds between requests, repeated: tests come in groups. */
const PAUSES: readonly number[] = [4, 11, 7, 230, 3, 18, 6, 310, 9, 5, 130];

interface Sent {
  readonly method: string;
  /** A path of the API, or a whole URL. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const BOOK = {
  title: "雪国",
  genre: "novel",
  price: 8,
  isbn: "9780000001051",
  authors: [{ name: "川端康成" }],
  format: { kind: "print", pages: 3 },
};
const ORDER = { lines: [{ book_id: 1 }], payment: { method: "invoice", email: "ann@example.org" } };
const KEY = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const SIGNED_IN = `Basic ${btoa("ann:password")}`;

function get(target: string, headers: Readonly<Record<string, string>> = {}): Sent {
  return { method: "GET", target, headers };
}

function json(method: string, target: string, value: unknown, headers = {}): Sent {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  return { method, target, headers: { "Content-Type": "application/json", ...headers }, body };
}

function form(target: string, body: string): Sent {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", target, headers, body };
}

function text(target: string, type: string, body: string | Uint8Array): Sent {
  return { method: "POST", target, headers: { "Content-Type": type }, body };
}

function cover(target: string, caption: string, fields = ""): Sent {
  const part = (head: string, value: string) =>
    `--cover\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const picture = part('name="picture"; filename="cover.png"\r\nContent-Type: image/png', "PNG");
  const body = `${picture}${part('name="caption"', caption)}${fields}--cover--\r\n`;
  return text(target, "multipart/form-data; boundary=cover", body);
}

/** The requests of a team's tests: most operations, a few limits, and nothing that deletes. */
const REQUESTS: readonly Sent[] = [
  get("/"),
  get("/books?genre=poetry&genre=novel&sort=-price&q=a%20b+c&min_price=1.5", {
    "X-Request-Id": "abcdef01-2345",
  }),
  get("/books?page=0"),
  json("POST", "/books", BOOK),
  json("POST", "/books", BOOK),
  json("POST", "/books", { ...BOOK, price: -1 }),
  json("POST", "/books", { ...BOOK, isbn: "x" }),
  get("/books/1"),
  get("/books/4711"),
  get("/books/abc"),
  json("PUT", "/books/2", { ...BOOK, isbn: "9785170862344" }),
  json("PATCH", "/books/2", { notes: null }),
  cover("/books/1/cover", "Front"),
  get("/books/1/cover"),
  get("/books/3/cover"),
  form("/login", "username=ann&password=wrong&scope=read&scope=write"),
  form("/login", "username=%C5%81ucja+%26+co&password=pass+word&scope=read&scope=write"),
  form("/login", "username=&password=password"),
  get("/me", { Authorization: SIGNED_IN }),
  get("/me"),
  json("POST", "/orders", ORDER, { "Idempotency-Key": KEY }),
  json("POST", "/orders", { ...ORDER, lines: [{ book_id: 666 }] }, { "Idempotency-Key": "nope" }),
  json("POST", "/orders", { ...ORDER, lines: [{ book_id: 666 }] }, { "Idempotency-Key": KEY }),
  json("POST", "/orders", { ...ORDER, lines: [{ book_id: 4711 }] }, { "Idempotency-Key": KEY }),
  json("POST", "/orders", { ...ORDER, lines: [{ book_id: 1, quantity: 100 }] }, {
    "Idempotency-Key": KEY,
  }),
  json("POST", "/orders", { ...ORDER, payment: { method: "card", last4: "4242" } }, {
    "Idempotency-Key": KEY,
  }),
  text("/books/1/review", "text/plain", "zażółć"),
  text("/books/1/review", "text/plain", "ok"),
  text("/books/1/review", "application/octet-stream", Uint8Array.of(137, 80, 78, 71, 255)),
  get("/export/2024-5.csv"),
  get("/export/2024-13.csv"),
  get("/old-books"),
  get("http://127.0.0.1:9/closed"),
  get("/books?q=%D0%BF%D0%B8%D0%BA%D0%BD%D0%B8%D0%BA&genre=poetry&genre=science", {
    Cookie: "session=s-0123456789abcdef",
  }),
  get("/books?sort=zzz"),
  get("/books?q=a"),
  get("/books?genre=crime"),
  json("POST", "/books", { ...BOOK, title: "Žluťoučký", isbn: "9780000000555", price: 3 }),
  json("POST", "/books", { ...BOOK, isbn: "9780000000777", title: "" }),
  json("POST", "/books", { ...BOOK, isbn: "9780000000888", genre: "crime" }),
  json("POST", "/books", { ...BOOK, isbn: "9780000000999", authors: [] }),
  json("POST", "/books", { ...BOOK, isbn: "9780000000111", colour: "red" }),
  json("POST", "/books", {
    ...BOOK,
    isbn: "9780000000222",
    format: { kind: "audio", minutes: 3, narrators: ["Ann"] },
  }),
  json("POST", "/books", "{not json"),
  get("/books/1"),
  { method: "HEAD", target: "/books/1" },
  { method: "OPTIONS", target: "/books" },
  { method: "TRACE", target: "/books" },
  json("PUT", "/books/2", {
    ...BOOK,
    isbn: "9785170862344",
    format: { kind: "print", pages: 1 },
    shelf: 3,
  }),
  json("PUT", "/books/4711", BOOK),
  json("PATCH", "/books/1", { notes: "A gift" }),
  // The server accepts this, as its description says, but can't show the book afterwards.
  json("PATCH", "/books/2", { price: null }),
  get("/books?sort=-price"),
  get("/books?page=2"),
];

interface Received {
  readonly status_code: number;
  readonly elapsed: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body_base64: string;
}

/** Sends a request unchanged; resolves to undefined if there is no response. */
function receive(url: string, { method, headers, body }: Sent): Promise<Received | undefined> {
  return new Promise((resolve) => {
    const start = performance.now();
    const request = send(url, { method, headers: { ...headers } }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("end", () => {
        const { rawHeaders, statusCode = 0 } = response;
        resolve({
          status_code: statusCode,
          elapsed: Math.round(performance.now() - start) / 1000,
          headers: rawHeaders.flatMap((name, index) =>
            index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : []
          ),
          body_base64: btoa(String.fromCharCode(...chunks.flatMap((chunk) => [...chunk]))),
        });
      });
    });
    request.on("error", () => resolve(undefined));
    request.end(body);
  });
}

async function waitForServer(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const health = get("/health");
    if (await receive(`${SERVER}/api/v1/health`, health) !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The bookshop's server doesn't answer at ${SERVER}.`);
}

const server = new Deno.Command(Deno.env.get("PYTHON") ?? "python3", {
  args: ["-m", "uvicorn", "server:app", "--port", "8901", "--log-level", "critical"],
  cwd: FOLDER,
  env: { PYTHONDONTWRITEBYTECODE: "1" },
}).spawn();
const recording = await Deno.makeTempFile({ suffix: ".json" });
try {
  await waitForServer();
  const interactions: unknown[] = [];
  let timestamp = START;
  for (const [index, sent] of REQUESTS.entries()) {
    const { method, target, headers, body } = sent;
    const url = target.startsWith("http") ? target : `${SERVER}/api/v1${target}`;
    const response = await receive(url, sent);
    const content = body === undefined
      ? {}
      : typeof body === "string"
      ? { body }
      : { body_base64: btoa(String.fromCharCode(...body)) };
    interactions.push({
      request: { method, url, ...(headers && { headers }), ...content },
      ...(response && { response }),
      timestamp,
    });
    timestamp += PAUSES[index % PAUSES.length] ?? 0;
  }
  await Deno.writeTextFile(recording, JSON.stringify({ interactions }));
  const output = `${FOLDER}/traffic.json`;
  await runOrThrow(Deno.execPath(), ["run", "-A", "cli.ts", "convert", recording, "-o", output], {
    cwd: ROOT,
  });
  print(`${output}: ${interactions.length} requests`);
} finally {
  server.kill();
  await server.status;
  await Deno.remove(recording);
}
