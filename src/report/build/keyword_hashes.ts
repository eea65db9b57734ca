import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { ValueHashes } from "../../map/value_hash.ts";
import { keywordTable } from "../../values/keyword_table.ts";

/** Keywords whose value is a list without an order. */
const SETS: ReadonlySet<string> = new Set(["enum", "required", "type"]);

/** Tells for reports what the keywords of a description say, in few characters. */
export class KeywordHashes {
  readonly #hashes = new ValueHashes();

  /**
   * The hashes of what the keywords of a parameter say, by schema path: the same for equal values, whatever the order of
   * members and names. A value that consists of schemas has none, as their keywords have their own.
   */
  of(plan: ParameterPlan): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { node, keyword, schema_path } of plan.inventory.keywords) {
      const value = node.schema[keyword];
      if (typeof value !== "boolean" && keywordTable.get(keyword)?.kind !== "assertion") continue;
      found.set(schema_path, this.#hashes.of(SETS.has(keyword) ? sorted(value) : value));
    }
    return found;
  }
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const texts = value.map((item) => [JSON.stringify(item), item] as const);
  return texts.sort(([left], [right]) => left < right ? -1 : left > right ? 1 : 0)
    .map(([, item]) => item);
}
