import type { NamedOptions } from "./config.ts";

/** Options that judge what was measured. */
const JUDGING = /^(?:failUnder\w*|minTcl|failOn|baseline|baseReport)$/;

/** Options of a config file, with those that are left out. */
export interface RunOfHits {
  /** The options that count. */
  readonly options: NamedOptions;
  /** True if the file has thresholds or conditions that this run does not check. */
  readonly isUnjudged: boolean;
}

/**
 * The options of a config file for a run that was told to write nothing but hits: without thresholds, conditions and
 * baseline. It is a part of a larger run, and the command that merges the parts judges them together.
 *
 * @param formats The formats that the run was told to write, such as `hits=shard-1.hits`; undefined or empty if the file
 * decides.
 *
 * @example
 * ```ts
 * import { leftToMerge } from "./left_to_merge.ts";
 * import assert from "node:assert/strict";
 *
 * const options = { title: "Shop", failUnder: 80 };
 * assert.deepEqual(leftToMerge(options, ["hits"]), { options: { title: "Shop" }, isUnjudged: true });
 * assert.deepEqual(leftToMerge(options, ["hits", "html"]), { options, isUnjudged: false });
 * ```
 */
export function leftToMerge(
  options: NamedOptions,
  formats: readonly string[] | undefined = [],
): RunOfHits {
  const isHits = formats.length > 0 && formats.every((format) => /^hits(?:=|$)/.test(format));
  if (!isHits) return { options, isUnjudged: false };
  const kept = Object.entries(options).filter(([name]) => !JUDGING.test(name));
  const isUnjudged = Object.keys(options).some((name) => JUDGING.test(name) && !/^base/.test(name));
  return { options: Object.fromEntries(kept), isUnjudged };
}
