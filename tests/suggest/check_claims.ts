import assert from "node:assert/strict";
import type { CoverageMap, Gap, Suggestion } from "../../mod.ts";

/** The classes that requests have shown, by their places: a schema of texts and numbers may have `between` twice. */
function shownIn(map: CoverageMap): string[] {
  return map.report().operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ location, values = [] }) =>
      values.filter(({ hits }) => hits > 0).map((one) => classKey({ location, ...one }))
    )
  );
}

function classKey(
  { location, schema_path, class: name, value }: {
    readonly location: string;
    readonly schema_path: string;
    readonly class: string;
    readonly value?: unknown;
  },
): string {
  return `${location} ${schema_path} ${name} ${name === "boolean" ? value : ""}`;
}

/** The classes of values among gaps. */
export function classesIn(gaps: readonly Gap[]): string[] {
  return gaps.flatMap((gap) => gap.kind === "value_uncovered" ? [classKey(gap)] : []).sort();
}

interface KeywordOutcome {
  readonly location: string;
  readonly schema_path: string;
  readonly state: string;
}

const outcomeKey = ({ location, schema_path, state }: KeywordOutcome): string =>
  `${location} ${schema_path} ${state}`;

/** The outcomes of keywords among gaps. */
export function keywordsIn(gaps: readonly Gap[]): string[] {
  return gaps.flatMap((gap) => gap.kind === "keyword_uncovered" ? [outcomeKey(gap)] : []).sort();
}

/** The outcomes of keywords that no request has shown yet, of those that requests can show. */
export function openKeywords(map: CoverageMap): string[] {
  return map.uncoveredKeywords().filter(({ satisfiability }) => satisfiability === "Normal")
    .map(outcomeKey).sort();
}

/**
 * Records suggestions one after the other: each shows the classes of values that it claims, and no others that are new.
 *
 * @param onlyValues True for suggestions that were asked for values alone, which claim no keywords; all others close the
 * keywords that they claim, and no more.
 */
export function checkClaims(
  map: CoverageMap,
  requests: readonly Suggestion[],
  onlyValues = false,
): void {
  let open = openKeywords(map);
  let before = shownIn(map);
  for (const { request, closes } of requests) {
    map.record({ ...request, headers: { host: "localhost", ...request.headers } });
    const left = openKeywords(map);
    if (!onlyValues) {
      assert.deepEqual(keywordsIn(closes), open.filter((gap) => !left.includes(gap)));
    }
    open = left;
    const shown = shownIn(map);
    const added = [...shown];
    for (const one of before) added.splice(added.indexOf(one), 1);
    assert.deepEqual(classesIn(closes), added.sort());
    before = shown;
  }
}
