import type { SchemaNode } from "../schema/schema_node.ts";
import type { ParameterHits } from "./operation_hits.ts";

export interface KeywordCounts {
  readonly keyword: string;
  valid: number;
  invalid: number;
  /** The time of the first evaluation, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

/** The counts of one example, or of one alternative of `discriminator`. */
export interface TallyCounts {
  hits: number;
  /** The time at which the first such value was sent, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

export interface ParameterCounts {
  /** Keyed by the schema that contains the keywords; only evaluated schemas. */
  readonly keywords: ReadonlyMap<SchemaNode, readonly KeywordCounts[]>;
  /** Keyed by the pointer of an example or alternative; only those that were sent. */
  readonly tallies: ReadonlyMap<string, TallyCounts>;
}

/** Counts of a schema with two blocks are merged: each keyword occurs once. */
export function parameterCounts(hits: ParameterHits): ParameterCounts {
  const keywords = new Map<SchemaNode, KeywordCounts[]>();
  const tallies = new Map<string, TallyCounts>();
  const { store, units } = hits.counters;
  const { counts } = store;
  for (const unit of units) {
    const base = hits.counters.base(unit);
    let lastNode: SchemaNode | undefined;
    let nodeCounts: KeywordCounts[] = [];
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = counts[base + slot] as number;
      const invalid = counts[base + slot + 1] as number;
      if (valid + invalid === 0) continue;
      // The keywords of a schema are adjacent, so its counts are looked up once.
      if (node !== lastNode) {
        lastNode = node;
        nodeCounts = keywords.get(node) ?? [];
        if (nodeCounts.length === 0) keywords.set(node, nodeCounts);
      }
      const existing = nodeCounts.find((one) => one.keyword === keyword);
      const firstAt = Math.min(store.firstTime(base + slot), store.firstTime(base + slot + 1));
      if (existing === undefined) nodeCounts.push({ keyword, valid, invalid, firstAt });
      else {
        existing.valid += valid;
        existing.invalid += invalid;
        existing.firstAt = Math.min(existing.firstAt, firstAt);
      }
    }
    for (const { schema_path, slot } of unit.tallies) {
      const tally = counts[base + slot] as number;
      if (tally === 0) continue;
      const firstAt = store.firstTime(base + slot);
      const existing = tallies.get(schema_path);
      if (existing === undefined) tallies.set(schema_path, { hits: tally, firstAt });
      else {
        existing.hits += tally;
        existing.firstAt = Math.min(existing.firstAt, firstAt);
      }
    }
  }
  return { keywords, tallies };
}
