import type { Report } from "../report.ts";

/** The reasons why exclusions of a report should be changed or removed: sentences. */
export function staleExclusions({ exclusions = [] }: Report): string[] {
  return exclusions.flatMap(({ stale }) => stale === null ? [] : [stale]);
}
