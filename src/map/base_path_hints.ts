import { addCounts } from "../values/add_counts.ts";
import { compareText, Smallest } from "./smallest.ts";

/** The number of different prefixes to keep: the shortest ones. */
export const PREFIXES_KEPT = 1000;

/** A base path under which a request that matched nothing would have matched an operation. */
export interface PrefixHint {
  /** The base path as the request wrote it: `/api/v1`, or `/` for none. */
  readonly prefix: string;
  /** The number of templates in the path of that operation; the fewer, the surer. */
  readonly templates: number;
}

/** A base path with what it would have changed. */
export interface PrefixCount {
  /** The base path: `/api/v1`, or `/` for none. */
  readonly prefix: string;
  /** The number of unmatched requests that would have matched an operation. */
  readonly requests: number;
  /** The number of templates in the paths of these operations, added up over the requests. */
  readonly templates: number;
}

interface Entry {
  readonly prefix: string;
  readonly segments: number;
  requests: number;
  templates: number;
}

function compareEntries(a: Entry, b: Entry): number {
  return a.segments - b.segments || compareText(a.prefix, b.prefix);
}

/**
 * Counts which base paths would have let unmatched requests match, to say so in the report. It keeps the
 * 1,000 shortest ones; adding in another order, or merging parts, gives the same.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { BasePathHints } from "./base_path_hints.ts";
 *
 * const hints = new BasePathHints();
 * hints.add([{ prefix: "/api", templates: 0 }]);
 * hints.add([{ prefix: "/api", templates: 1 }]);
 * assert.equal(hints.suggestion(1, 2), "/api");
 * assert.equal(hints.suggestion(2, 2), null);
 * ```
 */
export class BasePathHints {
  readonly #prefixes = new Smallest<Entry>(PREFIXES_KEPT, compareEntries);

  /** Counts an unmatched request, or several alike, with all the base paths that would have let it match. */
  add(hints: readonly PrefixHint[], requests = 1): void {
    for (const { prefix, templates } of hints) {
      this.#count({ prefix, requests, templates: templates * requests });
    }
  }

  /** The counts, shortest prefixes first, as plain data. */
  export(): PrefixCount[] {
    return this.#prefixes.list().map(({ prefix, requests, templates }) => ({
      prefix,
      requests,
      templates,
    }));
  }

  /** Adds what another map counted. */
  merge(counts: readonly PrefixCount[]): void {
    for (const count of counts) this.#count(count);
  }

  /**
   * The base path to suggest (semantics, section 2), given how many requests were matched and unmatched:
   * the one that would let most requests match, where these are more than half of all. Among
   * equals the one with fewer templates in what it matches, then the shorter one, then the smaller text.
   */
  suggestion(matched: number, unmatched: number): string | null {
    let best: Entry | null = null;
    for (const entry of this.#prefixes.list()) {
      if (
        best === null || entry.requests > best.requests ||
        (entry.requests === best.requests && entry.templates < best.templates)
      ) best = entry;
    }
    return best !== null && 2 * best.requests > matched + unmatched ? best.prefix : null;
  }

  #count(count: PrefixCount): void {
    const { prefix, requests, templates } = count;
    const entry = this.#prefixes.get(prefix);
    if (entry === undefined) {
      const segments = prefix === "/" ? 0 : prefix.split("/").length - 1;
      this.#prefixes.add(prefix, { prefix, segments, requests, templates });
      return;
    }
    entry.requests = addCounts(entry.requests, requests);
    entry.templates = addCounts(entry.templates, templates);
  }
}
