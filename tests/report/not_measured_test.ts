// Tests that parts which none of the traffic can show don't count, and that every report says so.
import assert from "node:assert/strict";
import { CoverageMap, type Report, type Visibility } from "../../mod.ts";
import { FULL_VISIBILITY, NO_REQUEST_HEADERS } from "../../src/http/visibility.ts";
import { gapCounts } from "../../src/report/gap_counts.ts";
import { operationGaps } from "../../src/report/html/app/model/gaps.ts";
import { operationSuggestions } from "../../src/report/html/app/model/suggestions.ts";
import { readSource, sourceParts } from "../../src/report/html/app/model/source.ts";
import { encodePageSource } from "../../src/report/html/encode_page_data.ts";
import { pageModel } from "./page_model.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { notMeasuredText } from "../../src/report/wording/summary_wording.ts";
import { listDecreases } from "../../src/run/fail_on.ts";
import { shopApi } from "../shop_api.ts";
import { inFolder } from "../in_folder.ts";

const TEXT = { type: "string", minLength: 2, example: "ab" };

const DESCRIPTION = shopApi({
  "/books": {
    post: {
      parameters: [
        { name: "q", in: "query", schema: TEXT },
        { name: "X-Tenant", in: "header", required: true, schema: TEXT },
        { name: "Referer", in: "header", schema: TEXT },
        { name: "session", in: "cookie", schema: TEXT },
      ],
      requestBody: { required: true, content: { "application/json": { schema: TEXT } } },
      responses: { 200: { description: "Books" } },
    },
  },
});

/** An API with only one parameter: a required header. */
const TENANT = shopApi({
  "/books": {
    post: { parameters: DESCRIPTION.paths["/books"].post.parameters.slice(1, 2), responses: {} },
  },
});

/** A typical access log. */
const LOG: Visibility = {
  ...FULL_VISIBILITY,
  request_headers: ["user-agent", "referer"],
  request_body: false,
  response_headers: "none",
  response_body: false,
};

function load(): CoverageMap {
  return CoverageMap.fromDict(structuredClone(DESCRIPTION));
}

/** The map of a file, because a description given as an object has no lines. */
function fromFile(description: object): Promise<CoverageMap> {
  const files = { "api.json": JSON.stringify(description, undefined, 1) };
  return inFolder(files, (folder) => CoverageMap.fromPath(`${folder}/api.json`));
}

function recorded(...visibilities: (Visibility | undefined)[]): CoverageMap {
  const map = load();
  for (const visibility of visibilities) {
    const headers = visibility === undefined ? { host: "localhost" } : {};
    map.record({ method: "POST", url: "/books?q=ab", headers }, { status_code: 200 }, 1, "t", {
      visibility,
    });
  }
  return map;
}

function totals({ summary }: Report): unknown {
  const { parameters, keywords, examples, enforcement } = summary;
  return [parameters, keywords, examples].map(({ total, not_measured }) => [total, not_measured])
    .concat([[enforcement?.total ?? 0, undefined]]);
}

Deno.test("parts that no source can show are left out of totals", () => {
  assert.deepEqual(totals(recorded(undefined).report()), [
    [5, undefined],
    [6, undefined],
    [5, undefined],
    [8, undefined],
  ]);
  assert.deepEqual(totals(recorded(NO_REQUEST_HEADERS).report()), [[2, 3], [3, 3], [2, 3], [
    4,
    undefined,
  ]]);
  assert.deepEqual(totals(recorded(LOG).report()), [[2, 3], [2, 4], [2, 3], [2, undefined]]);
});

Deno.test("parts that one of several sources can show count", () => {
  const whole = totals(recorded(undefined).report());
  assert.deepEqual(totals(recorded(LOG, undefined).report()), whole);
  const other = recorded(LOG);
  other.mergeHits(recorded(NO_REQUEST_HEADERS).exportHits());
  assert.deepEqual(totals(other.report()), [[3, 2], [4, 2], [3, 2], [5, undefined]]);
});

Deno.test("without any traffic, everything counts", () =>
  assert.deepEqual(totals(load().report()), totals(recorded(undefined).report())));

Deno.test("carried hits keep which parts they can show", () => {
  const changed = structuredClone(DESCRIPTION) as typeof DESCRIPTION & { info: { title: string } };
  changed.paths["/books"].post.parameters[0] = {
    name: "q",
    in: "query",
    schema: { ...TEXT, minLength: 3 },
  };
  const map = CoverageMap.fromDict(changed);
  map.mergeHits(recorded(LOG).exportHits(), { carry: true });
  assert.equal(map.report().summary.parameters.not_measured, 3);
});

Deno.test("a parameter that was seen is measured, whatever its source can show", () => {
  const map = load();
  const headers = { "X-Tenant": "ab" };
  map.record({ method: "POST", url: "/books", headers }, undefined, undefined, undefined, {
    visibility: NO_REQUEST_HEADERS,
  });
  const { operations, summary } = map.report();
  assert.equal(operations[0]?.parameters[1]?.measured, undefined);
  assert.equal(summary.parameters.not_measured, 2);
});

Deno.test("what isn't measured is not a gap, also on the page", () => {
  const map = recorded(LOG);
  const names = new Set(map.gaps().map((gap) => "parameter" in gap ? gap.parameter : gap.kind));
  assert.deepEqual([...names], ["q", "Referer"]);
  const uncovered = new Set(map.uncoveredKeywords().map(({ parameter }) => parameter));
  assert.deepEqual([...uncovered], ["q", "Referer"]);
  const report = map.report();
  const model = pageModel(report);
  const [operation] = model.operations;
  assert.ok(operation);
  assert.equal(model.gaps.total, gapCounts(report.summary, report.traffic).total);
  const suggested = operationSuggestions(operation).flatMap(({ gaps }) => gaps);
  assert.ok(suggested.length > 0);
  for (const { parameter } of [...operationGaps(operation), ...suggested]) {
    if (parameter !== null) assert.ok(["q", "Referer"].includes(parameter.parameter));
  }
});

Deno.test("lines of what isn't measured have no marks on the page", async () => {
  const map = await fromFile(DESCRIPTION);
  map.record({ method: "POST", url: "/books?q=ab" }, { status_code: 200 }, 1, "t", {
    visibility: LOG,
  });
  const report = map.report();
  const view = map.descriptionView(report);
  assert.ok(view.source);
  const source = readSource(JSON.parse([...encodePageSource(view.source)].join("")));
  const model = pageModel(report, view);
  const [operation] = model.operations;
  assert.ok(operation);
  const marks = sourceParts(model, operation, source).flatMap(({ lines }) =>
    lines.flatMap(({ marks }) => marks)
  );
  const never = marks.map(({ text }) => text).filter((text) => text.includes("never sent"));
  assert.deepEqual([...new Set(never)].sort(), [
    "header Referer was never sent",
    "header Referer: never sent",
  ]);
});

Deno.test("every report for people says what isn't measured, if anything", () => {
  const sentence =
    /some headers, cookies and bodies of requests: not visible in this traffic, so 3\s+parameters,\s+4\s+keywords\s+and\s+3\s+examples\s+are\s+not\s+measured\./i;
  for (const format of ["text", "markdown", "junit", "html"] as const) {
    assert.ok(REPORT_FORMATS.includes(format));
    const shown = (map: CoverageMap): string => map.generateReport({ format });
    assert.match(shown(recorded(LOG)).replace(/\s+/g, " "), sentence, format);
    assert.doesNotMatch(shown(recorded(undefined)).replace(/\s+/g, " "), sentence, format);
  }
  assert.match(recorded(LOG).generateReport({ format: "json" }), /"measured": ?false/);
});

Deno.test("a dimension without measured parts fails only its own threshold", () => {
  const map = CoverageMap.fromDict(TENANT);
  map.record({ method: "POST", url: "/books" });
  const { summary } = map.report();
  assert.deepEqual(summary.parameters, { seen: 0, total: 0, not_measured: 1, percent: null });
  assert.deepEqual(map.checkThresholds({ base: 100 }), []);
  assert.deepEqual(
    map.checkThresholds({ parameters: 1, keywordsFull: 1 }).map((
      { dimension, actual },
    ) => [dimension, actual]),
    [["parameters", null], ["keywords_full", null]],
  );
  assert.match(map.generateReport({ format: "text" }), /Parameters.*not measured, 1 documented/);
  assert.match(
    map.generateReport({ format: "junit", thresholds: { parameters: 50 } }),
    /parameters: not measured \(the traffic does not show them\), so the threshold of 50% is not met/,
  );
});

Deno.test("rules and values that the traffic can't show fail only their own threshold", () => {
  const shortfalls = (description: object) => {
    const map = CoverageMap.fromDict(description);
    map.record({ method: "POST", url: "/books" }, { status_code: 200 });
    return map.checkThresholds({ base: 100, enforcement: 1, values: 1 });
  };
  assert.deepEqual(shortfalls(TENANT).map(({ dimension, actual }) => [dimension, actual]), [
    ["enforcement", null],
    ["values", null],
  ]);
  assert.deepEqual(shortfalls(shopApi({ "/books": { post: { responses: {} } } })), []);
});

Deno.test("the test coverage level says what isn't measured", () => {
  const { tcl_criteria = [] } = recorded(LOG).report();
  const unmeasured = tcl_criteria.filter(({ measured }) => !measured).map(({ criterion }) =>
    criterion
  );
  assert.deepEqual(unmeasured, ["request_content_types", "parameters", "operation_flows"]);
});

Deno.test("gaps that only one side of a comparison can show are neither new nor closed", () => {
  const seen = load();
  const request = {
    method: "POST",
    url: "/books?q=ab",
    body: '"ab"',
    headers: { "X-Tenant": "ab", Cookie: "session=ab" },
  };
  seen.record(request, { status_code: 200 });
  const reports = [seen, recorded(LOG)].map((map) => map.generateReport({ format: "json" }));
  const [full, log] = reports.map((text) => JSON.parse(text));
  const compared = (map: CoverageMap, base: Report): Report =>
    JSON.parse(map.generateReport({ format: "json", base }));
  const later = compared(recorded(LOG), full).comparison;
  assert.deepEqual(later?.closed_gaps, []);
  assert.deepEqual(later?.new_gaps, []);
  assert.deepEqual(compared(recorded(undefined), log).comparison?.new_gaps, []);
});

Deno.test("a figure that can't be measured any more is a decrease only if it is named", () => {
  const [seen, bare] = [CoverageMap.fromDict(TENANT), CoverageMap.fromDict(TENANT)];
  seen.record({ method: "POST", url: "/books", headers: { "X-Tenant": "ab" } });
  bare.record({ method: "POST", url: "/books" });
  const base = JSON.parse(seen.generateReport({ format: "json" }));
  const report: Report = JSON.parse(bare.generateReport({ format: "json", base }));
  assert.deepEqual(listDecreases(report, base, undefined), []);
  assert.deepEqual(listDecreases(report, base, "parameters"), [
    "parameters: not measured, but 100% in the baseline",
  ]);
});

Deno.test("the sentence lists what is hidden", () => {
  const text = (visibility: Visibility): string | undefined =>
    notMeasuredText(recorded(visibility).report());
  assert.equal(
    text(NO_REQUEST_HEADERS),
    "Headers and cookies of requests: not visible in this traffic, so 3 parameters, 3 keywords and 3 examples are not measured",
  );
  assert.equal(text(FULL_VISIBILITY)?.startsWith("Headers and cookies"), true); // no headers were recorded
});

Deno.test("a truncated body is not measured if the source can't show bodies", () => {
  const request = { method: "POST", url: "/books?q=ab", body_truncated: true };
  const log = load();
  const details = { visibility: LOG };
  log.record(request, { status_code: 200 }, 1, undefined, details);
  log.record(request, { status_code: 200 }, 2, undefined, details);
  const report = log.report();
  assert.equal(report.operations[0]?.parameters[4]?.measured, false);
  assert.deepEqual(totals(report), totals(recorded(LOG).report()));
  assert.equal(report.summary.parameters.seen, 1);
  assert.deepEqual(report.timeline?.parameters, [1, 1]);
  assert.equal(report.timeline?.undated.parameters, 0);
  log.mergeHits(recorded(undefined).exportHits());
  const { summary } = log.report();
  assert.deepEqual([summary.parameters.seen, summary.parameters.total], [2, 5]);
});

Deno.test("keywords of response headers that no traffic can show don't count", () => {
  const schema = { type: "integer", maximum: 5 };
  const answer = {
    description: "Books",
    headers: { "X-Count": { schema }, "X-Total": { schema } },
    content: { "application/json": { schema: { type: "array" } } },
  };
  const responseTotal = (visibility: Visibility | undefined, headers?: Record<string, string>) => {
    const map = CoverageMap.fromDict({
      ...DESCRIPTION,
      paths: { "/books": { get: { responses: { 200: answer } } } },
    });
    const response = { status_code: 200, headers, body: "[]" };
    map.record({ method: "GET", url: "/books" }, response, 1, undefined, { visibility });
    return map.report().summary.response_keywords?.total;
  };
  const type = { "Content-Type": "application/json" };
  const whole = responseTotal(undefined, type);
  assert.equal(whole, 5);
  assert.equal(responseTotal(undefined), 1);
  assert.equal(responseTotal({ ...FULL_VISIBILITY, response_headers: ["x-total"] }, type), 3);
});

Deno.test("an exclusion of what can't be seen is counted as not measured, and isn't stale", () => {
  const map = CoverageMap.fromDict(DESCRIPTION, { exclude: ["parameter:header:X-Tenant"] });
  map.record({ method: "POST", url: "/books" }, { status_code: 200 });
  const { exclusions = [], summary } = map.report();
  assert.deepEqual(exclusions.map(({ excluded, stale }) => [excluded.parameters, stale]), [
    [{ seen: 0, total: 0, not_measured: 1 }, null],
  ]);
  assert.equal(summary.parameters.not_measured, 2);
});

Deno.test("cookies and header fields that a log leaves out are not measured", () => {
  const map = load();
  const headers = { accept: "*/*" };
  map.record({ method: "POST", url: "/books?q=ab", headers }, { status_code: 200 }, 1, "t", {
    visibility: { ...FULL_VISIBILITY, request_headers: "public" },
  });
  const [operation] = map.report().operations;
  const hidden = operation?.parameters.flatMap(({ parameter, measured }) =>
    measured === false ? [parameter] : []
  );
  assert.deepEqual(hidden, ["Referer", "session"]);
  assert.match(
    map.generateTextReport({ colored: false, width: 200 }),
    /Some headers and cookies of requests: not visible in this traffic, so 2 parameters/,
  );
});

const ITEMS = shopApi({
  "/books/{id}": {
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "integer", maximum: 9 } },
    ],
    get: { responses: { 200: { description: "A book" }, 400: { description: "Wrong" } } },
  },
  "/lists/{ids}": {
    parameters: [{
      name: "ids",
      in: "path",
      required: true,
      style: "matrix",
      schema: { type: "array", items: { type: "integer" } },
    }],
    get: { responses: { 200: { description: "Lists" } } },
  },
});

/** A log with the route of each request. */
const ROUTES: Visibility = { ...FULL_VISIBILITY, path_parameters: false };

function calls(...requests: (readonly [url: string, visibility?: Visibility, status?: number])[]) {
  const map = CoverageMap.fromDict(structuredClone(ITEMS));
  for (const [url, visibility, status_code = 200] of requests) {
    const headers = { host: "localhost" };
    map.record({ method: "GET", url, headers }, { status_code }, 1, "t", { visibility });
  }
  return map;
}

Deno.test("path parameters are not measured if only routes are known", () => {
  const map = calls(["/books/[Filtered]", ROUTES], ["/books/{id}", ROUTES, 400], [
    "/lists/[Filtered]",
    ROUTES,
  ]);
  const { summary, operations } = map.report();
  assert.deepEqual([summary.parameters.total, summary.parameters.not_measured], [0, 2]);
  assert.deepEqual([summary.keywords.total, summary.keywords.not_measured], [0, 4]);
  assert.deepEqual(operations.map(({ parameters }) => parameters[0]?.hits), [2, 1]);
  assert.deepEqual(map.findings().map(({ kind }) => kind), []);
  assert.ok(map.gaps().every(({ kind }) => !/parameter|keyword/.test(kind)));
  assert.match(
    map.generateTextReport({ colored: false, width: 200 }),
    /Path parameters of requests: not visible in this traffic, so 2 parameters and 4 keywords/,
  );
});

Deno.test("a path parameter is measured if one recording shows it, in any order", () => {
  const routes = ["/books/{id}", ROUTES] as const;
  const map = calls(routes, ["/books/7"]);
  assert.deepEqual(map.exportHits(), calls(["/books/7"], routes).exportHits());
  const [id] = map.report().operations[0]?.parameters ?? [];
  assert.deepEqual([id?.measured, id?.hits, id?.keyword_total], [undefined, 2, 2]);
  assert.ok(id?.keywords.every(({ valid, invalid }) => valid === 1 && invalid === 0));
  const text = map.generateTextReport({ colored: false, width: 200 });
  assert.doesNotMatch(text, /bod(y|ies) of requests/i);
});

Deno.test("SARIF has notes about what is not measured, and no results for it", async () => {
  const map = await fromFile(DESCRIPTION);
  const visibility = { ...FULL_VISIBILITY, request_headers: "none" } as const;
  map.record({ method: "POST", url: "/books?q=ab" }, undefined, 1, "t", { visibility });
  const { runs: [run] } = JSON.parse(map.generateReport({ format: "sarif" }));
  const notes = run.invocations[0].toolExecutionNotifications as readonly {
    readonly level: string;
    readonly message: { readonly text: string };
  }[];
  assert.deepEqual(notes.map(({ level }) => level), ["note", "note"]);
  assert.deepEqual(notes.map(({ message: { text } }) => text), [
    `${notMeasuredText(map.report())}.`,
    "Responses are not measured: the traffic has none.",
  ]);
  const texts = run.results.map(({ message }: { message: { text: string } }) => message.text);
  assert.ok(texts.length > 0 && !texts.join().includes("X-Tenant"));
});

Deno.test("statuses, durations and times that a source can't show are not measured", () => {
  const blind: Visibility = { ...FULL_VISIBILITY, status: false, time: false };
  const map = load();
  map.record(
    { method: "POST", url: "/books?q=ab", headers: { host: "localhost" } },
    undefined,
    undefined,
    "t",
    { visibility: blind },
  );
  const { summary, traffic, timeline, operations } = map.report();
  const { measured, percent, total } = summary.responses;
  assert.deepEqual([measured, percent, total], [false, null, 1]);
  assert.equal(summary.operations.succeeded, null);
  assert.deepEqual([traffic.first_at, traffic.last_at, timeline], [null, null, null]);
  assert.equal(operations[0]?.responses[0]?.elapsed, null);
  assert.deepEqual(map.findings(), []);
  const short = map.checkThresholds({ operations: 100, responses: 1, succeeded: 1 });
  assert.deepEqual(short.map(({ dimension }) => dimension), ["responses", "succeeded"]);
  // One recording with statuses is enough.
  map.mergeHits(recorded(undefined).exportHits());
  assert.equal(map.report().summary.responses.percent, 100);
});

Deno.test("a response is not a gap in any report if no traffic has responses", async () => {
  const described = structuredClone(DESCRIPTION);
  Object.assign(described.paths["/books"].post.responses, { 418: { description: "A teapot" } });
  const [silent, answered] = [await fromFile(described), await fromFile(described)];
  const untouched = await fromFile(described);
  const request = { method: "POST", url: "/books?q=ab" };
  silent.record(request);
  answered.record(request, { status_code: 200 });

  const responseGaps = (map: CoverageMap): number =>
    map.gaps().filter(({ kind }) => kind === "response_uncovered").length;
  assert.deepEqual([silent, untouched, answered].map(responseGaps), [0, 2, 1]);
  const gapKinds = (map: CoverageMap): string[] => map.report().gaps.map(({ kind }) => kind);
  assert.deepEqual([silent, answered].map((map) => gapKinds(map).includes("response_uncovered")), [
    false,
    true,
  ]);
  const results = (map: CoverageMap): boolean =>
    JSON.parse(map.generateReport({ format: "sarif" })).runs[0].results
      .some(({ ruleId }: { ruleId: string }) => ruleId === "response_uncovered");
  assert.deepEqual([silent, answered].map(results), [false, true]);
  for (const format of ["lcov", "cobertura"] as const) {
    const lines = (map: CoverageMap): number =>
      map.generateReport({ format }).split(/\nDA:|<line /).length;
    assert.equal(lines(answered) - lines(silent), 2, format);
  }
  const counts = [silent, answered].map((map) => {
    const { summary, traffic } = map.report();
    return gapCounts(summary, traffic);
  });
  assert.deepEqual(counts.map(({ response }) => response), [0, 1]);
  assert.equal((counts[1]?.parts ?? 0) - (counts[0]?.parts ?? 0), 2);
  const listed = (map: CoverageMap): boolean[] => {
    const model = pageModel(map.report());
    const [operation] = model.operations;
    assert.ok(operation);
    return [
      operationGaps(operation).some(({ kind }) => kind === "response"),
      operationSuggestions(operation).some(({ action }) => action === "response"),
    ];
  };
  assert.deepEqual([silent, answered].map(listed), [[false, false], [true, true]]);
  for (const format of ["text", "markdown", "junit"] as const) {
    const text = silent.generateReport({ format }).replaceAll(/\S+\/api\.json/g, "");
    assert.doesNotMatch(text, /418|Enforce/, format);
  }
});

Deno.test("a response that can't be measured any more is neither added nor closed", () => {
  const seen = recorded(undefined);
  const silent = load();
  silent.record({ method: "POST", url: "/books?q=ab" });
  const [withAnswers, without] = [seen, silent].map((map) =>
    JSON.parse(map.generateReport({ format: "json" }))
  );
  const compared = (map: CoverageMap, base: Report): Report["comparison"] =>
    JSON.parse(map.generateReport({ format: "json", base })).comparison;
  const later = compared(silent, withAnswers);
  assert.ok(!JSON.stringify(later?.closed_gaps).includes("response"));
  assert.ok(!JSON.stringify(later?.new_gaps).includes("response"));
  const earlier = compared(seen, without);
  assert.deepEqual(earlier?.uncovered_additions, []);
});
