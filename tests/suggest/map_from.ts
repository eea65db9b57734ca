import { CoverageMap, type FromDictOptions } from "../../mod.ts";

/** A map that doesn't count values, because requests for those have their own tests. */
export function mapFrom(
  description: Record<string, unknown>,
  options: FromDictOptions = {},
): CoverageMap {
  return CoverageMap.fromDict(description, { values: false, ...options });
}
