import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type Interaction, type Report } from "../../mod.ts";
import type { ReportParameter } from "../../src/entries/report.ts";
import { gapCounts } from "../../src/report/gap_counts.ts";
import { pageModel } from "../report/page_model.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { RICH_DESCRIPTION } from "./rich_description.ts";
import { draftSchemas } from "./schema_arbitrary.ts";
import { SWAGGER_DESCRIPTION } from "./swagger_description.ts";
import { trafficTo } from "./traffic_arbitrary.ts";
import { shopApi } from "../shop_api.ts";

const DIMENSIONS = ["operations", "parameters", "keywords", "examples", "responses"] as const;
const FIELD = "x-covtool-ignore";

interface Scope {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

function record(description: object, traffic: readonly Interaction[], scope: Scope = {}) {
  const map = CoverageMap.fromDict(description, scope);
  for (const { request, response, timestamp } of traffic) map.record(request, response, timestamp);
  return map;
}

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SINGLE =
  /^(items|contains|not|if|then|else|propertyNames|(additional|unevaluated)(Properties|Items))$/;

/** A schema and all its subschemas. */
function schemasIn(schema: unknown): Fields[] {
  if (!isFields(schema)) return [];
  const inner = Object.entries(schema).flatMap(([keyword, value]) => {
    if (/^(properties|patternProperties|\$defs|dependentSchemas)$/.test(keyword)) {
      return Object.values(value as Fields);
    }
    if (/^(allOf|anyOf|oneOf|prefixItems)$/.test(keyword)) return value as unknown[];
    return SINGLE.test(keyword) ? [value] : [];
  });
  return [schema, ...inner.flatMap(schemasIn)];
}

/** Every object in a description that may have x-covtool-ignore. */
function ignorable(description: Raw): Fields[] {
  const root = description as unknown as Fields;
  const items = Object.values(root["paths"] as Fields).filter(isFields);
  const operations = items.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) =>
      /^(get|put|post|patch|delete|head)$/.test(name) && isFields(value) ? [value] : []
    )
  );
  const parameters = [...items, ...operations].flatMap(({ parameters }) =>
    ((parameters ?? []) as unknown[]).filter(isFields).filter(({ $ref }) => $ref === undefined)
  );
  const bodies = operations.map(({ requestBody }) => requestBody).filter(isFields);
  const media = bodies.flatMap(({ content }) => Object.values(content ?? {})).filter(isFields);
  const responses = operations.flatMap(({ responses }) => Object.values(responses ?? {}))
    .filter(isFields);
  const components = (root["components"] ?? {}) as Fields;
  const named = { ...components["schemas"] as Fields, ...root["definitions"] as Fields };
  const schemas = [...parameters, ...media].map(({ schema }) => schema);
  return [
    ...[...items, ...operations, ...parameters, ...bodies, ...media, ...responses],
    ...[...Object.values(named), ...schemas].flatMap(schemasIn),
  ];
}

/** A copy of a description with x-covtool-ignore in some objects, chosen by numbers. */
function marked(description: Raw, marks: readonly number[]): Raw {
  const copy = structuredClone(description);
  const places = ignorable(copy);
  for (const mark of marks) {
    const place = places[Math.floor(mark * places.length)];
    if (place !== undefined) place[FIELD] = "chosen";
  }
  return copy;
}

const PATTERN = fc.constantFrom(
  ...["GET /items", "/items/*", "/items/{id}/**", "PATCH /**", "tag:*", "operation:list*"],
  ...["deprecated", "response:4XX", "response:default", "response:*", "parameter:limit"],
  ...["parameter:header:*", "parameter:body:*", "keyword:type", "keyword:p*", "keyword:format"],
  ...["/nowhere", "keyword:enum", "parameter:query:*", "/**"],
);
const SCOPE = fc.record({
  include: fc.array(PATTERN, { maxLength: 2 }),
  exclude: fc.array(PATTERN, { maxLength: 3 }),
  marks: fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { maxLength: 4 }),
});

function figures(part: object, dimension: string): number[] {
  const counts = (part as Record<string, Record<string, number>>)[dimension] ?? {};
  return ["seen", "partial", "full", "total", "not_measured"].map((name) => counts[name] ?? 0);
}

function total(parts: readonly object[], dimension: string): number[] {
  return parts.map((part) => figures(part, dimension))
    .reduce((sum, counts) => sum.map((count, index) => count + (counts[index] ?? 0)), [
      ...[0, 0, 0, 0, 0],
    ]);
}

/** Asserts that all parts of a report agree. */
function assertAgrees(report: Report): void {
  const { summary, operations, timeline } = report;
  for (const dimension of DIMENSIONS) {
    const own = total(operations.map((operation) => operation.summary), dimension);
    assert.deepEqual(own, figures(summary, dimension), `operations have ${dimension}`);
    if (timeline === null) continue;
    const [seen = 0, partial = 0, full = 0] = figures(summary, dimension);
    const last = (timeline[dimension].at(-1) ?? 0) + timeline.undated[dimension];
    assert.equal(last, seen + partial + full, `the timeline has ${dimension}`);
  }
  for (const { parameters, excluded } of operations) {
    for (const parameter of parameters) {
      if (excluded !== undefined) assert.notEqual(parameter.excluded, undefined);
      if (parameter.hits === 0) continue;
      const counted = parameter.keywords.filter((keyword) =>
        keyword.satisfiability === "Normal" && keyword.excluded === undefined
      );
      assert.equal(counted.length, parameter.keyword_total, parameter.schema_path);
    }
  }
  assert.equal(
    pageModel(report).gaps.total,
    gapCounts(summary, report.traffic).total,
    "the page has the gaps of the report",
  );
}

for (const [name, description] of Object.entries({ RICH_DESCRIPTION, SWAGGER_DESCRIPTION })) {
  Deno.test(`included and excluded parts add up to the whole description, in ${name}`, () => {
    fc.assert(
      fc.property(trafficTo(description), SCOPE, (traffic, { include, exclude, marks }) => {
        const whole = record(description, traffic).report();
        const map = record(marked(description, marks), traffic, { include, exclude });
        const report = map.report();
        const parts = [
          report.summary,
          ...(report.exclusions ?? []).map(({ excluded }) => excluded),
        ];
        for (const dimension of DIMENSIONS) {
          assert.deepEqual(total(parts, dimension), figures(whole.summary, dimension), dimension);
        }
        assertAgrees(report);
        assert.deepEqual(report.traffic, whole.traffic);
        const all = new Set(whole.gaps.map((gap) => JSON.stringify(gap)));
        assert.ok(report.gaps.every((gap) => all.has(JSON.stringify(gap))), "a gap is new");
        const uncovered = map.uncoveredKeywords().length;
        assert.ok(uncovered <= record(description, traffic).uncoveredKeywords().length);
      }),
      { numRuns: 80 },
    );
  });
}

Deno.test("a scope gives the numbers of a description without the excluded parts", () => {
  const description = RICH_DESCRIPTION;
  const count = ignorable(description).length;
  fc.assert(
    fc.property(
      trafficTo(description),
      fc.array(fc.nat(count - 1), { minLength: 1, maxLength: 5 }),
      (traffic, chosen) => {
        const excluding = structuredClone(description);
        const without = structuredClone(description);
        const places = ignorable(excluding);
        const isRemovable = (place: Fields) =>
          place["responses"] !== undefined ||
          (place["name"] !== undefined && place["in"] !== "path");
        for (const index of chosen) {
          const place = places[index];
          if (place === undefined || !isRemovable(place)) continue;
          place[FIELD] = true;
          (ignorable(without)[index] as Fields)[FIELD] = true;
        }
        const left = record(excluding, traffic).report();
        const right = record(removed(without) as object, traffic).report();
        for (const dimension of DIMENSIONS) {
          assert.deepEqual(left.summary[dimension], right.summary[dimension], dimension);
        }
        assert.deepEqual(
          left.operations.filter(({ excluded }) => excluded === undefined)
            .map(({ path }) => path),
          right.operations.map(({ path }) => path),
        );
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("an excluded schema also excludes what only it leads to, and nothing else", () => {
  fc.assert(
    fc.property(
      draftSchemas("2020-12", "/components/schemas"),
      fc.array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { minLength: 1, maxLength: 4 }),
      ({ schema, definitions }, marks) => {
        const schemas = structuredClone({ ...definitions, body: schema });
        const places = Object.values(schemas).flatMap(schemasIn);
        for (const mark of marks) {
          const place = places[Math.floor(mark * places.length)];
          if (place !== undefined) place[FIELD] = true;
        }
        const scoped = sentBody(schemas);
        const cut = sentBody(replaced(schemas) as Fields);
        const left = new Set(cut.keywords.map(({ schema_path }) => schema_path));
        let normal = 0;
        for (const { schema_path, satisfiability, excluded } of scoped.keywords) {
          if (satisfiability !== "Normal") continue;
          assert.equal(excluded === undefined, left.has(schema_path), schema_path);
          if (excluded === undefined) normal++;
        }
        assert.equal(scoped.keyword_total, normal);
      },
    ),
    { numRuns: 400 },
  );
});

/** The body in the report of a description with these components, after one request. */
function sentBody(schemas: Fields): ReportParameter {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/body" } } };
  const description = shopApi({ "/": { post: { requestBody: { content }, responses: {} } } }, {
    components: { schemas },
  });
  const request = {
    method: "POST",
    url: "http://localhost/",
    headers: { "content-type": "application/json" },
    body: "1",
  };
  const parameter = record(description, [{ request }]).report().operations[0]?.parameters[0];
  assert.ok(parameter !== undefined);
  return parameter;
}

/** A copy with `true` in place of schemas with x-covtool-ignore. */
function replaced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaced);
  if (!isFields(value)) return value;
  if (value[FIELD] === true) return true;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member)]),
  );
}

/** A copy without the objects that have x-covtool-ignore. */
function removed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isFields(item) || item[FIELD] !== true).map(removed);
  }
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => !isFields(member) || member[FIELD] !== true)
      .map(([name, member]) => [name, removed(member)]),
  );
}
