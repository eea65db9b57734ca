import type { Interaction } from "../../http/interaction.ts";

/** Customers send the same few requests again and again; with more of them than this, it starts anew. */
const MOST = 4096;
/** Longer texts hardly come twice. */
const LONGEST = 400;

/** Slots for texts that came once; a power of two. */
const SLOTS = 1 << 14;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Remembers what lines of a log say of requests, but for their times, by the text that says it: most requests of a log
 * came before, and needn't be read again. A text is remembered when it comes for the second time, as others may never
 * come again.
 *
 * @example
 * ```ts
 * import { SeenRequests } from "./seen_requests.ts";
 * import assert from "node:assert/strict";
 *
 * const seen = new SeenRequests();
 * const interaction = { request: { method: "GET", url: "/books" } };
 * seen.add("GET /books", interaction);
 * assert.equal(seen.get("GET /books"), undefined);
 * seen.add("GET /books", interaction);
 * assert.equal(seen.get("GET /books"), interaction);
 * ```
 */
export class SeenRequests {
  readonly #interactions = new Map<string, Interaction>();
  /** The hashes of texts that came once; one of another text takes the place of an earlier. */
  readonly #once = new Int32Array(SLOTS);

  /** What a text says; undefined if it isn't remembered. */
  get(text: string): Interaction | undefined {
    return this.#interactions.get(text);
  }

  /** Notes what a text says, unless the text has more than that: a secret that was masked. */
  add(text: string, interaction: Interaction): void {
    if (text.length > LONGEST || !text.includes(interaction.request.url)) return;
    const hash = hashOf(text);
    const slot = hash & (SLOTS - 1);
    if (this.#once[slot] !== hash) {
      this.#once[slot] = hash;
      return;
    }
    if (this.#interactions.size >= MOST) this.#interactions.clear();
    // A part of a line would keep all lines that were decoded with it.
    this.#interactions.set(decoder.decode(encoder.encode(text)), interaction);
  }
}

/** FNV-1a, over code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
