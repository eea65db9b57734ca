import type { Interaction } from "../../http/interaction.ts";

/** Customers send the same few requests again and again; with more of them than this, it starts anew. */
const MOST = 4096;
/** Longer texts hardly come twice. */
const LONGEST = 400;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Remembers what lines of a log say of requests, but for their times, by the text that says it: most requests of a log
 * came before, and needn't be read again.
 *
 * @example
 * ```ts
 * import { SeenRequests } from "./seen_requests.ts";
 * import assert from "node:assert/strict";
 *
 * const seen = new SeenRequests();
 * const interaction = { request: { method: "GET", url: "/books" } };
 * seen.add("GET /books", interaction);
 * assert.equal(seen.get("GET /books"), interaction);
 * ```
 */
export class SeenRequests {
  readonly #interactions = new Map<string, Interaction>();

  /** What a text says; undefined if it isn't remembered. */
  get(text: string): Interaction | undefined {
    return this.#interactions.get(text);
  }

  /** Remembers what a text says, unless the text has more than that: a secret that was masked. */
  add(text: string, interaction: Interaction): void {
    if (text.length > LONGEST || !text.includes(interaction.request.url)) return;
    if (this.#interactions.size >= MOST) this.#interactions.clear();
    // A part of a line would keep all lines that were decoded with it.
    this.#interactions.set(decoder.decode(encoder.encode(text)), interaction);
  }
}
