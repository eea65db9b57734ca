import type { Json } from "../values/json.ts";
import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import { coveredOperations } from "./coverage.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import type { Hits } from "./hits.ts";
import type { Gap, UncoveredKeyword } from "./results.ts";

/** Everything that was never sent or never came back, in the order of the document (semantics, section 8). */
export function gaps(plan: CoveragePlan, hits: Hits): Gap[] {
  const found: Gap[] = [];
  for (const operation of coveredOperations(plan, hits)) addGaps(operation, found);
  return found;
}

/** Adds the gaps of one operation to a list. */
export function addGaps(operation: CoveredOperation, found: Gap[]): void {
  const { method, path, responses } = operation.plan.model;
  if (operation.hits === undefined) found.push({ kind: "operation_uncovered", method, path });
  for (const parameter of operation.parameters) addParameterGaps(method, path, parameter, found);
  for (let index = 0; index < responses.length; index++) {
    if (operation.hits?.responses[index] !== undefined) continue;
    const response = responses[index];
    if (response === undefined) continue;
    found.push({ kind: "response_uncovered", method, path, status_code: response.status_code });
  }
}

function addParameterGaps(
  method: string,
  path: string,
  { plan, hits, keywords, examples }: CoveredParameter,
  found: Gap[],
): void {
  const { location, name: parameter } = plan.model;
  if (hits === undefined) {
    found.push({ kind: "parameter_uncovered", method, path, location, parameter });
    return;
  }
  const addKeyword = (schema_path: string, state: "valid" | "invalid") =>
    found.push({
      kind: "keyword_uncovered",
      method,
      path,
      location,
      parameter,
      schema_path,
      state,
    });
  for (const { schema_path, satisfiability, valid, invalid } of keywords) {
    if (satisfiability !== "Normal") continue;
    if (valid === 0) addKeyword(schema_path, "valid");
    if (invalid === 0) addKeyword(schema_path, "invalid");
  }
  for (const { schema_path, value, hits } of examples) {
    if (hits > 0) continue;
    found.push({
      kind: "example_uncovered",
      method,
      path,
      location,
      parameter,
      schema_path,
      value: value as Json,
    });
  }
}

/** Keywords that lack a kind that they can show: one entry for each, parameters never hit included. */
export function uncoveredKeywords(plan: CoveragePlan, hits: Hits): UncoveredKeyword[] {
  const found: UncoveredKeyword[] = [];
  for (const operation of coveredOperations(plan, hits)) {
    const { method, path } = operation.plan.model;
    for (const { plan, hits, keywords } of operation.parameters) {
      const of = { method, path, location: plan.model.location, parameter: plan.model.name };
      const listed = hits === undefined
        ? plan.inventory.keywords.map(({ schema_path, satisfiability }) => ({
          schema_path,
          satisfiability,
          valid: 0,
          invalid: 0,
        }))
        : keywords;
      for (const { schema_path, satisfiability, valid, invalid } of listed) {
        if (valid === 0 && satisfiability !== "Negative") {
          found.push({ ...of, schema_path, state: "valid", satisfiability });
        }
        if (invalid === 0 && satisfiability !== "Positive") {
          found.push({ ...of, schema_path, state: "invalid", satisfiability });
        }
      }
    }
  }
  return found;
}
