import type { CoveredOperation } from "./coverage.ts";
import { type Dimension, DIMENSIONS, type Timeline } from "./results.ts";

/** The maximum number of points of a timeline. A chart has no room for more. */
const MAX_POINTS = 200;

export class TimelineBuilder {
  readonly #firsts: Readonly<Record<Dimension, number[]>> = {
    operations: [],
    parameters: [],
    keywords: [],
    examples: [],
    responses: [],
  };

  add({ hits, parameters, excluded, excludedResponses }: CoveredOperation): void {
    if (hits === undefined || excluded !== undefined) return;
    const firsts = this.#firsts;
    firsts.operations.push(hits.firstAt ?? Infinity);
    for (const { hits, measured, keywordFirstTimes, exampleFirstTimes, excluded } of parameters) {
      if (hits === undefined || !measured || excluded !== undefined) continue;
      firsts.parameters.push(hits.firstAt);
      for (const time of keywordFirstTimes) firsts.keywords.push(time);
      for (const time of exampleFirstTimes) firsts.examples.push(time);
    }
    for (const [index, response] of hits.responses.entries()) {
      if (response === undefined || excludedResponses[index] !== undefined) continue;
      firsts.responses.push(response.firstAt);
    }
  }

  /** Returns the counts over time; null if no time is known or all times are equal. */
  build(firstAt: number | null, lastAt: number | null): Timeline | null {
    if (firstAt === null || lastAt === null || firstAt === lastAt) return null;
    const at = pickMoments(Object.values(this.#firsts), firstAt, lastAt);
    const counts: Partial<Record<Dimension, number[]>> = {};
    const undated: Partial<Record<Dimension, number>> = {};
    for (const dimension of DIMENSIONS) {
      const times = new Float64Array(this.#firsts[dimension]).sort();
      const datedCount = times.indexOf(Infinity);
      counts[dimension] = countsAt(at, times);
      undated[dimension] = datedCount < 0 ? 0 : times.length - datedCount;
    }
    return {
      at,
      ...counts as Record<Dimension, number[]>,
      undated: undated as Record<Dimension, number>,
    };
  }
}

/** Returns all moments at which an item was first covered, or evenly spaced moments if those are too many. */
function pickMoments(firsts: readonly number[][], firstAt: number, lastAt: number): number[] {
  const moments = new Set([firstAt, lastAt]);
  for (const times of firsts) {
    for (const time of times) {
      if (time !== Infinity) moments.add(time);
      if (moments.size > MAX_POINTS) {
        const step = (lastAt - firstAt) / (MAX_POINTS - 1);
        const spread = Array.from({ length: MAX_POINTS - 1 }, (_, index) => firstAt + index * step);
        return [...spread, lastAt];
      }
    }
  }
  return [...moments].sort((left, right) => left - right);
}

/** Returns how many of the sorted times are at or before each moment. */
function countsAt(moments: readonly number[], times: Float64Array): number[] {
  let count = 0;
  return moments.map((moment) => {
    while (count < times.length && (times[count] as number) <= moment) count++; // the index is below the length
    return count;
  });
}
