import { coverageLevel } from "../../../wording/coverage_level.ts";

/** The class that gives a percentage the colour of its level; empty where there is nothing to measure. */
export function levelClass(percent: number | null): string {
  const level = coverageLevel(percent);
  return level === null ? "" : `level-${level}`;
}
