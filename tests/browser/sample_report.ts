import type { Json } from "../../src/values/json.ts";
import { escapeToken } from "../../src/values/json_pointer.ts";
import type { ParameterLocation, Satisfiability } from "../../src/values/position.ts";
import type { Gap, Summary, Timeline } from "../../src/map/results.ts";
import { addStatistics, summarize } from "../../src/map/statistic.ts";
import type {
  Report,
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
} from "../../src/report/report.ts";
import { chance } from "../corpus/random.ts";
import { describeShop, type OperationPlan, type ParameterPlan } from "./sample_shop.ts";

/** Which sample to make: an everyday report, one of 1,200 operations, one that attacks the page, … */
export type SampleKind = "shop" | "big" | "hostile" | "empty" | "timeless";

const START = 1_700_000_000;

function makeKeyword(pointer: string, hits: number, random: () => number): ReportKeyword {
  const keyword = pointer.slice(pointer.lastIndexOf("/") + 1);
  const satisfiability: Satisfiability = keyword === "nullable" ? "Positive" : "Normal";
  const reached = random() < 0.85;
  const valid = reached && random() < 0.95 ? Math.ceil(hits * (0.4 + random() * 0.6)) : 0;
  const failing = satisfiability === "Normal" && reached && random() < 0.35;
  const invalid = failing ? Math.ceil(hits * random() * 0.3) : 0;
  const state = valid > 0 && invalid > 0 ? "full" : valid + invalid > 0 ? "partial" : "none";
  return { keyword, schema_path: pointer, valid, invalid, state, satisfiability };
}

function makeParameter(
  plan: ParameterPlan,
  pointer: string,
  operationHits: number,
  random: () => number,
): ReportParameter {
  const sent = operationHits > 0 && (plan.required || random() < 0.7);
  const hits = !sent ? 0 : plan.required ? operationHits : Math.ceil(operationHits * random()) || 1;
  const pointers = plan.keywords.map((ending) =>
    ending.startsWith("/") ? ending : `${pointer}/schema/${ending}`
  );
  const keywords = pointers.map((one) => makeKeyword(one, hits, random));
  const examples: ReportExample[] = plan.examples.map((value, index) => ({
    schema_path: `${pointer}/schema/examples/${index}`,
    value,
    hits: random() < 0.5 ? Math.ceil(random() * hits) : 0,
  }));
  const unsupported = plan.name.includes("xml");
  return {
    location: plan.location,
    parameter: plan.name,
    required: plan.required,
    hits,
    keyword_total: unsupported
      ? 0
      : keywords.filter(({ satisfiability }) => satisfiability === "Normal").length,
    example_total: unsupported ? 0 : examples.length,
    schema_path: pointer,
    keywords: hits === 0 || unsupported ? [] : keywords,
    examples: hits === 0 || unsupported ? [] : examples,
    malformed: plan.location === "body" && hits > 20 ? 2 : 0,
    not_recorded: plan.location === "body" && hits > 30 ? 1 : 0,
    unsupported,
  };
}

function pointerOf(plan: OperationPlan, parameter: ParameterPlan, index: number): string {
  const base = `/paths/${escapeToken(plan.path)}/${plan.method.toLowerCase()}`;
  return parameter.location === "body"
    ? `${base}/requestBody/content/${escapeToken(parameter.name)}`
    : `${base}/parameters/${index}`;
}

function makeResponses(plan: OperationPlan, hits: number, random: () => number): ReportResponse[] {
  return plan.statuses.map((status_code, index) => {
    const seen = hits > 0 && (index === 0 || random() < 0.4);
    const mean = 0.004 + random() * 0.08;
    return {
      status_code,
      hits: seen ? Math.max(1, Math.round(hits * (index === 0 ? 0.8 : random() * 0.1))) : 0,
      elapsed: seen ? { mean, max: mean * (2 + random() * 20) } : null,
    };
  });
}

/** The five dimensions of some operations. */
function summaryOf(
  operations: readonly Omit<ReportOperation, "summary">[],
  examples: number,
): Summary {
  const parameters = operations.flatMap((operation) => operation.parameters);
  const responses = operations.flatMap((operation) => operation.responses);
  const keywords = parameters.flatMap((parameter) => parameter.keywords)
    .filter(({ satisfiability }) => satisfiability === "Normal");
  const partial = keywords.filter(({ state }) => state === "partial").length;
  const full = keywords.filter(({ state }) => state === "full").length;
  const total = parameters.reduce((sum, { keyword_total }) => sum + keyword_total, 0);
  const used = parameters.flatMap((parameter) => parameter.examples)
    .filter(({ hits }) => hits > 0).length;
  const count = (list: readonly { readonly hits: number }[]): { seen: number; total: number } => ({
    seen: list.filter(({ hits }) => hits > 0).length,
    total: list.length,
  });
  return summarize({
    operations: count(operations),
    parameters: count(parameters),
    keywords: { partial, full, total },
    examples: { seen: used, total: examples },
    responses: count(responses),
  }, true);
}

function makeOperation(plan: OperationPlan, random: () => number): ReportOperation {
  const hits = random() < plan.called ? Math.ceil(random() * random() * 90) : 0;
  const parameters = plan.parameters.map((parameter, index) =>
    makeParameter(parameter, pointerOf(plan, parameter, index), hits, random)
  );
  const examples = plan.parameters.filter(({ name }) => !name.includes("xml"))
    .reduce((sum, parameter) => sum + parameter.examples.length, 0);
  const first = START + Math.floor(random() * 60);
  const operation = {
    method: plan.method,
    path: plan.path,
    operation_id: plan.id,
    tags: plan.tags,
    deprecated: plan.deprecated,
    hits,
    first_at: hits === 0 ? null : first,
    last_at: hits === 0 ? null : first + Math.floor(random() * 240),
    parameters,
    responses: makeResponses(plan, hits, random),
    undocumented_responses: hits > 0 && random() < 0.12 ? [{ status_code: "500", hits: 1 }] : [],
  };
  return { ...operation, summary: summaryOf([operation], examples) };
}

function* parameterGaps(
  at: { readonly method: string; readonly path: string },
  parameter: ReportParameter,
): Generator<Gap> {
  const { location, parameter: name } = parameter;
  const where = { ...at, location, parameter: name };
  if (parameter.hits === 0) {
    yield { kind: "parameter_uncovered", ...where };
    return;
  }
  for (const { schema_path, valid, invalid, satisfiability } of parameter.keywords) {
    if (satisfiability !== "Normal") continue;
    if (valid === 0) yield { kind: "keyword_uncovered", ...where, schema_path, state: "valid" };
    if (invalid === 0) yield { kind: "keyword_uncovered", ...where, schema_path, state: "invalid" };
  }
  for (const { schema_path, value, hits } of parameter.examples) {
    if (hits === 0) yield { kind: "example_uncovered", ...where, schema_path, value };
  }
}

/** The gaps that a report's operations have, as the recorder would list them. */
function gapsOf(operations: readonly ReportOperation[]): Gap[] {
  return operations.flatMap(({ method, path, hits, parameters, responses }) => {
    const at = { method, path };
    return [
      ...(hits === 0 ? [{ kind: "operation_uncovered", ...at } as const] : []),
      ...parameters.flatMap((parameter) => [...parameterGaps(at, parameter)]),
      ...responses.filter((response) => response.hits === 0).map(({ status_code }) =>
        ({ kind: "response_uncovered", ...at, status_code }) as const
      ),
    ];
  });
}

/** Coverage that grew fast at first and slowly then, up to what the summary says. */
function growth({ operations, parameters, keywords, examples, responses }: Summary): Timeline {
  const moments = Array.from({ length: 53 }, (_, index) => 6 * index);
  const curve = (total: number, speed: number): number[] =>
    moments.map((moment) =>
      moment === 312 ? total : Math.floor(total * (1 - Math.exp(-moment / speed)))
    );
  return {
    at: moments.map((moment) => START + moment),
    operations: curve(operations.seen, 60),
    parameters: curve(parameters.seen, 75),
    keywords: curve(keywords.partial + keywords.full, 90),
    examples: curve(examples.seen, 140),
    responses: curve(responses.seen, 110),
    undated: { operations: 0, parameters: 0, keywords: 0, examples: 0, responses: 0 },
  };
}

function reportOf(
  title: string,
  plans: readonly OperationPlan[],
  seed: number,
  more: Partial<Report> = {},
): Report {
  const random = chance(seed);
  const operations = plans.map((plan) => makeOperation(plan, random));
  const matched = operations.reduce((sum, { hits }) => sum + hits, 0);
  const unmatched = more.unmatched_total ?? 0;
  const summary = summarize(addStatistics(operations.map(({ summary }) => summary)), true);
  return {
    format_version: 1,
    tool: { name: "covtool", version: "0.1.0" },
    title,
    generated_at: "2026-01-31T12:00:00Z",
    schema: {
      location: "openapi.yaml",
      title,
      version: "1.2.0",
      specification: "OpenAPI 3.1.0",
      base_path: "/v1",
    },
    traffic: {
      recorded: matched + unmatched,
      matched,
      unmatched,
      first_at: matched === 0 ? null : START,
      last_at: matched === 0 ? null : START + 312,
    },
    summary,
    operations,
    timeline: matched === 0 ? null : growth(summary),
    gaps: gapsOf(operations),
    unmatched: [],
    unmatched_total: unmatched,
    suggested_base_path: null,
    diagnostics: [],
    ...more,
  };
}

function shopReport(): Report {
  return reportOf("Shop API", describeShop(), 7, {
    unmatched: [
      {
        method: "PATCH",
        host: "localhost:8080",
        path: "/users/{user_id}",
        reason: "method_not_documented",
        count: 2,
        first_at: START + 12,
      },
      {
        method: "GET",
        host: "localhost:8080",
        path: "/healthz",
        reason: "no_matching_path",
        count: 31,
        first_at: START,
      },
      {
        method: "GET",
        host: "localhost:8080",
        path: "/v2/products",
        reason: "outside_base_path",
        count: 4,
        first_at: null,
      },
    ],
    unmatched_total: 37,
    diagnostics: [
      {
        severity: "error",
        code: "unresolved_reference",
        message:
          "The reference #/components/schemas/Voucher leads nowhere; anything is accepted here.",
        schema_path: "/components/schemas/Order/properties/voucher",
        line: 412,
        column: 19,
      },
      {
        severity: "warning",
        code: "contradiction",
        message: "`minLength` 12 is above `maxLength` 8, so no text fits.",
        schema_path: "/components/schemas/Login/properties/password",
        line: 388,
        column: 11,
      },
      {
        severity: "info",
        code: "external_value",
        message: "An externalValue is not read, so the example does not count.",
        schema_path: "parts/products.yaml#/paths/~1products/post/requestBody",
        line: 31,
        column: null,
      },
    ],
  });
}

/** 1,200 operations with about 53,000 keywords. */
function bigReport(): Report {
  const shop = describeShop();
  const plans = Array.from({ length: 1200 }, (_, index): OperationPlan => {
    const plan = shop[index % shop.length] as OperationPlan; // the remainder is an index of it
    const area = Math.floor(index / shop.length);
    const grown = plan.parameters.map((parameter) =>
      parameter.location === "body"
        ? { ...parameter, keywords: widen(parameter.keywords, 5) }
        : parameter
    );
    return {
      ...plan,
      path: `/area-${area}${plan.path}`,
      id: plan.id === null ? null : `${plan.id}${area}`,
      tags: plan.tags.map((tag) => `${tag} ${area % 12}`),
      parameters: grown,
    };
  });
  return reportOf("Everything Cloud API", plans, 11);
}

/** A body's keywords repeated in further components, as large descriptions have them. */
function widen(keywords: readonly string[], times: number): string[] {
  return Array.from(
    { length: times },
    (_, index) =>
      keywords.map((pointer) =>
        index === 0 ? pointer : pointer.replace(/^(\/components\/schemas\/\w+)/, `$1Part${index}`)
      ),
  ).flat();
}

/** Text that tries to end, to begin and to run things. */
export const ATTACK =
  `</script><script>window.attacked=1</script><img src=x onerror=window.attacked=1>` +
  `<!--<script>'"\`\${window.attacked=1}&lt;\u2028\u0000`;

/** Text that tries to disturb the layout: other directions, no places to break, odd characters. */
const STRANGE = `\u202e\u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧‍👦 ${
  "very_long_name_without_a_break_".repeat(8)
}\ud800`;

function hostileReport(): Report {
  const parameter = (location: ParameterLocation, name: string): ParameterPlan => ({
    location,
    name,
    required: true,
    keywords: [
      "type",
      "maxLength",
      `/components/schemas/${escapeToken(ATTACK)}/properties/${STRANGE}/pattern`,
    ],
    examples: [ATTACK, { [ATTACK]: [STRANGE, { deep: ATTACK }] } satisfies Json],
  });
  const plan = (path: string): OperationPlan => ({
    method: "GET",
    path,
    id: ATTACK,
    tags: [ATTACK, STRANGE],
    deprecated: true,
    called: 1,
    parameters: [parameter("query", ATTACK), parameter("body", STRANGE)],
    statuses: ["200", ATTACK],
  });
  return reportOf(
    `${ATTACK} ${STRANGE}`,
    [plan(`/${ATTACK}`), plan(`/${STRANGE}`), plan("?#%")],
    3,
    {
      schema: {
        location: ATTACK,
        title: ATTACK,
        version: STRANGE,
        specification: "OpenAPI 3.1.0",
        base_path: ATTACK,
      },
      unmatched: [{
        method: "X<B>",
        host: ATTACK,
        path: STRANGE,
        reason: "invalid_url",
        count: 1,
        first_at: 1e300,
      }],
      unmatched_total: 5,
      suggested_base_path: ATTACK,
      diagnostics: [{
        severity: "error",
        code: "syntax",
        message: `${ATTACK} ${STRANGE}`,
        schema_path: ATTACK,
        line: 1,
        column: 1,
      }],
    },
  );
}

/** A report to look at and to test with; the same kind is the same report every time. */
export function sampleReport(kind: SampleKind): Report {
  switch (kind) {
    case "shop":
      return shopReport();
    case "big":
      return bigReport();
    case "hostile":
      return hostileReport();
    case "timeless": {
      const report = shopReport();
      const traffic = { ...report.traffic, first_at: null, last_at: null };
      return { ...report, traffic, timeline: null };
    }
    case "empty":
      return reportOf("Nothing yet", [], 1);
  }
}
