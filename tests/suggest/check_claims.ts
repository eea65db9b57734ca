import assert from "node:assert/strict";
import type { CoverageMap, Gap, Suggestion } from "../../mod.ts";

/** Value classes that requests have shown, by place. A schema of text and numbers may have `between` twice. */
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

/** Value classes in gaps. */
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

/** Keyword outcomes in gaps. */
export function keywordsIn(gaps: readonly Gap[]): string[] {
  return gaps.flatMap((gap) => gap.kind === "keyword_uncovered" ? [outcomeKey(gap)] : []).sort();
}

/** Keyword outcomes that requests can show but haven't shown yet. */
export function openKeywords(map: CoverageMap): string[] {
  return map.uncoveredKeywords().filter(({ satisfiability }) => satisfiability === "Normal")
    .map(outcomeKey).sort();
}

/**
 * Records suggestions in sequence: each must show the value classes that it claims, and no other new ones.
 *
 * @param onlyValues True for suggestions that only claim values; all others must also close exactly the keywords that
 * they claim.
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
