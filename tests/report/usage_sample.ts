import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { HttpRequest } from "../../src/http/interaction.ts";
import type { UsageReport } from "../../src/report/usage/usage_report.ts";

/** A request, the number of times it was sent, and its status. */
export type Sent = readonly [
  times: number,
  line: string,
  status: number,
  more?: Partial<HttpRequest>,
];

const JSON_BODY = { application: { json: { schema: { type: "object" } } } };

/** A description with everything that a comparison covers. */
export const SHOP = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "3" },
  paths: {
    "/books": {
      get: {
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" } },
          { name: "sort", in: "query", schema: { type: "string", enum: ["title", "price"] } },
          { name: "X-Tenant", in: "header", schema: { type: "string" } },
        ],
        responses: { 200: { description: "Books" }, 404: { description: "None" } },
      },
      post: {
        requestBody: { content: { "application/json": JSON_BODY.application.json } },
        responses: { 201: { description: "Created" } },
      },
    },
    "/books/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { responses: { 200: { description: "A book" } } },
      delete: { responses: { 204: { description: "Gone" } } },
    },
  },
};

/** Requests need a header field, so that their sources can show header fields. */
const HEADERS = { accept: "*/*" };

/** A map of a description with some traffic. */
export function send(sent: readonly Sent[], description: unknown = SHOP): CoverageMap {
  const map = CoverageMap.fromDict(description);
  for (const [times, line, status_code, more] of sent) {
    const [method = "", path = ""] = line.split(" ");
    const request = { method, url: `http://localhost${path}`, headers: HEADERS, ...more };
    for (let time = 0; time < times; time++) map.record(request, { status_code });
  }
  return map;
}

/** The comparison of some traffic. */
export function compare(tests: readonly Sent[], production: readonly Sent[]): UsageReport {
  return send(tests).compareUsage(send(production), { generatedAt: "2026-01-31T12:00:00Z" });
}

/** Traffic of tests and production with every kind of difference. */
export const TESTS: readonly Sent[] = [
  [2, "GET /books?limit=5&sort=title", 200],
  [1, "GET /books", 404],
  [3, "POST /books", 201, { body: "{}", headers: { "content-type": "application/json" } }],
];
export const PRODUCTION: readonly Sent[] = [
  [70, "GET /books?sort=price", 200],
  [9, "GET /books?sort=title", 503],
  [6, "GET /books/7", 200],
  [15, "DELETE /books/7", 204],
  [2, "GET /internal/users/4711/export", 200],
  [1, "GET /internal/users/4712/export", 200],
  [1, "PURGE /books", 200],
];
