import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { ValueHashes } from "../../map/value_hash.ts";
import { keywordTable } from "../../values/keyword_table.ts";

/** Hashes for reports of the values of a description's keywords. */
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
      found.set(schema_path, this.#hashes.ofKeyword(keyword, value));
    }
    return found;
  }
}
