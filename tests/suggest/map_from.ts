import { CoverageMap, type FromDictOptions } from "../../mod.ts";

/** The map of a description that counts no values: requests for those have tests of their own. */
export function mapFrom(
  description: Record<string, unknown>,
  options: FromDictOptions = {},
): CoverageMap {
  return CoverageMap.fromDict(description, { values: false, ...options });
}
