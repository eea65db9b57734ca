import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import type { DroppedHits } from "../map/results.ts";

/** Adds hits files to a map, and notes what of them is dropped. */
export class HitsTaker {
  readonly #map: CoverageMap;
  readonly #carry: boolean;
  #dropped: DroppedHits[] = [];

  /** @param carry Whether hits of another description are carried over (default: false). */
  constructor(map: CoverageMap, carry = false) {
    this.#map = map;
    this.#carry = carry;
  }

  /**
   * Adds one line of a hits file.
   *
   * @param location The name of the file in errors.
   * @throws {RecordingError} where it cannot be added.
   */
  take(line: Uint8Array, location: string): void {
    this.#dropped.push(...this.#map.mergeHits(line, { location, carry: this.#carry }));
  }

  /** The hits that could not be carried over since the last call. */
  takeDropped(): readonly DroppedHits[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped;
  }
}
