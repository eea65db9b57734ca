import { findGaps } from "../suggest/find_gaps.ts";
import type { ApiMaps } from "./api_maps.ts";

/**
 * Checks that each id is of a gap of one of the descriptions, open or closed.
 *
 * @throws {SuggestError} about the first that isn't.
 */
export function checkGaps({ apis }: ApiMaps, ids: readonly string[]): void {
  for (const id of ids) {
    const errors = apis.flatMap(({ map }) => {
      try {
        findGaps(map.plan, [id]);
        return [];
      } catch (error) {
        return [error];
      }
    });
    if (errors.length === apis.length) throw errors[0];
  }
}
