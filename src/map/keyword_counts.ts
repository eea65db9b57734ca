import type { SchemaNode } from "../schema/schema_node.ts";
import type { ParameterHits } from "./operation_hits.ts";

export interface KeywordCounts {
  readonly keyword: string;
  valid: number;
  invalid: number;
  /** The time of the first evaluation, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

/** The counts of one example, or of one alternative that `discriminator` named. */
export interface TallyCounts {
  /** Values that equalled it, or that were meant for it. */
  hits: number;
  /** The time at which the first of them was sent, in seconds since 1970; Infinity if unknown. */
  firstAt: number;
}

export interface ParameterCounts {
  /** By the schema that holds the keywords; only schemas that were evaluated. */
  readonly keywords: ReadonlyMap<SchemaNode, readonly KeywordCounts[]>;
  /** By the pointer of an example, or of an alternative that `discriminator` named; those that were sent. */
  readonly tallies: ReadonlyMap<string, TallyCounts>;
}

/** The counts of a keyword among those of its schema; undefined if it was never evaluated. */
export function findCounts(
  counts: readonly KeywordCounts[] | undefined,
  keyword: string,
): KeywordCounts | undefined {
  return counts?.find((one) => one.keyword === keyword);
}

/** The counts of a parameter's keywords and examples. A schema with two blocks of counters is one keyword each. */
export function parameterCounts(hits: ParameterHits): ParameterCounts {
  const keywords = new Map<SchemaNode, KeywordCounts[]>();
  const tallies = new Map<string, TallyCounts>();
  const { store, units } = hits.counters;
  const { counts } = store;
  for (const unit of units) {
    const base = hits.counters.base(unit);
    let last: SchemaNode | undefined;
    let counted: KeywordCounts[] = [];
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = counts[base + slot] as number;
      const invalid = counts[base + slot + 1] as number;
      if (valid + invalid === 0) continue;
      // The keywords of a schema are next to each other.
      if (node !== last) {
        last = node;
        counted = keywords.get(node) ?? [];
        if (counted.length === 0) keywords.set(node, counted);
      }
      const known = findCounts(counted, keyword);
      const firstAt = Math.min(store.firstAt(base + slot), store.firstAt(base + slot + 1));
      if (known === undefined) counted.push({ keyword, valid, invalid, firstAt });
      else {
        known.valid += valid;
        known.invalid += invalid;
        known.firstAt = Math.min(known.firstAt, firstAt);
      }
    }
    for (const { schema_path, slot } of unit.tallies) {
      const found = counts[base + slot] as number;
      if (found === 0) continue;
      const firstAt = store.firstAt(base + slot);
      const known = tallies.get(schema_path);
      if (known === undefined) tallies.set(schema_path, { hits: found, firstAt });
      else {
        known.hits += found;
        known.firstAt = Math.min(known.firstAt, firstAt);
      }
    }
  }
  return { keywords, tallies };
}
