import { randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { headerPairs } from "../http/header_pairs.ts";
import type { HttpRequest } from "../http/interaction.ts";
import type { PassingResponse } from "../mutate/response_changer.ts";
import { Place, Problems } from "../traffic/formats/recording.ts";
import { readTest, readTrafficEntry } from "../traffic/formats/traffic_file/traffic.ts";

/** The environment variable with the URL at which recorders ask for changes (docs/protocol.md). */
export const CHANGES_VARIABLE = "COVTOOL_CHANGES";

/** Largest size of a recorder's message, in bytes. */
const MAX_MESSAGE = 64 * 1024 * 1024;

export interface ChangeListener {
  /** Receives an exchange with its original response. Returns the response that the test gets instead. */
  onExchange(
    request: HttpRequest,
    response: PassingResponse,
    test: string | undefined,
  ): PassingResponse | undefined;
  onOutcome(test: string, isPassed: boolean): void;
}

/** The server that recorders ask for changes. It answers only requests that know its key. */
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
   * Returns a new URL for {@linkcode CHANGES_VARIABLE}; earlier URLs become invalid. Runners that cache results by the
   * variables that tests read, such as `go test`, only run tests again if the URL has changed.
   */
  renewUrl(): string {
    this.#key = randomBytes(16).toString("hex");
    const { port } = this.#server.address() as AddressInfo; // the server listens on a port, not on a pipe
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
    // Only part of the body is known, so it can't be changed.
    if (response.body_truncated === true) return undefined;
    const { status_code: status, body } = response;
    const headers = headerPairs(response.headers);
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
