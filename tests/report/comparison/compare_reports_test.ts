import assert from "node:assert/strict";
import { CoverageMap } from "../../../src/coverage_map/coverage_map.ts";
import type { Interaction } from "../../../src/http/interaction.ts";
import { compareReports } from "../../../src/report/comparison/compare_reports.ts";
import type { Comparison } from "../../../src/report/comparison/comparison.ts";
import type { Report } from "../../../src/report/report.ts";
import { listGaps } from "../../../src/report/text/gap_text.ts";
import { judgeConditions } from "../../../src/run/fail_on.ts";
import { shopApi } from "../../shop_api.ts";

type Raw = Record<string, unknown>;

const USER = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string", maxLength: 3 }, age: { type: "integer", minimum: 0 } },
};

/** A description with these paths. */
function describe(paths: Raw, schemas: Raw = { User: USER }): Raw {
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1.0.0" },
    paths,
    components: { schemas },
  };
}

const LIMIT = { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } };
const OK = { 200: { description: "Fine" } };

function takes(schema: Raw): Raw {
  return { requestBody: { content: { "application/json": { schema } } }, responses: OK };
}

function record(description: Raw, requests: readonly Interaction["request"][]): Report {
  const map = CoverageMap.fromDict(structuredClone(description));
  for (const request of requests) map.record(request, { status_code: 200 });
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
}

function get(url: string): Interaction["request"] {
  return { method: "GET", url };
}

function post(url: string, body: unknown): Interaction["request"] {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", url, headers, body: JSON.stringify(body) };
}

/** Gaps in short. */
function brief(gaps: Comparison["new_gaps"]): string[] {
  return gaps.map((gap) =>
    gap.kind === "operation_uncovered"
      ? `${gap.method} ${gap.path}`
      : gap.kind === "response_uncovered"
      ? `${gap.method} ${gap.path} ${gap.status_code}`
      : gap.kind === "parameter_uncovered"
      ? `${gap.method} ${gap.path} ${gap.parameter}`
      : `${gap.schema_path}${gap.kind === "keyword_uncovered" ? ` ${gap.state}` : ""}`
  );
}

Deno.test("responses are neither added nor removed if no traffic shows responses", () => {
  const withStatuses = (...statuses: number[]): Raw => {
    const responses = Object.fromEntries(statuses.map((status) => [status, { description: "" }]));
    return describe({ "/users": { get: { responses } } });
  };
  const [earlier, later] = [withStatuses(200, 404), withStatuses(200, 409)];
  const unanswered = (description: Raw): Report => {
    const map = CoverageMap.fromDict(structuredClone(description));
    map.record(get("/users"));
    return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
  };
  const changes = (report: Report, base: Report): string[] => {
    const { added, removed } = compareReports(report, base);
    const name = (part: Comparison["added"][number]) =>
      part.kind === "response" ? part.status_code : part.kind;
    return [...added.map((part) => `+${name(part)}`), ...removed.map((part) => `-${name(part)}`)];
  };
  const answered = (description: Raw) => record(description, [get("/users")]);
  assert.deepEqual(changes(answered(later), answered(earlier)), ["+409", "-404"]);
  assert.deepEqual(changes(unanswered(later), answered(earlier)), ["-404"]);
  assert.deepEqual(changes(answered(later), unanswered(earlier)), ["+409"]);
  assert.deepEqual(changes(unanswered(later), unanswered(earlier)), []);
  const gained = describe({ "/users": { get: { responses: OK }, put: { responses: OK } } });
  assert.deepEqual(changes(unanswered(gained), unanswered(withStatuses(200))), ["+operation"]);
});

Deno.test("a keyword whose value changes is another keyword", () => {
  const of = (maximum: number) =>
    describe({
      "/users": {
        get: { parameters: [{ ...LIMIT, schema: { type: "integer", maximum } }], responses: OK },
      },
    });
  const requests = [get("/users?limit=5"), get("/users?limit=150")];
  const base = record(of(100), requests);
  const changed = compareReports(record(of(200), requests), base);
  assert.deepEqual(changed.new_gaps, []);
  assert.deepEqual(brief(changed.uncovered_additions), [
    "/paths/~1users/get/parameters/0/schema/maximum invalid",
  ]);
  const text = JSON.stringify(base).replace(/,"value_hash":"[^"]*"/g, "");
  const older = compareReports(record(of(200), requests), JSON.parse(text) as Report);
  assert.deepEqual(brief(older.new_gaps), [
    "/paths/~1users/get/parameters/0/schema/maximum invalid",
  ], "a report without hashes has only the places to go by");
});

Deno.test("a keyword stays the same if an unordered value or an object's members are reordered", () => {
  const of = (names: readonly string[]) =>
    describe({
      "/users": {
        get: {
          parameters: [{ name: "sort", in: "query", schema: { type: "string", enum: names } }],
          responses: OK,
        },
      },
    });
  const base = record(of(["a", "b"]), [get("/users?sort=a"), get("/users?sort=x")]);
  const now = compareReports(record(of(["b", "a"]), [get("/users?sort=a")]), base);
  assert.deepEqual(brief(now.new_gaps), ["/paths/~1users/get/parameters/0/schema/enum invalid"]);
});

Deno.test("keywords are found again in a rearranged description", () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const operation = (schema: Raw, parameters: Raw[] = []) => ({
    "/users": { post: { ...takes(schema), parameters } },
  });
  const both = [post("/users", { name: "Ada" }), post("/users", { name: "Grace" })];
  const base = record(describe(operation(reference("User"))), both);
  const one = both.slice(0, 1);
  const rearranged: readonly [string, Raw, string][] = [
    [
      "renamed",
      describe(operation(reference("Person")), { Person: USER }),
      "/components/schemas/Person",
    ],
    [
      "inlined",
      describe(operation(USER)),
      "/paths/~1users/post/requestBody/content/application~1json/schema",
    ],
    [
      "extended",
      describe(operation({ allOf: [reference("User"), { type: "object" }] })),
      "/components/schemas/User",
    ],
  ];
  for (const [what, description, place] of rearranged) {
    const { new_gaps, removed } = compareReports(record(description, one), base);
    assert.ok(
      brief(new_gaps).includes(`${place}/properties/name/maxLength invalid`),
      `${what}: ${brief(new_gaps)}`,
    );
    assert.deepEqual(removed, []);
  }
  const moved = describe(
    operation({ type: "object", properties: { person: reference("Name") } }),
    { Name: { type: "object", properties: { name: USER.properties.name } } },
  );
  const nested = compareReports(
    record(moved, [post("/users", { person: { name: "Ada" } })]),
    base,
  );
  assert.ok(
    brief(nested.new_gaps).includes("/components/schemas/Name/properties/name/maxLength invalid"),
  );
});

Deno.test("keywords and examples are found again if allOf is reordered", () => {
  const text = { type: "string", minLength: 2, example: "Ada" };
  const people = { type: "object", properties: { name: text, friend: text } };
  const swapped = { ...people, properties: { friend: text, name: text } };
  const of = (allOf: readonly Raw[]) => describe({ "/users": { post: takes({ allOf }) } });
  const traffic = [post("/users", { name: "Ada", friend: "Bea" })];
  const base = record(of([people]), traffic);
  const now = compareReports(record(of([{ maxProperties: 9 }, swapped]), traffic), base);
  assert.deepEqual([brief(now.new_gaps), brief(now.closed_gaps)], [[], []]);
  assert.deepEqual(brief(now.uncovered_additions), [
    "/paths/~1users/post/requestBody/content/application~1json/schema/allOf/0/maxProperties invalid",
  ]);
});

Deno.test("members of a reordered allOf are matched by their content", () => {
  const choice = (one: string, other: string): Raw => ({
    anyOf: [{ type: "object", required: [one] }, { type: "object", maxProperties: 1 }],
    properties: { [other]: { type: "integer" } },
  });
  const numbers = { type: "object", anyOf: [{ minProperties: 2 }, { type: "object" }] };
  const members = [choice("a", "b"), numbers, choice("c", "d")];
  const of = (allOf: readonly Raw[]) => describe({ "/users": { post: takes({ allOf }) } });
  const base = record(of(members), [post("/users", { a: 1 }), post("/users", { a: 1, b: 2 })]);
  const traffic = [post("/users", { a: 1 }), post("/users", { a: 1, b: 2 })];
  for (const order of [[2, 1, 0], [1, 0, 2], [2, 0, 1]]) {
    const swapped = record(of(order.map((index) => members[index] as Raw)), traffic);
    const { new_gaps, closed_gaps, uncovered_additions } = compareReports(swapped, base);
    assert.deepEqual([new_gaps, closed_gaps, uncovered_additions].map(brief), [[], [], []]);
  }
});

Deno.test("a closed gap has the names and pointers of the current description", () => {
  const path = (name: string) => ({
    [`/users/{${name}}`]: {
      get: {
        parameters: [{
          name,
          in: "path",
          required: true,
          schema: { type: "integer", maximum: 100 },
        }],
        responses: OK,
      },
    },
  });
  const base = record(describe(path("id")), [get("/users/5")]);
  const { closed_gaps, added, removed } = compareReports(
    record(describe(path("user")), [get("/users/5"), get("/users/500")]),
    base,
  );
  assert.deepEqual([added, removed], [[], []]);
  assert.deepEqual(closed_gaps, [{
    kind: "keyword_uncovered",
    method: "GET",
    path: "/users/{user}",
    location: "path",
    parameter: "user",
    schema_path: "/paths/~1users~1{user}/get/parameters/0/schema/maximum",
    state: "invalid",
  }]);
});

Deno.test("examples are matched by value, and headers case-insensitively", () => {
  const of = (name: string, examples: readonly unknown[]) =>
    describe({
      "/users": {
        get: {
          parameters: [{ name, in: "header", schema: { type: "string", examples } }],
          responses: OK,
        },
      },
    });
  const send = (value: string) => [{ ...get("/users"), headers: { "X-Kind": value } }];
  const base = record(of("X-Kind", ["a", "b"]), send("a"));
  const now = compareReports(record(of("x-kind", ["c", "b", "a"]), send("b")), base);
  assert.deepEqual([now.added, now.removed], [[], []]);
  const values = (gaps: Comparison["new_gaps"]) =>
    gaps.flatMap((gap) => gap.kind === "example_uncovered" ? [gap.value] : []);
  assert.deepEqual(values(now.new_gaps), ["a"]);
  assert.deepEqual(values(now.uncovered_additions), ["c"]);
  assert.deepEqual(values(now.closed_gaps), ["b"]);
});

Deno.test("keywords of a parameter that only the baseline sent are neither new nor added", () => {
  const description = describe({ "/users": { get: { parameters: [LIMIT], responses: OK } } });
  const { new_gaps, uncovered_additions, closed_gaps } = compareReports(
    record(description, [get("/users?limit=5")]),
    record(description, [get("/users")]),
  );
  assert.deepEqual([new_gaps, uncovered_additions], [[], []]);
  assert.deepEqual(brief(closed_gaps), ["GET /users limit"]);
});

Deno.test("a list has an operation that was never called once, with the number of its other gaps", () => {
  const users = { get: { parameters: [LIMIT], responses: OK } };
  const { gaps } = record(describe({ "/a": users, "/b": users, "/c": users }), [get("/b")]);
  const { shown, rest } = listGaps(gaps, 2);
  assert.deepEqual(shown.map(({ gap, others }) => [gap.kind, gap.path, others]), [
    ["operation_uncovered", "/a", 2],
    ["parameter_uncovered", "/b", 0],
  ]);
  assert.equal(rest, 3);
});

const limit = (name = "limit") => ({
  name,
  in: "query",
  schema: { type: "integer", maximum: 100 },
});

function describeParameters(parameters: readonly unknown[]) {
  return shopApi({
    "/books": { get: { parameters, responses: { 200: { description: "Fine" } } } },
  });
}

function report(
  parameters: readonly unknown[],
  ...answers: readonly (readonly [query: string, status: number])[]
): Report {
  const map = CoverageMap.fromDict(describeParameters(parameters));
  for (const [query, status_code] of answers) {
    map.record({ method: "GET", url: `/books?${query}` }, { status_code });
  }
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
}

/** Kinds of the new findings. */
function fresh(now: Report, base: Omit<Report, "findings">): readonly string[] | undefined {
  return compareReports(now, base).new_findings?.map(({ kind }) => kind);
}

Deno.test("findings are new if the baseline doesn't have them, whatever their number", () => {
  const base = report([limit()], ["limit=500", 200]);
  assert.deepEqual(fresh(base, base), []);
  const now = report([limit()], ["limit=500", 200], ["limit=900", 200], ["limit=1", 500]);
  assert.deepEqual(fresh(now, base), ["undocumented_status", "server_error"]);
});

Deno.test("a rule that moved in the description is the same rule", () => {
  const base = report([limit()], ["limit=500", 200]);
  const now = report([limit("size"), limit()], ["limit=500", 200], ["size=500", 200]);
  const [only, ...more] = compareReports(now, base).new_findings ?? [];
  assert.deepEqual(more, []);
  assert.ok(only?.kind === "keyword_not_enforced" && only.parameter === "size");
});

Deno.test("no findings are new if the baseline's version had none", () => {
  const now = report([limit()], ["limit=500", 200]);
  const { findings: _, ...old } = now;
  assert.equal(fresh(now, old), undefined);
});

Deno.test("--fail-on new-findings fails on findings that the baseline doesn't have", () => {
  const base = report([limit()], ["limit=500", 200]);
  const now = report([limit()], ["limit=500", 200], ["limit=1", 500]);
  const reasons = (of: Report) =>
    judgeConditions([{ kind: "new-findings" }], {
      report: { ...of, comparison: compareReports(of, base) },
    }).flatMap(({ reasons }) => reasons);
  assert.deepEqual(reasons(base), []);
  assert.deepEqual(
    reasons(now),
    [
      "GET /books: The server answered once with 500 to a valid request.",
      "GET /books: Status 500 came once and isn't documented.",
    ].toReversed(),
  );
});
