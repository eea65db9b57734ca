import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { HttpRequest } from "../../src/http/interaction.ts";
import { compareReports } from "../../src/report/comparison/compare_reports.ts";
import type { Comparison } from "../../src/report/comparison/comparison.ts";
import type { Finding, Summary } from "../../src/map/results.ts";
import { summarize } from "../../src/map/statistic.ts";
import type { Report, ReportOperation } from "../../src/report/report.ts";
import { shopApi } from "../shop_api.ts";

type Counts = readonly [seen: number, total: number];

/** Makes a summary from counts, which are 0 by default. Keywords are partial, full and total. */
export function aSummary(
  { keywords: [partial, full, total] = [0, 0, 0], measured = true, ...others }: {
    operations?: Counts;
    parameters?: Counts;
    keywords?: readonly [partial: number, full: number, total: number];
    examples?: Counts;
    responses?: Counts;
    measured?: boolean;
  },
): Summary {
  const count = ([seen, total]: Counts = [0, 0]) => ({ seen, total });
  return summarize({
    operations: count(others.operations),
    parameters: count(others.parameters),
    keywords: { partial, full, total },
    examples: count(others.examples),
    responses: count(others.responses),
  }, measured);
}

/** Makes an operation without parameters, to be changed by tests that need more. */
export function anOperation(
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
    summary: aSummary({
      operations: [hits > 0 ? 1 : 0, 1],
      responses: [hits > 0 ? 1 : 0, 1],
    }),
    parameters: [],
    responses: [],
    undocumented_responses: [],
    ...operation,
  };
}

const NAME = { type: "string", maxLength: 120 };
const DESCRIPTION = shopApi({
  "/users": {
    get: {
      operationId: "listUsers",
      tags: ["users"],
      parameters: [
        { name: "limit", in: "query", example: 10, schema: { type: "integer", maximum: 100 } },
        { name: "X-Trace", in: "header", schema: { $ref: "#/components/schemas/Nope" } },
      ],
      responses: { 200: { description: "Users" }, 404: { description: "None" } },
    },
    post: {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/User" },
            example: { tags: ["a", { deep: [null, true] }] },
          },
        },
      },
      responses: { 201: { description: "Created" }, 409: { description: "Known" } },
    },
  },
  "/health": { get: { responses: { 204: { description: "Fine" } } } },
  "/users/{id}": {
    delete: {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: { 204: { description: "Gone" } },
    },
  },
}, {
  servers: [{ url: "/v1" }],
  components: { schemas: { User: { type: "object", properties: { name: NAME } } } },
});

/** Requests to the shop: number, method and path, status, and the body or that there was one. */
const TRAFFIC: readonly (readonly [number, string, string, number, Partial<HttpRequest>?])[] = [
  [1093, "GET", "/v1/users", 200],
  [6, "GET", "/v1/users?limit=5", 200, { headers: { accept: "*/*" } }],
  [1, "GET", "/v1/users?limit=x", 418],
  [84, "POST", "/v1/users", 201, { body: "{}" }],
  [3, "POST", "/v1/users", 201, { body: '{"tags":["a",{"deep":[null,true]}]}' }],
  [2, "POST", "/v1/users", 409, { body: "{" }],
  [1, "POST", "/v1/users", 409, { body_truncated: true }],
  [8, "GET", "/v1/health", 204],
  [2, "GET", "http://localhost:8080/v1/nope", 404],
  [1, "PUT", "/v1/users", 405],
];

function recordShop(): Report {
  const map = CoverageMap.fromDict(DESCRIPTION, {
    location: "openapi.yaml",
    basePath: "/v1",
  });
  TRAFFIC.forEach(([count, method, url, status_code, more], index) => {
    const headers = { "content-type": "application/json" };
    const at = 1_700_000_000 + 12.5 * index;
    const response = { status_code, elapsed: 0.012 };
    map.record({ method, url, headers, ...more }, response, at, undefined, { count });
  });
  return map.report({ title: "Shop API", generatedAt: "2026-01-31T12:00:00Z" });
}

const SHOP = recordShop();

/** A small report with some of everything, for most tests of reporters. */
export function shopReport(changes: Partial<Report> = {}): Report {
  return { ...SHOP, ...changes };
}

/** Findings of several kinds, in the order of a document: two rules, a server error, an operation. */
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

/** A report in which every text of the description and the traffic is this one. */
export function hostileReport(text: string): Report {
  const of = { method: `M${text}`, path: `/${text}` };
  const once = { count: 1, first_at: null };
  const parameter = { ...of, location: "query", parameter: text } as const;
  const [body] = SHOP.operations[1]?.parameters ?? [];
  return shopReport({
    title: text,
    schema: { location: text, title: text, version: text, specification: text, base_path: text },
    operations: [
      anOperation({
        ...of,
        hits: 1,
        parameters: body === undefined ? [] : [{ ...body, parameter: text, unsupported: true }],
      }),
    ],
    gaps: [
      { kind: "parameter_uncovered", ...parameter },
      { kind: "example_uncovered", ...parameter, schema_path: "/a/example", value: text },
      { kind: "response_uncovered", ...of, status_code: text },
    ],
    findings: [
      ...someFindings(of.method, of.path),
      { kind: "undocumented_body", ...of, media_type: text, example: null, ...once },
    ],
    unmatched: [{ method: text, host: text, path: text, reason: "invalid_url", ...once }],
    suggested_base_path: text,
    diagnostics: [{
      severity: "error",
      code: "x",
      message: text,
      schema_path: text,
      line: null,
      column: null,
    }],
  });
}

const { new_findings: _, ...UNCHANGED } = compareReports(SHOP, SHOP);

/** A comparison of the shop, by default without changes. */
export function aComparison(overrides: Partial<Comparison> = {}): Comparison {
  return { ...UNCHANGED, ...overrides };
}

/** The report of a single API, as reporters expect it. */
export function alone<Input>(
  report: Report,
  input: Input,
): readonly [{ readonly name: undefined; readonly report: Report; readonly input: Input }] {
  return [{ name: undefined, report, input }];
}
