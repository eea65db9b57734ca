import type { RecordingScope } from "../record/record_batches.ts";
import { ApiMaps } from "./api_maps.ts";
import { type CoverageMap, recordingIn } from "./coverage_map.ts";

/**
 * A recording whose requests are added to a map: what its requests show of credentials counts for this recording alone.
 *
 * @param name Tells recordings apart; parts of one that are read by several threads have the same name.
 */
export function recordingOf(map: CoverageMap | ApiMaps, name: string): RecordingScope {
  const maps = map instanceof ApiMaps ? map.apis.map(({ map }) => map) : [map];
  const scopes = maps.map((map) => recordingIn(map, name));
  return {
    within: (action) => scopes.reduce((inner, scope) => () => scope.within(inner), action)(),
    end: () => scopes.forEach((scope) => scope.end()),
  };
}
