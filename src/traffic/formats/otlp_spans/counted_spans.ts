import type { Fields } from "../../decode/fields.ts";

/** Kinds of spans, by number and by name. */
const SERVER: readonly unknown[] = [2, "SPAN_KIND_SERVER"];
const CLIENT: readonly unknown[] = [3, "SPAN_KIND_CLIENT"];

/** Spans that are remembered until their other half comes; with more of them, it starts anew. */
const MOST = 1 << 16;

/** True for the span of a server that answered a request. */
export function isServerSpan({ kind }: Fields): boolean {
  return SERVER.includes(kind);
}

/**
 * Decides which spans count: a request may have one of the client and one of the server, and counts once. Servers note
 * what they ask of others as well, which isn't a request to them.
 */
export class CountedSpans {
  readonly #servers = new Set<string>();
  readonly #spans = new Set<unknown>();

  /** Notes a service that answers requests. */
  addServer(service: string): void {
    this.#servers.add(service);
  }

  /** True if a span counts. */
  take({ kind, spanId, parentSpanId }: Fields, service: string): boolean {
    if (this.#spans.size >= MOST) this.#spans.clear();
    if (SERVER.includes(kind)) return !this.#isSecond(parentSpanId);
    return CLIENT.includes(kind) && !this.#servers.has(service) && !this.#isSecond(spanId);
  }

  /** True for the second span of a request; both know the identifier of the client's. */
  #isSecond(client: unknown): boolean {
    if (typeof client !== "string" || client === "") return false;
    if (this.#spans.delete(client)) return true;
    this.#spans.add(client);
    return false;
  }
}
