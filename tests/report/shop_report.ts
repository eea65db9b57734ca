import type { Comparison } from "../../src/report/comparison/comparison.ts";
import type { Finding, Gap, Summary } from "../../src/map/results.ts";
import { summarize } from "../../src/map/statistic.ts";
import type { Report, ReportOperation, ReportParameter } from "../../src/report/report.ts";

type Counts = readonly [seen: number, total: number];

/** A summary from counts; keywords are partial, full and total. */
export function summaryOf(counts: {
  operations: Counts;
  parameters: Counts;
  keywords: readonly [partial: number, full: number, total: number];
  examples: Counts;
  responses: Counts;
  measured?: boolean;
}): Summary {
  const count = ([seen, total]: Counts) => ({ seen, total });
  const [partial, full, total] = counts.keywords;
  return summarize({
    operations: count(counts.operations),
    parameters: count(counts.parameters),
    keywords: { partial, full, total },
    examples: count(counts.examples),
    responses: count(counts.responses),
  }, counts.measured ?? true);
}

/** The same in a line. */
function sums(
  operations: Counts,
  parameters: Counts,
  keywords: readonly [partial: number, full: number, total: number],
  examples: Counts,
  responses: Counts,
): Summary {
  return summaryOf({ operations, parameters, keywords, examples, responses });
}

/** A parameter that was never sent, to be changed where a test needs more. */
function parameterOf(
  parameter: Partial<ReportParameter> & Pick<ReportParameter, "location" | "parameter">,
): ReportParameter {
  return {
    required: false,
    hits: 0,
    keyword_total: 0,
    schema_path: "",
    keywords: [],
    examples: [],
    malformed: 0,
    not_recorded: 0,
    unsupported: false,
    ...parameter,
  };
}

/** An operation without parameters of its own, to be changed where a test needs more. */
export function operationOf(
  operation: Partial<ReportOperation> & Pick<ReportOperation, "method" | "path">,
): ReportOperation {
  const hits = operation.hits ?? 0;
  return {
    operation_id: null,
    tags: [],
    deprecated: false,
    hits,
    first_at: null,
    last_at: null,
    summary: sums([hits > 0 ? 1 : 0, 1], [0, 0], [0, 0, 0], [0, 0], [hits > 0 ? 1 : 0, 1]),
    parameters: [],
    responses: [],
    undocumented_responses: [],
    ...operation,
  };
}

/** A small report with something of everything: what most tests of reporters read. */
export function shopReport(changes: Partial<Report> = {}): Report {
  const limit = { method: "GET", path: "/users", location: "query", parameter: "limit" } as const;
  const gaps: Gap[] = [
    {
      kind: "keyword_uncovered",
      ...limit,
      schema_path: "/paths/~1users/get/parameters/0/schema/maximum",
      state: "invalid",
    },
    {
      kind: "example_uncovered",
      ...limit,
      schema_path: "/paths/~1users/get/parameters/0/example",
      value: 10,
    },
    {
      kind: "parameter_uncovered",
      method: "GET",
      path: "/users",
      location: "header",
      parameter: "X-Trace",
    },
    { kind: "response_uncovered", method: "GET", path: "/users", status_code: "404" },
    ...(["valid", "invalid"] as const).map((state): Gap => ({
      kind: "keyword_uncovered",
      method: "POST",
      path: "/users",
      location: "body",
      parameter: "application/json",
      schema_path: "/components/schemas/User/properties/name/maxLength",
      state,
    })),
    { kind: "operation_uncovered", method: "DELETE", path: "/users/{id}" },
    {
      kind: "parameter_uncovered",
      method: "DELETE",
      path: "/users/{id}",
      location: "path",
      parameter: "id",
    },
    { kind: "response_uncovered", method: "DELETE", path: "/users/{id}", status_code: "204" },
  ];
  return {
    format_version: 1,
    tool: { name: "covtool", version: "0.1.0" },
    title: "Shop API",
    generated_at: "2026-01-31T12:00:00Z",
    schema: {
      location: "openapi.yaml",
      title: "Shop API",
      version: "7",
      specification: "OpenAPI 3.1.0",
      base_path: "/v1",
    },
    traffic: {
      recorded: 1201,
      matched: 1198,
      unmatched: 3,
      first_at: 1700000000,
      last_at: 1700000100,
    },
    summary: sums([3, 4], [5, 9], [12, 7, 31], [1, 2], [4, 8]),
    operations: [
      operationOf({
        method: "GET",
        path: "/users",
        operation_id: "listUsers",
        tags: ["users"],
        hits: 1100,
        first_at: 1700000000,
        last_at: 1700000090.5,
        summary: sums([1, 1], [1, 2], [1, 1, 3], [0, 1], [1, 2]),
        parameters: [
          parameterOf({
            location: "query",
            parameter: "limit",
            hits: 7,
            keyword_total: 3,
            schema_path: "/paths/~1users/get/parameters/0",
            keywords: [
              {
                keyword: "type",
                schema_path: "/paths/~1users/get/parameters/0/schema/type",
                valid: 6,
                invalid: 1,
                state: "full",
                satisfiability: "Normal",
              },
              {
                keyword: "maximum",
                schema_path: "/paths/~1users/get/parameters/0/schema/maximum",
                valid: 6,
                invalid: 0,
                state: "partial",
                satisfiability: "Normal",
              },
            ],
            examples: [
              { schema_path: "/paths/~1users/get/parameters/0/example", value: 10, hits: 0 },
            ],
          }),
          parameterOf({
            location: "header",
            parameter: "X-Trace",
            keyword_total: 1,
            schema_path: "/paths/~1users/get/parameters/1",
          }),
        ],
        responses: [
          { status_code: "200", hits: 1099, elapsed: { mean: 0.012, max: 0.2 } },
          { status_code: "404", hits: 0, elapsed: null },
        ],
        undocumented_responses: [{ status_code: "418", hits: 1 }],
      }),
      operationOf({
        method: "POST",
        path: "/users",
        hits: 90,
        summary: sums([1, 1], [1, 1], [11, 6, 20], [1, 1], [2, 3]),
        parameters: [parameterOf({
          location: "body",
          parameter: "application/json",
          required: true,
          hits: 90,
          keyword_total: 20,
          schema_path: "/paths/~1users/post/requestBody/content/application~1json",
          examples: [{
            schema_path: "/paths/~1users/post/requestBody/content/application~1json/example",
            value: { name: "Ann", tags: ["a", { deep: [null, true] }] },
            hits: 3,
          }],
          malformed: 2,
          not_recorded: 1,
        })],
      }),
      operationOf({
        method: "GET",
        path: "/health",
        hits: 8,
        summary: sums([1, 1], [0, 0], [0, 0, 0], [0, 0], [1, 1]),
      }),
      operationOf({
        method: "DELETE",
        path: "/users/{id}",
        summary: sums([0, 1], [0, 1], [0, 0, 8], [0, 0], [0, 2]),
      }),
    ],
    timeline: {
      at: [1700000000, 1700000100],
      operations: [1, 3],
      parameters: [2, 5],
      keywords: [4, 19],
      examples: [0, 1],
      responses: [1, 4],
      undated: { operations: 0, parameters: 0, keywords: 0, examples: 0, responses: 0 },
    },
    gaps,
    unmatched: [
      {
        method: "GET",
        host: "localhost:8080",
        path: "/nope",
        reason: "no_matching_path",
        count: 2,
        first_at: 1700000000,
      },
      {
        method: "PUT",
        host: "",
        path: "/users",
        reason: "method_not_documented",
        count: 1,
        first_at: null,
      },
    ],
    unmatched_total: 3,
    findings: [
      {
        kind: "undocumented_status",
        method: "GET",
        path: "/users",
        status_code: "418",
        count: 1,
        first_at: null,
        example: { status_code: 418 },
      },
    ],
    suggested_base_path: null,
    diagnostics: [
      {
        severity: "warning",
        code: "unresolved_reference",
        message: "#/components/schemas/Nope does not exist.",
        schema_path: "/paths/~1users/get/parameters/1/schema/$ref",
        line: 12,
        column: 7,
      },
    ],
    ...changes,
  };
}

/** Findings of several kinds, in the order of a document: two rules, a failure of the server, an operation. */
export function someFindings(method = "GET", path = "/users"): Finding[] {
  const of = { method, path, first_at: null, example: { status_code: 200 } } as const;
  const rule = { kind: "keyword_not_enforced", ...of, location: "query" } as const;
  const schema = "/paths/~1users/get/parameters/0/schema";
  return [
    { ...rule, parameter: "limit", schema_path: `${schema}/minimum`, count: 1 },
    { ...rule, parameter: "limit", schema_path: `${schema}/maximum`, count: 3 },
    { kind: "never_succeeded", ...of, example: null, count: 4 },
    { kind: "server_error", ...of, status_code: "500", valid: 2, count: 2 },
  ];
}

/** What changed in a report, by default nothing. */
export function comparisonOf(overrides: Partial<Comparison> = {}): Comparison {
  const same = (percent: number | null) => ({ percent, change: percent === null ? null : 0 });
  const { title, generated_at, schema, summary } = shopReport();
  return {
    baseline: {
      title,
      generated_at,
      schema: { location: schema.location, title: schema.title, version: schema.version },
    },
    summary: {
      operations: same(summary.operations.percent),
      parameters: same(summary.parameters.percent),
      keywords: same(summary.keywords.percent),
      examples: same(summary.examples.percent),
      responses: same(summary.responses.percent),
    },
    new_gaps: [],
    uncovered_additions: [],
    closed_gaps: [],
    added: [],
    removed: [],
    ...overrides,
  };
}

/** The report of the only API of a run, as reporters take it. */
export function alone<Input>(
  report: Report,
  input: Input,
): readonly [{ readonly name: undefined; readonly report: Report; readonly input: Input }] {
  return [{ name: undefined, report, input }];
}
