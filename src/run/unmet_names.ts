import type { Shortfall } from "../map/thresholds.ts";
import { MEASURE_NAMES } from "../report/threshold_lines.ts";
import { sentenceList } from "../report/wording/amounts.ts";
import type { Unmet } from "./exit_line.ts";
import type { Judgement } from "./make_report.ts";

/** The requirements that an API does not meet, for the last line of the run. */
export function unmetNames({ shortfalls, failed }: Judgement): Unmet {
  return [...thresholdNames(shortfalls), ...failed.map(({ condition }) => condition)];
}

function thresholdNames(shortfalls: readonly Shortfall[]): string[] {
  if (shortfalls.length === 0) return [];
  const names = sentenceList(shortfalls.map(({ dimension }) => MEASURE_NAMES[dimension]));
  return [`${shortfalls.length === 1 ? "threshold" : "thresholds"} of ${names}`];
}
