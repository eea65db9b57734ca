import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import {
  groupOperations,
  naturalGrouping,
  selectOperations,
} from "../../../src/report/html/app/model/operation_filter.ts";
import { gapName } from "../../../src/report/html/app/model/gaps.ts";
import { errorText, type Model, serverErrors } from "../../../src/report/html/app/model/model.ts";
import {
  namedGaps,
  operationSuggestions,
  topSuggestions,
} from "../../../src/report/html/app/model/suggestions.ts";
import { sampleReport } from "../../browser/sample_report.ts";
import { pageModel } from "../page_model.ts";

function select(model: Model, query: string): string[] {
  return selectOperations(model, new URLSearchParams(query))
    .map(({ data }) => `${data.method} ${data.path}`);
}

Deno.test("responses that were not measured are neither gaps nor suggestions", () => {
  const report = sampleReport("shop");
  const operations = report.operations.map((operation) => ({
    ...operation,
    responses: operation.responses.map((response) => ({ ...response, hits: 0, elapsed: null })),
    summary: {
      ...operation.summary,
      responses: { seen: 0, total: operation.responses.length, percent: null, measured: false },
    },
  }));
  const responses = { ...report.summary.responses, seen: 0, percent: null, measured: false };
  const model = pageModel({ ...report, operations, summary: { ...report.summary, responses } });
  assert.equal(model.gaps.response, 0);
  assert.ok(topSuggestions(model, 1000).every(({ action }) => action !== "response"));
  assert.equal(model.byKey.get("GET:/me")?.state, "complete");
});

Deno.test("operationSuggestions() lists at most three by parameter and step, and limits before types", () => {
  const { operations } = pageModel(sampleReport("shop"));
  const steps = ["call", "send", "reach", "fail", "pass", "example", "response"];
  let [typesBehindLimits, shortened, halves] = [0, 0, 0];
  for (const operation of operations) {
    const list = operationSuggestions(operation);
    const places = list.map(({ action, gaps: [{ parameter }] }) =>
      (parameter?.index ?? operation.parameters.length) * steps.length + steps.indexOf(action)
    );
    assert.deepEqual(places, places.toSorted((left, right) => left - right));
    for (const suggestion of list.filter(({ gaps: [{ kind }] }) => kind === "keyword")) {
      const { action, gaps, value } = suggestion;
      const subjects = gaps.map(({ subject }) => subject);
      const limit = subjects.findLastIndex((name) =>
        /^(?:min|max|enum|pattern|required)/.test(name)
      );
      const type = subjects.indexOf("type");
      assert.ok(type < 0 || limit < type, subjects.join(", "));
      if (type >= 0 && limit >= 0) typesBehindLimits++;
      const named = namedGaps(suggestion);
      assert.deepEqual(named, gaps.slice(0, 3));
      if (named.length < gaps.length) shortened++;
      assert.equal(value, action === "reach" ? gaps.length : gaps.length / 2);
      if (action !== "reach") halves++;
    }
  }
  assert.ok(typesBehindLimits > 0 && shortened > 0 && halves > 0);
});

Deno.test("topSuggestions() begins with what would cover the most", () => {
  const list = topSuggestions(pageModel(sampleReport("shop")), 1000);
  const values = list.map(({ value }) => value);
  assert.deepEqual(values, values.toSorted((left, right) => right - left));
  const [first] = list;
  assert.equal(first?.action, "call");
  // One operation, its 2 parameters with 83 keywords and 6 examples, and its 3 responses.
  assert.equal(first?.value, 1 + 2 + 83 + 6 + 3);
});

Deno.test("topSuggestions() merges equal suggestions of several operations", () => {
  const report = sampleReport("shop");
  const [one] = report.operations.filter(({ method, path }) =>
    method === "PATCH" && path === "/books/{book_id}"
  );
  assert.ok(one);
  const operations = [one, { ...one, path: "/copies" }, { ...one, path: "/more" }];
  const alone = topSuggestions(pageModel({ ...report, operations: [one] }), 1000);
  const folded = topSuggestions(pageModel({ ...report, operations }), 1000);
  const contents = (list: typeof folded) =>
    list.map(({ action, gaps, value }) => ({ action, gaps: gaps.map(gapName), value }));
  assert.ok(alone.length > 0);
  assert.deepEqual(contents(folded), contents(alone));
  assert.ok(alone.every(({ others }) => others?.length === 0));
  for (const { others } of folded) {
    assert.deepEqual(others?.map(({ data }) => data.path), ["/copies", "/more"]);
  }
});

Deno.test("topSuggestions() never merges calls of operations", () => {
  const report = sampleReport("shop");
  const uncalled = report.operations.filter(({ hits }) => hits === 0);
  const calls = topSuggestions(pageModel(report), 1000).filter(({ action }) => action === "call");
  assert.ok(uncalled.length > 1);
  assert.equal(calls.length, uncalled.length);
});

Deno.test("serverErrors() lists only 5xx, undocumented ones first", () => {
  const [operation] = pageModel(sampleReport("shop")).operations;
  assert.ok(operation);
  const errors = serverErrors({
    ...operation.data,
    responses: [
      { status_code: "200", hits: 3, elapsed: null },
      { status_code: "503", hits: 1, elapsed: null },
      { status_code: "5XX", hits: 0, elapsed: null },
    ],
    undocumented_responses: [{ status_code: "404", hits: 1 }, { status_code: "500", hits: 2 }],
  });
  assert.deepEqual(errors.map(errorText), ["500 (undocumented)", "503"]);
});

Deno.test("an operation has the server errors of its findings, even if default documents them", () => {
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/books": { get: { responses: { default: { description: "Anything" } } } } },
  });
  const request = { method: "GET", url: "http://localhost/books" };
  for (const status_code of [200, 500, 502]) map.record(request, { status_code });
  const [operation] = pageModel(map.report()).operations;
  assert.deepEqual(operation?.errors.map(errorText), ["500", "502"]);
});

Deno.test("operationSuggestions() only suggests a call for an operation that was never called", () => {
  const model = pageModel(sampleReport("shop"));
  for (const operation of model.operations.filter(({ state }) => state === "never")) {
    assert.deepEqual(operationSuggestions(operation).map(({ action }) => action), ["call"]);
  }
});

Deno.test("selectOperations() finds every word of a search in the path, name, tags and parameters", () => {
  const model = pageModel(sampleReport("shop"));
  assert.deepEqual(select(model, "q=REVIEW+post"), ["POST /books/{book_id}/review"]);
  assert.deepEqual(select(model, "q=if-none"), ["GET /books/{book_id}"]);
  assert.deepEqual(select(model, "in=session&state=complete"), ["GET /me"]);
});

Deno.test("selectOperations() keeps what can't be measured last in both directions", () => {
  const model = pageModel(sampleReport("shop"));
  for (const sort of ["keywords", "-keywords"]) {
    const list = selectOperations(model, new URLSearchParams({ sort }));
    const percents = list.map(({ data }) => data.summary.keywords.percent);
    const empty = percents.findIndex((percent) => percent === null);
    assert.ok(empty > 0 && percents.slice(empty).every((percent) => percent === null));
  }
});

Deno.test("groupOperations() groups by the first tag, or by the first segment that differs", () => {
  const model = pageModel(sampleReport("shop"));
  assert.equal(naturalGrouping(model), "tag");
  const names = (by: "tag" | "path"): string[] =>
    groupOperations(model, model.operations, by).map(({ name }) => name);
  assert.deepEqual(names("tag"), [
    ...["books", "covers", "session", "orders", "export", "untagged"],
  ]);
  assert.deepEqual(names("path").slice(0, 3), ["/books", "/login", "/me"]);
  const report = sampleReport("shop");
  const prefixed = pageModel({
    ...report,
    operations: report.operations.map((operation) => ({
      ...operation,
      path: `/api/v1${operation.path}`,
      tags: [],
    })),
  });
  assert.equal(naturalGrouping(prefixed), "path");
  assert.equal(groupOperations(prefixed, prefixed.operations, "path")[0]?.name, "/books");
});
