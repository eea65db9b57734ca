import type { ReportKeyword, ReportParameter } from "../report.ts";
import { schemaPlace } from "../wording/place_name.ts";
import { pairUpInTurn } from "./pair_up.ts";

/**
 * Finds the keywords of a parameter in an earlier report: those with the same name and value in the same place, and
 * where the description was rearranged those in the same place of another schema, or in the same property.
 *
 * @param hasValues False where one of the reports does not tell what keywords say.
 * @returns pairs of keywords: of the later report, and of the earlier one.
 *
 * @example
 * ```ts
 * import { matchKeywords } from "./match_keywords.ts";
 * import type { ReportParameter } from "../report.ts";
 * import assert from "node:assert/strict";
 *
 * const parameterWith = (schema: string) => ({
 *   schema_path: "/paths/~1a/post/requestBody",
 *   keywords: [{ keyword: "type", schema_path: `/components/schemas/${schema}/properties/id/type` }],
 * }) as unknown as ReportParameter;
 * assert.equal(matchKeywords(parameterWith("Person"), parameterWith("User"), false).size, 1);
 * ```
 */
export function matchKeywords(
  later: ReportParameter,
  earlier: ReportParameter,
  hasValues: boolean,
): ReadonlyMap<ReportKeyword, ReportKeyword> {
  const identity = ({ keyword, value_hash }: ReportKeyword): string =>
    hasValues ? `${keyword} ${value_hash ?? ""}` : keyword;
  const exact = (keyword: ReportKeyword) => `${identity(keyword)} ${keyword.schema_path}`;
  const placed = (own: string) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${placeOf(keyword, own)}`;
  const near = (own: string) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${lastProperty(placeOf(keyword, own))}`;
  const [own, before] = [later.schema_path, earlier.schema_path];
  return pairUpInTurn(later.keywords, earlier.keywords, [
    [exact, exact],
    [placed(own), placed(before)],
    [near(own), near(before)],
  ]);
}

function placeOf({ schema_path }: ReportKeyword, own: string): string {
  return schemaPlace(schema_path.slice(0, schema_path.lastIndexOf("/")), own);
}

/** The last property of a place, with what follows it. */
function lastProperty(place: string): string {
  return place.slice(Math.max(0, place.lastIndexOf(".")));
}
