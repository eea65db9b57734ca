import type { CoveredOperation } from "../map/coverage.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import { CarriedValues, SharedValues } from "./carried_values.ts";
import type { OperationGoals } from "./goals.ts";
import { OperationSuggester } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { credentialsOf } from "./request/credentials.ts";
import { ValueMaker } from "./values/value_maker.ts";

/** Prepares the search for requests of one operation, which are sent to a server. */
export type SuggesterMaker = (
  operation: CoveredOperation,
  goals: OperationGoals,
  server: string,
) => OperationSuggester;

/** Prepares the search for requests of any operation; all of them share the values that were made. */
export function suggesterMaker(plan: CoveragePlan, recorded?: RecordedRequests): SuggesterMaker {
  const shared = new SharedValues(new ValueMaker(plan.program.causeFinder));
  return (operation, goals, server) => {
    const { index, model } = operation.plan;
    const { method, path } = model;
    const frame = { method, path, server, credentials: credentialsOf(model) };
    const values = new CarriedValues(shared, operation.plan);
    return new OperationSuggester(plan, operation, goals, values, frame, recorded?.of(index));
  };
}
