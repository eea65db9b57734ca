import { randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HeadersLike, HttpRequest } from "../http/interaction.ts";
import type { PassingResponse } from "../mutate/response_changer.ts";
import { Place, Problems } from "../traffic/formats/recording.ts";
import { readTest, readTrafficEntry } from "../traffic/formats/traffic_file/traffic.ts";

/** The variable that tells recorders where to ask for changes (docs/protocol.md). */
export const CHANGES_VARIABLE = "COVTOOL_CHANGES";

/** Bytes of a message of a recorder. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** What recorders in the processes of tests ask and tell. */
export interface ChangeListener {
  /** An exchange, with the response as it came; gives the response that the test gets instead. */
  onExchange(
    request: HttpRequest,
    response: PassingResponse,
    test: string | undefined,
  ): PassingResponse | undefined;
  /** The end of a test. */
  onOutcome(test: string, isPassed: boolean): void;
}

/** Where recorders ask for changes: only who knows its key gets an answer. */
export class ChangeServer {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #listener: ChangeListener;
  #key = "";

  constructor(listener: ChangeListener) {
    this.#listener = listener;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
  }

  /**
   * Gives a URL for {@linkcode CHANGES_VARIABLE}, after which no earlier one counts. Runners that cache results by the
   * variables that tests read, such as `go test`, run the tests again only if it is another one.
   */
  renewUrl(): string {
    this.#key = randomBytes(16).toString("hex");
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${port}/${this.#key}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", method } = request;
    if (method !== "POST" || !url.startsWith(`/${this.#key}`)) {
      response.writeHead(404).end();
      return;
    }
    try {
      const message: unknown = JSON.parse(await readText(request));
      const answer = url === `/${this.#key}/outcome`
        ? this.#noteOutcome(message as Record<string, unknown>)
        : this.#change(message);
      if (answer === undefined) response.writeHead(204).end();
      else {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      }
    } catch {
      response.writeHead(400).end();
    }
  }

  #noteOutcome(message: Record<string, unknown>): undefined {
    const test = readTest(message["test"], new Place("", new Problems("")));
    if (test !== undefined) this.#listener.onOutcome(test, message["outcome"] !== "failed");
  }

  #change(message: unknown): object | undefined {
    const { request, response, test } =
      readTrafficEntry(message, new Place("", new Problems(""))) ?? {};
    if (request === undefined || response?.status_code === undefined) return undefined;
    // What the test would be given in its place is not known.
    if (response.body_truncated === true) return undefined;
    const { status_code: status, body } = response;
    const headers = headerPairs(response.headers ?? []);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const passing = { status, headers, body: bytes ?? new Uint8Array() };
    const changed = this.#listener.onExchange(request, passing, test);
    return changed && {
      status_code: changed.status,
      headers: changed.headers,
      body_base64: Buffer.from(changed.body).toString("base64"),
    };
  }
}

function headerPairs(headers: HeadersLike): (readonly [string, string])[] {
  if (Symbol.iterator in headers) return [...headers as Iterable<readonly [string, string]>];
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value) => [name, value] as const)
  );
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_MESSAGE) throw new RangeError("The message is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
