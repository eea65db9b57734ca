import type { ParameterHits } from "./hits.ts";

/** What was counted for one keyword. */
export interface KeywordCounts {
  /** Evaluations that passed. */
  valid: number;
  /** Evaluations that failed. */
  invalid: number;
}

/** What was counted for a parameter, by pointer as users see it. */
export interface ParameterCounts {
  /** By the keyword's pointer. */
  readonly keywords: ReadonlyMap<string, KeywordCounts>;
  /** Hits by the example's pointer; those in schemas. */
  readonly examples: ReadonlyMap<string, number>;
}

/**
 * Gathers the counters of a parameter. A schema that is written inside one and referred to by another has two blocks of
 * counters; they are one keyword, and so they add up.
 */
export function parameterCounts(hits: ParameterHits): ParameterCounts {
  const keywords = new Map<string, KeywordCounts>();
  const examples = new Map<string, number>();
  const { store: { counts }, units } = hits.counters;
  for (const unit of units) {
    const base = hits.counters.baseOf(unit);
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = counts[base + slot] as number;
      const invalid = counts[base + slot + 1] as number;
      if (valid + invalid === 0) continue;
      const path = node.pathOf(keyword);
      const known = keywords.get(path);
      if (known === undefined) keywords.set(path, { valid, invalid });
      else {
        known.valid += valid;
        known.invalid += invalid;
      }
    }
    for (const { schema_path, slot } of unit.examples) {
      const found = counts[base + slot] as number;
      if (found > 0) examples.set(schema_path, (examples.get(schema_path) ?? 0) + found);
    }
  }
  return { keywords, examples };
}
