import type { Json } from "../values/json.ts";
import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import { coveredOperations } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { GapIds } from "./gap_ids.ts";
import type { Hits } from "./hits.ts";
import type { Gap, UncoveredKeyword } from "./results.ts";
import { areValuesCounted, uncoveredClasses } from "./value_coverage.ts";

/** Returns everything that was never sent or never returned, in document order (semantics, section 8). */
export function gaps(plan: CoveragePlan, hits: Hits, exclusions?: Exclusions): Gap[] {
  const gaps: Gap[] = [];
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    addGaps(operation, hits, plan.gapIds, gaps, areValuesCounted(plan, hits));
  }
  return gaps;
}

type Answers = Pick<Hits, "answered" | "recorded">;

/** Adds the gaps of one operation. Gaps of values are optional, as there are as many of them as of all other kinds. */
export function addGaps(
  operation: CoveredOperation,
  traffic: Answers,
  ids: GapIds,
  gaps: Gap[],
  withValues: boolean,
): void {
  const { method, path } = operation.plan.model;
  if (operation.excluded !== undefined) return;
  const add = (gap: Gap): void => {
    gaps.push({ id: ids.id(gap), ...gap });
  };
  if (operation.hits === undefined) add({ kind: "operation_uncovered", method, path });
  for (const parameter of operation.parameters) {
    addParameterGaps(operation, parameter, withValues, add);
  }
  uncoveredResponses(operation, traffic).forEach(add);
}

/** If none of the traffic has a response, responses are not measured and have no gaps. */
export function uncoveredResponses(
  { plan, hits, excludedResponses }: CoveredOperation,
  traffic: Answers,
): Gap[] {
  if (traffic.answered === 0 && traffic.recorded > 0) return [];
  const { method, path, responses } = plan.model;
  return responses.flatMap(({ status_code }, index): Gap[] =>
    hits?.responses[index] !== undefined || excludedResponses[index] !== undefined
      ? []
      : [{ kind: "response_uncovered", method, path, status_code }]
  );
}

function addParameterGaps(
  operation: CoveredOperation,
  covered: CoveredParameter,
  withValues: boolean,
  add: (gap: Gap) => void,
): void {
  const { plan, hits, keywords, examples, excluded, measured } = covered;
  if (excluded !== undefined || !measured) return;
  const { method, path } = operation.plan.model;
  const { location, name: parameter } = plan.model;
  const subject = { method, path, location, parameter };
  if (hits === undefined) {
    add({ kind: "parameter_uncovered", ...subject });
    return;
  }
  const addKeyword = (schema_path: string, state: "valid" | "invalid"): void =>
    add({ kind: "keyword_uncovered", ...subject, schema_path, state });
  for (const { schema_path, satisfiability, valid, invalid, excluded } of keywords) {
    if (satisfiability !== "Normal" || excluded !== undefined) continue;
    if (valid === 0) addKeyword(schema_path, "valid");
    if (invalid === 0) addKeyword(schema_path, "invalid");
  }
  for (const { schema_path, value, hits, excluded } of examples) {
    if (hits > 0 || excluded !== undefined) continue;
    add({ kind: "example_uncovered", ...subject, schema_path, value: value as Json });
  }
  if (!withValues) return;
  for (const { name } of uncoveredClasses(operation, covered)) {
    add({ kind: "value_uncovered", ...subject, ...name });
  }
}

/** Returns keywords that lack valid or invalid values that are possible, including those of parameters never hit. */
export function uncoveredKeywords(
  plan: CoveragePlan,
  hits: Hits,
  exclusions?: Exclusions,
): UncoveredKeyword[] {
  const found: UncoveredKeyword[] = [];
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    const { method, path } = operation.plan.model;
    for (
      const { plan, hits, keywords, excluded, innerExclusions, measured } of operation.parameters
    ) {
      if (excluded !== undefined || !measured) continue;
      const subject = { method, path, location: plan.model.location, parameter: plan.model.name };
      const keywordStates = hits === undefined
        ? plan.inventory.keywords
          .filter((entry) => innerExclusions?.keyword(entry) === undefined)
          .map(({ schema_path, satisfiability }) => ({
            schema_path,
            satisfiability,
            valid: 0,
            invalid: 0,
          }))
        : keywords.filter((keyword) => keyword.excluded === undefined);
      for (const { schema_path, satisfiability, valid, invalid } of keywordStates) {
        if (valid === 0 && satisfiability !== "Negative") {
          found.push({ ...subject, schema_path, state: "valid", satisfiability });
        }
        if (invalid === 0 && satisfiability !== "Positive") {
          found.push({ ...subject, schema_path, state: "invalid", satisfiability });
        }
      }
    }
  }
  return found;
}
