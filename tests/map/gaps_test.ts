import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { gaps, uncoveredKeywords } from "../../src/map/gaps.ts";
import { BOOKS, makePlan, type PlanWithHits } from "./make_plan.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

const SCHEMA = "/paths/~1books/get/parameters/0/schema";

/** Each gap as one line: its kind and what is missing. */
function gapLines({ plan, hits }: PlanWithHits): string[] {
  return gaps(plan, hits).map((gap) => {
    switch (gap.kind) {
      case "parameter_uncovered":
        return `${gap.kind} ${gap.path} ${gap.location} ${gap.parameter}`;
      case "keyword_uncovered":
        return `${gap.kind} ${gap.schema_path.replace(SCHEMA, "")} ${gap.state}`;
      case "example_uncovered":
        return `${gap.kind} ${gap.value}`;
      case "response_uncovered":
        return `${gap.kind} ${gap.status_code}`;
      default:
        return `${gap.kind} ${gap.method} ${gap.path}`;
    }
  });
}

Deno.test("without traffic, gaps() lists operations, parameters and responses, but nothing inside parameters", () => {
  assert.deepEqual(gapLines(makePlan(BOOKS)), [
    "operation_uncovered GET /books",
    "parameter_uncovered /books query limit",
    "response_uncovered 200",
    "response_uncovered 400",
    "operation_uncovered GET /health",
  ]);
});

Deno.test("gaps() lists keywords and examples of parameters that were sent", () => {
  const books = makePlan(BOOKS, {}, { values: false });
  books.get("/books?limit=7", 200);
  assert.deepEqual(gapLines(books), [
    "keyword_uncovered /type invalid",
    "keyword_uncovered /maximum invalid",
    "example_uncovered 5",
    "response_uncovered 400",
    "operation_uncovered GET /health",
  ]);
  for (const limit of ["5", "10", "x"]) books.get(`/books?limit=${limit}`, 400);
  books.get("/health");
  assert.deepEqual(gapLines(books), []);
});

Deno.test("gaps() leaves out keywords that can only pass or only fail", () => {
  const map = makePlan({
    "/t": { get: { parameters: [{ name: "q", in: "query", schema: { minLength: 0, enum: [] } }] } },
  });
  map.get("/t?q=a");
  assert.deepEqual(gapLines(map), []);
});

Deno.test("uncoveredKeywords() includes satisfiability, and parameters that were never sent", () => {
  const { plan, hits } = makePlan({
    "/t": {
      get: { parameters: [{ name: "q", in: "query", schema: { minLength: 0, maxLength: 2 } }] },
    },
  });
  const listed = uncoveredKeywords(plan, hits).map(({ schema_path, state, satisfiability }) =>
    `${schema_path.replace(/^.*schema/, "")} ${state} ${satisfiability}`
  );
  assert.deepEqual(listed, [
    "/minLength valid Positive",
    "/maxLength valid Normal",
    "/maxLength invalid Normal",
  ]);
});

Deno.test("gaps() lists the value classes of a parameter that was sent after its other gaps", () => {
  const map = CoverageMap.fromDict(
    shopApi({
      "/books": {
        post: {
          parameters: [{ name: "dry", in: "query", schema: { type: "boolean" } }],
          requestBody: jsonContent({
            type: "object",
            properties: { note: { type: "string", maxLength: 9 } },
          }),
        },
      },
    }),
    { values: true },
  );
  const open = () =>
    map.gaps().map((gap) =>
      gap.kind === "value_uncovered"
        ? `${gap.instance_path} ${gap.class} ${JSON.stringify(gap.value) ?? ""}`
        : `${gap.kind} ${"schema_path" in gap ? gap.schema_path.replace(/^.*schema/, "") : ""}`
    );
  assert.deepEqual(open(), [
    "operation_uncovered ",
    "parameter_uncovered ",
    "parameter_uncovered ",
  ]);
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: "http://localhost/books", headers, body: "{}" });
  assert.deepEqual(open(), [
    "parameter_uncovered ",
    "keyword_uncovered /type",
    "keyword_uncovered /properties",
    "keyword_uncovered /properties",
    "keyword_uncovered /properties/note/type",
    "keyword_uncovered /properties/note/type",
    "keyword_uncovered /properties/note/maxLength",
    "keyword_uncovered /properties/note/maxLength",
    "/note present ",
    '/note empty ""',
    "/note max_length 9",
    '/note between {"minLength":1,"maxLength":8}',
    "/note non_ascii ",
  ]);
});
