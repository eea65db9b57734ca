import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Raw } from "../../corpus/raw_description.ts";
import { apiOf, jsonContent } from "../../api_of.ts";

/** A description with a collection, its members, a key, and operations that change data. */
export const LIBRARY: Raw = apiOf({
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

/** A request as the server saw it. */
export interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

/** A server of that API, whose books have ids that nobody would guess. */
export class LibraryServer {
  /** The requests in the order in which they came. */
  readonly seen: Seen[] = [];
  readonly #books = new Map<string, { bookId: number; title: string }>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #next = 7001;
  /** Answers everything with this status. */
  status: number | undefined;

  /** The URL, once it listens. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Listens on a free port. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Adds a book. */
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
