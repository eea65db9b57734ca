import type { CoveredOperation, CoveredParameter } from "./coverage.ts";
import { type CoveragePlan, mayHaveBody } from "./coverage_plan.ts";
import type { CoveredResponse } from "./response_coverage.ts";
import { type DocumentedLink, linkKey } from "./link_plan.ts";
import type { Exclusions } from "./exclusions.ts";
import type { Hits } from "./hits.ts";
import type { OperationHits } from "./operation_hits.ts";
import type { TclCount, TclCriterion, TestCoverageLevel } from "./results.ts";
import { sumCounts } from "./statistic.ts";
import { areValuesCounted, countedValues, countListedValues } from "./value_coverage.ts";

/** The criteria that each level adds to the previous one (Martin-Lopez, Segura and Ruiz-Cortés, A-TEST 2019). */
const LEVELS: readonly (readonly TclCriterion[])[] = [
  [],
  ["paths"],
  ["operations"],
  ["request_content_types", "response_content_types"],
  ["parameters", "status_code_classes"],
  ["parameter_values", "status_codes"],
  ["response_properties"],
  ["operation_flows"],
];

const CRITERIA: readonly TclCriterion[] = LEVELS.flat();

const NULL_IF_UNMEASURED: readonly TclCriterion[] = ["response_properties", "operation_flows"];

interface Count {
  readonly covered: number;
  readonly total: number;
  /** Items for which the traffic can't show whether they are covered. */
  readonly unknown: number;
}

type Counts = Readonly<Record<TclCriterion, Count>>;

const NOTHING: Count = { covered: 0, total: 0, unknown: 0 };
const NOT_MEASURED: Count = { covered: 0, total: 1, unknown: 1 };

/** Computes test coverage levels (semantics, section 9). A level requires all criteria up to its own. */
export class TestCoverageLevels {
  readonly #measured: boolean;
  readonly #countsValues: boolean;
  readonly #calledPaths: ReadonlySet<string>;
  readonly #paths = new Set<string>();
  readonly #hasPaths: boolean;
  readonly #links: readonly DocumentedLink[];
  #sum: Counts = countEach(() => NOTHING);

  constructor(plan: CoveragePlan, hits: Hits, exclusions?: Exclusions) {
    const { operations, model, links } = plan;
    this.#measured = hits.answered > 0;
    this.#countsValues = areValuesCounted(plan, hits);
    this.#hasPaths = model.hasPaths;
    this.#links = links;
    const called = operations.filter((operation) =>
      hits.operations[operation.index] !== undefined &&
      exclusions?.operation(operation).operation === undefined
    );
    this.#calledPaths = new Set(called.map(({ model }) => model.path));
  }

  /** Adds an operation and returns its own level. `contents` are the bodies of its responses, if any were recorded. */
  add(
    operation: CoveredOperation,
    contents?: readonly CoveredResponse[],
  ): TestCoverageLevel | undefined {
    if (operation.excluded !== undefined) return undefined;
    const { path } = operation.plan.model;
    const paths = count(this.#calledPaths.has(path));
    const counts = {
      ...operationCounts(operation, this.#measured, contents, this.#countsValues),
      operation_flows: this.#countFlows(operation, contents !== undefined),
      paths,
    };
    const total = this.#sum;
    const isNew = !this.#paths.has(path);
    this.#paths.add(path);
    this.#sum = countEach((criterion) =>
      criterion === "operation_flows" && this.#links.length === 0
        ? NOT_MEASURED // links belong to the API as a whole
        : criterion === "paths" && !isNew
        ? total.paths
        : sum([total[criterion], counts[criterion]])
    );
    return reachedLevel(counts);
  }

  /** Counts links: without any, the description defines no flows. */
  #countFlows({ plan, hits, excludedResponses }: CoveredOperation, measured: boolean): Count {
    if (this.#links.length === 0) return NOT_MEASURED;
    const links = this.#links.filter(({ operation, response }) =>
      operation === plan.index && excludedResponses[response] === undefined
    );
    const keys = links.map(({ response, name }) =>
      linkKey(plan.model.responses[response]?.status_code ?? "", name)
    );
    const covered = keys.filter((key) => hits?.links.has(key)).length;
    return { covered, total: keys.length, unknown: measured ? 0 : keys.length - covered };
  }

  /** Returns the level of all operations together; 0 if there are paths but none of their operations can be counted. */
  level(): TestCoverageLevel {
    if (this.#hasPaths && this.#paths.size === 0) {
      return { level: 0, missing: ["paths"], not_measured: [] };
    }
    return reachedLevel(this.#sum);
  }

  /** Returns the criteria for all operations together, in the order of the levels. */
  criteria(): TclCount[] {
    return CRITERIA.map((criterion) => {
      const { covered, total, unknown } = this.#sum[criterion];
      const isCounted = unknown < total || total === 0 || !NULL_IF_UNMEASURED.includes(criterion);
      return {
        criterion,
        level: LEVELS.findIndex((criteria) => criteria.includes(criterion)),
        covered: isCounted ? covered : null,
        total: isCounted ? total : null,
        measured: unknown === 0,
      };
    });
  }
}

function reachedLevel(counts: Counts): TestCoverageLevel {
  const isOpen = (criterion: TclCriterion) => {
    const { covered, total } = counts[criterion];
    return covered < total;
  };
  const next = LEVELS.findIndex((criteria) => criteria.some(isOpen));
  const openCriteria = (LEVELS[next] ?? []).filter(isOpen);
  const isCertainlyOpen = (criterion: TclCriterion) => {
    const { covered, total, unknown } = counts[criterion];
    return covered + unknown < total;
  };
  return {
    level: next < 0 ? LEVELS.length - 1 : next - 1,
    missing: openCriteria.filter(isCertainlyOpen),
    not_measured: openCriteria.filter((criterion) => !isCertainlyOpen(criterion)),
  };
}

function countEach(countCriterion: (criterion: TclCriterion) => Count): Counts {
  return Object.fromEntries(
    CRITERIA.map((criterion) => [criterion, countCriterion(criterion)]),
  ) as Counts; // `CRITERIA` has all criteria
}

function count(isCovered: boolean): Count {
  return { covered: isCovered ? 1 : 0, total: 1, unknown: 0 };
}

function operationCounts(
  operation: CoveredOperation,
  measured: boolean,
  contents: readonly CoveredResponse[] | undefined,
  countsValues: boolean,
): Omit<Counts, "paths" | "operation_flows"> {
  const { plan: { model }, hits, excludedResponses } = operation;
  const isCounted = (index: number) => excludedResponses[index] === undefined;
  const parameters = operation.parameters.filter(({ excluded }) => excluded === undefined);
  const responses = model.responses.filter((_, index) => isCounted(index));
  const isReturned = (index: number) => hits?.responses[index] !== undefined;
  const documented = model.responses.flatMap(({ status_code, mediaTypes = [] }, index) => {
    if (!isCounted(index)) return [];
    const types = mayHaveBody(model.method, status_code) ? mediaTypes : [];
    return [{ mediaTypes: types, isReturned: isReturned(index), content: contents?.[index] }];
  });
  const statuses = sum(documented.map(({ isReturned }) => count(isReturned)));
  const hasBodies = documented.some(({ mediaTypes }) => mediaTypes.length > 0);
  const ifMeasured = (counts: Count) =>
    measured ? counts : { covered: 0, total: counts.total, unknown: counts.total };
  return {
    operations: count(hits !== undefined),
    request_content_types: sum(parameters.map(requestContentTypes)),
    response_content_types: ifMeasured(responseContentTypes(documented)),
    parameters: sum(
      parameters.map(({ hits, measured }) => measured ? count(hits !== undefined) : NOT_MEASURED),
    ),
    status_code_classes: ifMeasured(statusCodeClasses(responses, hits)),
    parameter_values: sum(parameters.map((parameter) => parameterValues(parameter, countsValues))),
    status_codes: ifMeasured(statuses),
    response_properties: contents !== undefined
      ? sum(documented.map(({ content }) => responseProperties(content)))
      : hasBodies
      ? NOT_MEASURED
      : NOTHING,
  };
}

function sum(counts: readonly Count[]): Count {
  return sumCounts(counts, NOTHING);
}

/** In Swagger 2.0, one body has all media types of `consumes`, and covtool doesn't count which of them were sent. */
function requestContentTypes({ plan: { model }, hits, measured }: CoveredParameter): Count {
  if (model.location !== "body") return NOTHING;
  const total = Math.max(1, new Set(model.consumes).size);
  if (!measured) return { covered: 0, total, unknown: total };
  if (hits === undefined) return { covered: 0, total, unknown: 0 };
  return total === 1 ? count(true) : { covered: 0, total, unknown: total };
}

interface DocumentedResponse {
  readonly mediaTypes: readonly string[];
  readonly isReturned: boolean;
  readonly content: CoveredResponse | undefined;
}

/** A returned response covers its media type if only one is documented; otherwise, recorded bodies decide. */
function responseContentTypes(responses: readonly DocumentedResponse[]): Count {
  const documentedTypes = new Set<string>();
  const seenTypes = new Set<string>();
  const possibleTypes = new Set<string>();
  for (const { mediaTypes, isReturned, content } of responses) {
    for (const type of mediaTypes) documentedTypes.add(type);
    if (!isReturned) continue;
    const parts = content?.mediaTypes.filter(({ hits, plan }) =>
      hits !== undefined && mediaTypes.includes(plan.model.name)
    ) ?? [];
    const [only, ...others] = mediaTypes;
    if (only !== undefined && others.length === 0) {
      seenTypes.add(only);
    }
    for (const { plan } of parts) {
      seenTypes.add(plan.model.name);
    }
    for (const type of parts.length === 0 ? mediaTypes : []) {
      possibleTypes.add(type);
    }
  }
  const unknown = [...possibleTypes].filter((type) => !seenTypes.has(type)).length;
  return { covered: seenTypes.size, total: documentedTypes.size, unknown };
}

function responseProperties(content: CoveredResponse | undefined): Count {
  return sum(content?.mediaTypes.map((part) => ({ ...part.properties(), unknown: 0 })) ?? []);
}

/** Counts success, unless only errors are documented, and 4xx if such a status is documented. */
function statusCodeClasses(
  responses: readonly { readonly status_code: string }[],
  hits: OperationHits | undefined,
): Count {
  const isError = ({ status_code }: { readonly status_code: string }) => /^[45]/.test(status_code);
  const classes: Count[] = [];
  if (responses.length === 0 || !responses.every(isError)) {
    classes.push(count(hits !== undefined && hits.succeeded > 0));
  }
  if (responses.some(({ status_code }) => status_code.startsWith("4"))) {
    classes.push(count(hits !== undefined && hits.refused > 0));
  }
  return sum(classes);
}

function parameterValues(parameter: CoveredParameter, countsValues: boolean): Count {
  const { plan: { model }, hits, measured } = parameter;
  if (model.location === "body" && countsValues) {
    const { seen, total } = countListedValues(parameter);
    return { covered: measured ? seen : 0, total, unknown: measured ? 0 : total };
  }
  const { length: total } = countedValues(parameter);
  const covered = total === 0 ? 0 : hits?.values?.filter((hit) => hit > 0).length ?? 0;
  return { covered, total, unknown: measured ? 0 : total };
}
