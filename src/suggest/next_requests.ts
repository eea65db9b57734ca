import { coveredOperations } from "../map/coverage.ts";
import type { CoveragePlan } from "../map/coverage_plan.ts";
import type { Exclusions } from "../map/exclusions.ts";
import type { Hits } from "../map/hits.ts";
import { samePaths } from "../map/same_paths.ts";
import { OperationGoals } from "./goals.ts";
import type { OperationSuggester } from "./operation_suggester.ts";
import type { RecordedRequests } from "./recorded_requests.ts";
import { serverOf } from "./request/server_url.ts";
import { GAP_KINDS } from "./suggest_requests.ts";
import { suggesterMaker } from "./suggester_maker.ts";
import type { NextRequests, Suggestion } from "./suggestion.ts";

/** The placeholder of a server that nothing names. */
export const SERVER_PLACEHOLDER = "$SERVER";

/** Stands for the placeholder while requests are tried; such a host never exists (RFC 2606, section 2). */
const NO_HOST = "http://server.invalid";

/** The effort for requests with everything in them, in the unit of {@linkcode OperationSuggester.effort}. */
const WHOLE_EFFORT = 60;
/** The effort for requests that close what these leave open. */
const PART_EFFORT = 100;

/** An API with more open operations gets a part of the effort: each of its schemas is compiled for the first time. */
const FEW_OPERATIONS = 100;
const PART_FOR_MANY = 0.25;

/** Operations with more open are left out: trying a request takes as long as its schemas are large. */
const MAX_GOALS = 1000;

/** An operation that is being searched. */
interface Searched {
  readonly suggester: OperationSuggester;
  readonly isWithoutServer: boolean;
}

/**
 * Finds requests that close gaps with a bounded effort, for reports: of the operations with most gaps first those that
 * close most, then those for the rest. Each was recorded before, as those of `suggestRequests()`.
 *
 * @param gapsOf The number of gaps that requests could close, by the index of the operation.
 */
export function nextRequests(
  plan: CoveragePlan,
  hits: Hits,
  exclusions: Exclusions | undefined,
  gapsOf: readonly number[],
  recorded?: RecordedRequests,
): NextRequests {
  const suggesterFor = suggesterMaker(plan, recorded);
  const kinds = new Set(GAP_KINDS);
  const same = samePaths(plan.operations.map(({ model }) => model));
  const open = [...coveredOperations(plan, hits, exclusions)]
    .filter(({ excluded, plan: { index, model } }) =>
      excluded === undefined && (gapsOf[index] ?? 0) > 0 && !same.has(model)
    )
    .sort((one, other) => (gapsOf[other.plan.index] ?? 0) - (gapsOf[one.plan.index] ?? 0));
  const searched: Searched[] = [];
  const part = open.length <= FEW_OPERATIONS ? 1 : PART_FOR_MANY;
  let effort = 0;
  let complete = true;
  for (const operation of open) {
    if (effort >= WHOLE_EFFORT * part) {
      complete = false;
      break;
    }
    const goals = new OperationGoals(operation, kinds);
    if (goals.all.length === 0) continue;
    if (goals.all.length > MAX_GOALS) {
      complete = false;
      continue;
    }
    const { model } = operation.plan;
    // The first server of a description is often the one of production: nobody asked for requests to that.
    const known = recorded?.server;
    const server = known ?? NO_HOST + pathOf(serverOf(model, plan, NO_HOST));
    const suggester = suggesterFor(operation, goals, server);
    suggester.tryWhole();
    effort += suggester.effort;
    searched.push({ suggester, isWithoutServer: known === undefined });
  }
  let left = PART_EFFORT * part;
  for (const { suggester } of searched.toSorted(byClosed)) {
    if (left <= 0) {
      complete = false;
      break;
    }
    const before = suggester.effort;
    suggester.tryParts(left);
    left -= suggester.effort - before;
  }
  const requests = searched.flatMap(({ suggester, isWithoutServer }) =>
    isWithoutServer ? suggester.chosen().map(withPlaceholder) : suggester.chosen()
  );
  requests.sort((one, other) => other.closes.length - one.closes.length);
  return { requests, complete };
}

/** The path of a server's URL, without a slash at its end. */
function pathOf(server: string | undefined): string {
  return server === undefined ? "" : new URL(server).pathname.replace(/\/+$/, "");
}

/** Those whose best request closes most first. */
function byClosed(one: Searched, other: Searched): number {
  return mostClosed(other) - mostClosed(one);
}

function mostClosed({ suggester }: Searched): number {
  return suggester.chosen()[0]?.closes.length ?? 0;
}

/** Names the server by a placeholder. */
function withPlaceholder(suggestion: Suggestion): Suggestion {
  const { request, placeholders } = suggestion;
  return {
    ...suggestion,
    request: { ...request, url: request.url.replace(NO_HOST, () => SERVER_PLACEHOLDER) },
    placeholders: [SERVER_PLACEHOLDER, ...placeholders],
  };
}
