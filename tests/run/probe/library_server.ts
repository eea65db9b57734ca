import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Interaction } from "../../../mod.ts";
import { MeasuredApi } from "../../../src/coverage_map/measured_api.ts";
import { keepRequests } from "../../../src/coverage_map/suggest_for.ts";
import { ProbeClient } from "../../../src/run/probe/probe_client.ts";
import {
  Prober,
  type ProbeResult,
  type ProbeSettings,
  type ProbeTools,
} from "../../../src/run/probe/prober.ts";
import type { Raw } from "../../corpus/raw_description.ts";
import { jsonContent, shopApi } from "../../shop_api.ts";

/** A description with a collection, its members, a key, and operations that change data. */
export const LIBRARY: Raw = shopApi({
  "/books": {
    get: {
      parameters: [{
        name: "limit",
        in: "query",
        schema: { type: "integer", minimum: 1, maximum: 50 },
      }],
      responses: { 200: { description: "Books" }, 400: { description: "Bad request" } },
    },
    post: {
      requestBody: {
        required: true,
        ...jsonContent({
          type: "object",
          required: ["title"],
          properties: { title: { type: "string", maxLength: 20 } },
        }),
      },
      responses: { 201: { description: "Created" }, 400: { description: "Bad request" } },
    },
  },
  "/books/{bookId}": {
    parameters: [{ name: "bookId", in: "path", required: true, schema: { type: "integer" } }],
    get: { responses: { 200: { description: "A book" }, 404: { description: "None" } } },
    delete: { responses: { 204: { description: "Gone" }, 404: { description: "None" } } },
  },
  "/me": {
    get: {
      security: [{ shopKey: [] }],
      responses: { 200: { description: "You" }, 401: { description: "Who?" } },
    },
  },
}, {
  servers: [{ url: "/" }],
  components: { securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Shop" } } },
});

/** A request as the server received it. */
export interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

/** A server of this API, whose books have ids that are hard to guess. */
export class LibraryServer {
  /** The requests in order. */
  readonly seen: Seen[] = [];
  readonly #books = new Map<string, { bookId: number; title: string }>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #next = 7001;
  /** If set, the status of all responses. */
  status: number | undefined;

  /** The URL while it listens. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Starts to listen on a free port. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  add(title: string): { bookId: number; title: string } {
    const book = { bookId: this.#next++, title };
    this.#books.set(String(book.bookId), book);
    return book;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Uint8Array[] = [];
    request.on("data", (piece: Uint8Array) => pieces.push(piece));
    request.on("end", () => {
      const text = new TextDecoder().decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
      const [status, body, headers] = this.#respond(request, text);
      this.seen.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        status,
      });
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  #respond(
    { method = "", url = "", headers }: IncomingMessage,
    text: string,
  ): [status: number, body?: unknown, headers?: Record<string, string>] {
    if (this.status !== undefined) return [this.status, {}];
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/me") return headers["x-shop"] === "k-17" ? [200, { id: 1 }] : [401, {}];
    if (pathname === "/books" && method === "GET") {
      const limit = searchParams.get("limit") ?? "10";
      const isValid = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50;
      return isValid ? [200, [...this.#books.values()]] : [400, {}];
    }
    if (pathname === "/books" && method === "POST") {
      try {
        const { title } = JSON.parse(text);
        if (typeof title !== "string" || title.length > 20) return [400, {}];
        const book = this.add(title);
        return [201, book, { Location: `/books/${book.bookId}` }];
      } catch {
        return [400, {}];
      }
    }
    const id = /^\/books\/([^/]+)$/.exec(pathname)?.[1] ?? "";
    const book = this.#books.get(id);
    if (book === undefined) return [404, {}];
    if (method === "GET") return [200, book];
    this.#books.delete(id);
    return [204];
  }
}

/** A client with a timeout of a third of a second, which keeps 10,000 bytes of a response. */
export function makeClient(
  server: string,
  headers: readonly (readonly [string, string])[] = [],
): ProbeClient {
  return new ProbeClient({ server, headers, bodyLimit: 10_000, timeout: 300, now: Date.now });
}

/** The result of a probe, with all its requests recorded. */
export interface Probed extends ProbeResult {
  readonly map: MeasuredApi;
  readonly interactions: readonly Interaction[];
}

/**
 * Probes a server.
 *
 * @param settings Settings of the prober, and header fields of every request.
 * @param tools Tools of the prober; the clock only advances during waits, and by one millisecond per reading.
 */
export async function probe(
  server: string,
  { fields = [], ...settings }: Partial<ProbeSettings> & {
    readonly fields?: readonly (readonly [string, string])[];
  } = {},
  tools: Partial<ProbeTools> = {},
  description: Raw = LIBRARY,
): Promise<Probed> {
  const map = MeasuredApi.fromDict(description);
  keepRequests(map, "newest");
  const client = makeClient(server, fields);
  const interactions: Interaction[] = [];
  let now = 0;
  try {
    const result = await new Prober(map, {
      server,
      isUnsafe: false,
      max: 1000,
      seconds: 1000,
      rate: Infinity,
      headers: new Set(fields.map(([name]) => name.toLowerCase())),
      credential: () => undefined,
      ...settings,
    }, {
      client,
      signal: new AbortController().signal,
      onResponse: (interaction) => {
        interactions.push(interaction);
        map.record(interaction.request, interaction.response, interaction.timestamp);
      },
      wait: (milliseconds) => Promise.resolve(void (now += Math.max(1, milliseconds))),
      clock: () => now++,
      ...tools,
    }).run();
    return { ...result, map, interactions };
  } finally {
    client.close();
  }
}
