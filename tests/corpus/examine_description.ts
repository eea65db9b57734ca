import { coveredOperations } from "../../src/map/coverage.ts";
import { CoveragePlan, type OperationPlan } from "../../src/map/coverage_plan.ts";
import { Hits } from "../../src/map/hits.ts";
import type { ParameterHits } from "../../src/map/operation_hits.ts";
import { parameterCounts } from "../../src/map/operation_hits.ts";
import type { ParameterPlan } from "../../src/map/parameter_plan.ts";
import { addStatistics, operationStatistic, statistic } from "../../src/map/statistic.ts";
import { escapeToken } from "../../src/values/json_pointer.ts";
import { loadFromDict } from "../../src/openapi/load.ts";
import { createReferences, readModel } from "../../src/openapi/read_model.ts";
import { Recorder } from "../../src/record/recorder.ts";
import { isDeepStrictEqual } from "node:util";
import stringWidth from "string-width";
import { generateHtmlReport } from "../../src/report/html_report.ts";
import { generateJsonReport } from "../../src/report/json_report.ts";
import { generateTextReport } from "../../src/report/text_report.ts";
import { buildReport } from "../../src/report/build/build_report.ts";
import { randomFrom } from "./random.ts";
import { type Raw, type RawOperation, rawOperations } from "./raw_description.ts";
import { listedClasses, NaiveSchemas } from "../property/naive_schemas.ts";
import { reportProblems } from "./report_problems.ts";
import { whyNoBody, whyNotCarried, whyNotHit } from "./reasons.ts";
import { sendResponses } from "./send_responses.ts";
import { writeRequest } from "./write_request.ts";

/** A problem, or an exception from what should hold. */
export interface Finding {
  /** Kind of problem: `operation not hit`, … */
  readonly kind: string;
  /** Place and details. */
  readonly text: string;
  /** Reason for an exception; undefined for a problem. */
  readonly reason?: string | undefined;
}

/** The result of examining a description. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** Number of its operations. */
  readonly operations: number;
  /** Number of parameters in its operations. */
  readonly parameters: number;
  /** Number of recorded responses with a body. */
  readonly answered: number;
  /** Number of counters that were compared with the list. */
  readonly counters: number;
  /** Number of bodies whose keywords were counted again independently. */
  readonly recounted: number;
  /** True if its report was made and checked. */
  readonly reported: boolean;
}

/** How thoroughly a description is examined. */
export interface ExamineOptions {
  /** Maximum number of listed keywords. */
  readonly keywords: number;
  /** Maximum number of recorded requests with odd values. */
  readonly oddRequests: number;
}

type Add = (kind: string, text: string, reason?: string) => void;

const OK = { status_code: 200, elapsed: 0.01 };

/** Loads a description, sends requests to all its parts, and compares the counts with the description. */
export function examineDescription(name: string, raw: Raw, options: ExamineOptions): Examination {
  const findings: Finding[] = [];
  const add: Add = (kind, text, reason) => {
    findings.push({ kind, text, reason });
  };
  const documents = loadFromDict(raw, name);
  const references = createReferences(documents);
  const plan = new CoveragePlan(readModel(documents, references), documents, references);
  const hits = new Hits();
  const recorder = new Recorder(plan, hits);
  const operations = rawOperations(raw);
  const planned = new Map(plan.operations.map((operation) => [label(operation.model), operation]));

  compareShape(planned, operations, add);
  const recounted = compareKeywords(raw, planned, operations, add);
  sendFitting(name, raw, operations, planned, plan.routes.duplicates, hits, recorder, add);
  sendOdd(name, raw, operations, recorder, options.oddRequests);
  const answered = sendResponses(name, raw, operations, recorder);
  const { counters, complete } = compareCounters(plan, hits, options.keywords, add);
  if (complete) compareReport(plan, hits, add);
  const totals = statistic(plan, hits);
  if (hits.unmatched.total > 0) {
    for (const { method, path, reason } of hits.unmatched.list()) {
      add("unmatched", `${method} ${path} ${reason}`);
    }
  }
  return {
    findings,
    operations: totals.operations.total,
    parameters: totals.parameters.total,
    answered,
    counters,
    recounted,
    reported: complete,
  };
}

function label({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** Counts operations, parameters and responses independently. */
function compareShape(
  planned: ReadonlyMap<string, OperationPlan>,
  operations: readonly RawOperation[],
  add: Add,
): void {
  if (planned.size !== operations.length) {
    add("number of operations", `${planned.size}, counted ${operations.length}`);
  }
  for (const operation of operations) {
    const found = planned.get(label(operation));
    if (found === undefined) {
      add("operation not counted", label(operation));
      continue;
    }
    const counted = operation.parameters.length + operation.bodies.length;
    if (found.parameters.length !== counted) {
      const names = found.parameters.map(({ model }) => `${model.in} ${model.name}`).join(", ");
      add(
        "number of parameters",
        `${label(operation)}: ${found.parameters.length}, counted ${counted}; it has ${names}`,
      );
    }
    if (found.model.responses.length !== operation.responses) {
      add(
        "number of responses",
        `${label(operation)}: ${found.model.responses.length}, counted ${operation.responses}`,
      );
    }
  }
}

const RECOUNTED_BODIES = 100;
/** Listing value classes independently takes minutes for descriptions with more operations. */
const LISTED_OPERATIONS = 200;

/** Counts keywords of JSON bodies independently, for OpenAPI 3.0, which most descriptions use. */
function compareKeywords(
  raw: Raw,
  planned: ReadonlyMap<string, OperationPlan>,
  operations: readonly RawOperation[],
  add: Add,
): number {
  if (!String(raw["openapi"]).startsWith("3.0")) return 0;
  const schemas = new NaiveSchemas(raw);
  let recounted = 0;
  for (const operation of operations) {
    for (const { mediaType, schema } of operation.bodies) {
      if (recounted === RECOUNTED_BODIES) return recounted;
      const parameter = planned.get(label(operation))?.parameters.find(({ model }) =>
        model.location === "body" && model.name === mediaType
      );
      if (!mediaType.startsWith("application/json") || parameter?.positions[0]?.json !== true) {
        continue;
      }
      recounted++;
      const counted = schemas.count(schema);
      const listed = parameter.inventory.keywords.length;
      const normal = parameter.totals.keywords;
      if (operations.length <= LISTED_OPERATIONS) {
        const place = bodyPointer(raw, operation, mediaType);
        const [own, other] = [listedClasses(parameter), schemas.classes(schema, place)];
        if (!isDeepStrictEqual(own, other)) {
          const only = (some: string[], others: string[]) =>
            some.filter((line) => !others.includes(line)).slice(0, 3);
          add(
            "classes of values",
            `${label(operation)}: ${own.length} and ${other.length}; listed only: ` +
              `${only(own, other)}; otherwise only: ${only(other, own)}`,
          );
        }
      }
      if (listed === counted.listed && normal === counted.normal) continue;
      add(
        "number of keywords",
        `${label(operation)}: ${listed} listed, ${normal} Normal; ` +
          `counted ${counted.listed} and ${counted.normal}`,
      );
    }
  }
  return recounted;
}

/** The pointer of a body's schema. */
function bodyPointer(raw: Raw, { method, path }: RawOperation, mediaType: string): string {
  const name = method.toLowerCase();
  const reference = (raw as Record<string, Record<string, Record<string, Record<string, Raw>>>>)[
    "paths"
  ]?.[path]?.[name]?.["requestBody"]?.["$ref"];
  const place = typeof reference === "string"
    ? reference.slice(1)
    : `/paths/${escapeToken(path)}/${name}/requestBody`;
  return `${place}/content/${escapeToken(mediaType)}/schema`;
}

/** Sends a request for each media type of each operation, and returns what wasn't counted as expected. */
function sendFitting(
  name: string,
  raw: Raw,
  operations: readonly RawOperation[],
  planned: ReadonlyMap<string, OperationPlan>,
  same: ReadonlyMap<number, number>,
  hits: Hits,
  recorder: Recorder,
  add: Add,
): void {
  const random = randomFrom(name);
  for (const operation of operations) {
    const plan = planned.get(label(operation));
    if (plan === undefined || same.has(plan.index)) continue;
    for (const body of operation.bodies.length === 0 ? [undefined] : operation.bodies) {
      const request = writeRequest(raw, operation, { random, oddness: 0, body });
      const before = hits.operations[plan.index]?.hits ?? 0;
      recorder.record(request, OK);
      if (hits.operations[plan.index]?.hits !== before + 1) {
        add("not hit", `${label(operation)} by ${request.url}`, whyNotHit(operation, operations));
      }
    }
    if (hits.operations[plan.index] === undefined) continue;
    plan.parameters.forEach(({ model }, index) => {
      if (hits.operations[plan.index]?.parameters[index] !== undefined) return;
      const reason = model.location === "body"
        ? whyNoBody(model.name)
        : whyNotCarried(model.in, model.name, operation.path);
      add("parameter not hit", `${label(operation)}: ${model.in} ${model.name}`, reason);
    });
  }
}

/** Sends requests with many invalid values. */
function sendOdd(
  name: string,
  raw: Raw,
  operations: readonly RawOperation[],
  recorder: Recorder,
  count: number,
): void {
  if (operations.length === 0) return;
  const random = randomFrom(`odd ${name}`);
  for (let index = 0; index < count; index++) {
    const operation = random.pick(operations);
    const body = operation.bodies.length === 0 ? undefined : random.pick(operation.bodies);
    const oddness = random.pick([2, 4, 12]);
    recorder.record(writeRequest(raw, operation, { random, oddness, body }), OK);
  }
}

/** Checks that only listed and possible counts occur, and that totals equal the lists. */
function compareCounters(
  plan: CoveragePlan,
  hits: Hits,
  keywords: number,
  add: Add,
): { readonly counters: number; readonly complete: boolean } {
  const visited = new Set<ParameterPlan>();
  let [counters, budget, complete] = [0, keywords, true];
  for (const operation of plan.operations) {
    operation.parameters.forEach((parameter, index) => {
      const total = parameter.totals.keywords;
      if (budget < total) {
        complete = false;
        return;
      }
      budget -= total;
      const place = `${label(operation.model)}: ${parameter.model.in} ${parameter.model.name}`;
      if (!visited.has(parameter)) compareTotals(parameter, place, add);
      visited.add(parameter);
      const found = hits.operations[operation.index]?.parameters[index];
      if (found !== undefined) counters += compareCounts(parameter, found, place, add);
    });
  }
  return { counters, complete };
}

function compareTotals(parameter: ParameterPlan, place: string, add: Add): void {
  const { keywords, examples } = parameter.inventory;
  const normal = keywords.filter(({ satisfiability }) => satisfiability === "Normal").length;
  const { totals } = parameter;
  if (normal !== totals.keywords || examples.length !== totals.examples) {
    add(
      "totals differ from the list",
      `${place}: ${totals.keywords} keywords and ${totals.examples} examples, ` +
        `listed ${normal} and ${examples.length}`,
    );
  }
  const paths = new Set(keywords.map(({ schema_path }) => schema_path));
  if (paths.size !== keywords.length) add("listed twice", place);
}

function compareCounts(
  parameter: ParameterPlan,
  hits: ParameterHits,
  place: string,
  add: Add,
): number {
  const { keywords, examples } = parameter.inventory;
  const counts = parameterCounts(hits);
  const listed = new Map(keywords.map((keyword) => [keyword.schema_path, keyword.satisfiability]));
  const counted = [...counts.keywords].flatMap(([node, all]) =>
    all.map((one) => ({ ...one, path: node.schemaPath(one.keyword) }))
  );
  for (const { path, valid, invalid } of counted) {
    const satisfiability = listed.get(path);
    if (satisfiability === undefined) add("counted and not listed", `${place}: ${path}`);
    if (satisfiability === "Positive" && invalid > 0) add("Positive failed", `${place}: ${path}`);
    if (satisfiability === "Negative" && valid > 0) add("Negative passed", `${place}: ${path}`);
  }
  const known = new Set(examples.map(({ schema_path }) => schema_path));
  for (const path of counts.tallies.keys()) {
    const isListed = known.has(path) || listed.has(path.replace(/\/\d+$/, "")); // or its alternatives
    if (!isListed) add("example counted and not listed", `${place}: ${path}`);
  }
  return counted.length + counts.tallies.size;
}

/** Reports of larger descriptions are not written in all formats. */
const WRITTEN_OPERATIONS = 200;

/** Checks the report's form, and that its numbers equal the statistic. */
function compareReport(
  plan: CoveragePlan,
  hits: Hits,
  add: Add,
): void {
  const report = buildReport({ plan, hits, exclusions: undefined, access: undefined }, [], {
    generatedAt: "2026-01-31T12:00:00Z",
    diagnostics: plan.diagnostics,
  });
  const sum = addStatistics(
    [...coveredOperations(plan, hits)].map((one) => operationStatistic(one)),
  );
  if (JSON.stringify(sum) !== JSON.stringify(statistic(plan, hits))) {
    add("sum of operations", JSON.stringify(sum));
  }
  for (const problem of reportProblems(report)) add("numbers of the report", problem);
  const text = generateTextReport(report, { width: 100, colored: false });
  const wide = text.split("\n").find((line) => stringWidth(line) > 100);
  if (wide !== undefined) add("too wide for a terminal", JSON.stringify(wide));
  if (report.operations.length > WRITTEN_OPERATIONS) return;
  const page = generateHtmlReport([{ name: undefined, report, input: {} }]);
  if (!page.endsWith("</html>\n")) add("cut short", "the HTML report");
  const json = [...generateJsonReport(report)].join("");
  if (JSON.stringify(JSON.parse(json)) !== JSON.stringify(report)) add("not the same", "as JSON");
}
