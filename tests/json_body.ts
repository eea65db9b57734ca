import { CoverageMap, type FromDictOptions } from "../mod.ts";
import { jsonContent, shopApi } from "./shop_api.ts";
import { assertPossibleCounts } from "./corpus/impossible_counts.ts";

/** A map of `POST /x` with a JSON body of this schema, and these components. */
export function mapOfBody(
  schema: unknown,
  schemas: object = {},
  options?: FromDictOptions,
): CoverageMap {
  const post = { requestBody: jsonContent(schema), responses: {} };
  return CoverageMap.fromDict(shopApi({ "/x": { post } }, { components: { schemas } }), options);
}

/** Records a JSON body: a value, or its text or bytes. */
export function sendBody(map: CoverageMap, body: string | Uint8Array): void {
  const headers = { "Content-Type": "application/json" };
  map.record({ method: "POST", url: "http://localhost/x", headers, body });
}

/** Passed and failed counts of each keyword of the body, by the end of its pointer. */
export function keywordCounts(map: CoverageMap): Record<string, readonly [number, number]> {
  const report = map.report();
  assertPossibleCounts(report);
  const keywords = report.operations[0]?.parameters[0]?.keywords ?? [];
  return Object.fromEntries(
    keywords.map(({ schema_path, valid, invalid }) => [
      schema_path.replace(/^.*~1json\/schema\//, "").replace("/components/schemas/", ""),
      [valid, invalid],
    ]),
  );
}

/** {@linkcode keywordCounts} a body with this schema after these values were sent. */
export function countsIn(
  schema: unknown,
  schemas: object,
  values: readonly unknown[],
): Record<string, readonly [number, number]> {
  const map = mapOfBody(schema, schemas);
  for (const value of values) sendBody(map, JSON.stringify(value));
  return keywordCounts(map);
}
