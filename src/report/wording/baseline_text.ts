import type { Comparison } from "../comparison/comparison.ts";

/**
 * The baseline, with what is known of it: `baseline of 2026-01-31T12:00:00Z (version 1.0.0)`.
 *
 * @example
 * ```ts
 * import { baselineText } from "./baseline_text.ts";
 * import assert from "node:assert/strict";
 *
 * const schema = { location: "openapi.yaml", title: "Shop", version: "" };
 * const generated_at = "2026-01-31T12:00:00Z";
 * assert.equal(
 *   baselineText({ title: "Shop", generated_at, schema }),
 *   "baseline of 2026-01-31T12:00:00Z",
 * );
 * ```
 */
export function baselineText({ generated_at, schema }: Comparison["baseline"]): string {
  const time = generated_at === "" ? "" : ` of ${generated_at}`;
  return `baseline${time}${schema.version === "" ? "" : ` (version ${schema.version})`}`;
}
