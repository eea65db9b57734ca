import { CoverageMap } from "../../mod.ts";
import type { HttpRequest, HttpResponse } from "../../src/http/interaction.ts";
import { addStatistics, summarize } from "../../src/map/statistic.ts";
import type { Report } from "../../src/report/report.ts";
import { escapeToken } from "../../src/values/json_pointer.ts";

/** Kinds of samples: a typical report, one with 1,200 operations, one that attacks the page, and others. */
export type SampleKind = "shop" | "big" | "hostile" | "empty" | "timeless";

const BOOKSHOP = new URL("../../examples/bookshop/", import.meta.url);

/** A map's report without figures of later versions, which have their own samples. */
function baseReport(map: CoverageMap): Report {
  const report = map.report({ title: "Shop API", generatedAt: "2026-01-31T12:00:00Z" });
  const { operations, parameters, keywords, examples, responses } = report.summary;
  const { findings: _findings, tcl_criteria: _criteria, ...rest } = report;
  return {
    ...rest,
    schema: { ...report.schema, location: "openapi.yaml" },
    summary: { operations, parameters, keywords, examples, responses },
  };
}

/** Requests to leave out, so that some operations with much to cover are never called. */
const UNCALLED = /^(?:POST|PUT) \S+\/api\/v1\/(?:books(?:\/\d+)?|orders)$/;

/** Most of the example's traffic, without response bodies. */
async function makeShop(): Promise<Report> {
  const map = await CoverageMap.fromPath(new URL("openapi.yaml", BOOKSHOP), {
    basePath: "/api/v1",
  });
  const text = await Deno.readTextFile(new URL("traffic.json", BOOKSHOP));
  const { interactions } = JSON.parse(text) as {
    readonly interactions: readonly {
      readonly request: HttpRequest;
      readonly response?: HttpResponse;
      readonly timestamp: number;
    }[];
  };
  for (const { request, response, timestamp } of interactions) {
    if (UNCALLED.test(`${request.method} ${request.url}`)) continue;
    const { body: _, ...head } = response ?? { status_code: 0 };
    map.record(request, response && head, timestamp);
  }
  const unresolved = {
    severity: "error",
    code: "unresolved_reference",
    message: "The reference #/components/schemas/Voucher leads nowhere; anything is accepted here.",
    schema_path: "/components/schemas/Order/properties/voucher",
    line: 412,
    column: 19,
  } as const;
  const report = baseReport(map);
  return {
    ...report,
    operations: report.operations.map((operation) =>
      operation.path === "/broken" ? { ...operation, operation_id: null, tags: [] } : operation
    ),
    diagnostics: [
      unresolved,
      {
        ...unresolved,
        severity: "warning",
        code: "contradiction",
        message: "`minLength` 12 is above `maxLength` 8, so no text fits.",
      },
      {
        ...unresolved,
        severity: "info",
        code: "external_value",
        message: "An externalValue is not read, so the example does not count.",
        schema_path: "parts/products.yaml#/paths/~1products/post/requestBody",
        line: 31,
        column: null,
      },
    ],
  };
}

const SHOP = await makeShop();
const EMPTY = baseReport(
  CoverageMap.fromDict({ openapi: "3.1.0", info: { title: "None", version: "1" }, paths: {} }),
);

/** 1,200 operations: those of the shop in each of 75 areas. */
function bigReport(): Report {
  const areas = Array.from({ length: 75 }, (_, area) => area);
  const operations = areas.flatMap((area) =>
    SHOP.operations.map((operation) => ({
      ...operation,
      path: `/area-${area}${operation.path}`,
      operation_id: operation.operation_id && `${operation.operation_id}${area}`,
      tags: operation.tags.map((tag) => `${tag} ${area % 12}`),
    }))
  );
  const gaps = areas.flatMap((area) =>
    SHOP.gaps.map((gap) => ({ ...gap, path: `/area-${area}${gap.path}` }))
  );
  const summary = summarize(addStatistics(operations.map(({ summary }) => summary)), true);
  return { ...SHOP, summary, operations, gaps };
}

/** Text that tries to end elements, begin others, and run scripts. */
export const ATTACK =
  `</script><script>window.attacked=1</script><img src=x onerror=window.attacked=1>` +
  `<!--<script>'"\`\${window.attacked=1}&lt;\u2028\u0000`;

/** Text that tries to disturb the layout: bidirectional controls, no line breaks, odd characters. */
const STRANGE = `\u202e\u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧‍👦 ${
  "very_long_name_without_a_break_".repeat(8)
}\ud800`;

/** Paths of the shop, and their replacements. */
const HOSTILE_PATHS: Readonly<Record<string, string>> = {
  "PATCH /books/{book_id}": `/${ATTACK}`,
  "POST /books/{book_id}/cover": `/${STRANGE}`,
  "GET /export/{year}-{month}.{ext}": "?#%",
};

/** Three operations of the shop, with hostile text wherever a description can have some. */
function hostileReport(): Report {
  const hostile = <Entry extends { readonly method: string; readonly path: string }>(
    entries: readonly Entry[],
  ): Entry[] =>
    entries.flatMap((entry) => {
      const path = HOSTILE_PATHS[`${entry.method} ${entry.path}`];
      return path === undefined ? [] : [{ ...entry, path }];
    });
  const { operations, gaps } = JSON.parse(
    JSON.stringify({ operations: hostile(SHOP.operations), gaps: hostile(SHOP.gaps) }),
    (key, value) => {
      if (key === "schema_path") {
        return `/components/schemas/${escapeToken(ATTACK)}/properties/${STRANGE}${value}`;
      }
      if (key === "value") {
        return { [ATTACK]: [STRANGE, { deep: ATTACK }, value] };
      }
      if (key === "tags") return [ATTACK, STRANGE];
      if (key === "operation_id" || key === "parameter") return ATTACK;
      return value === "422" ? ATTACK : value;
    },
  ) as Pick<Report, "operations" | "gaps">;
  return {
    ...SHOP,
    title: `${ATTACK} ${STRANGE}`,
    schema: {
      ...SHOP.schema,
      location: ATTACK,
      title: ATTACK,
      version: STRANGE,
      base_path: ATTACK,
    },
    summary: summarize(
      addStatistics(operations.map(({ summary }) => summary)),
      true,
    ),
    operations,
    gaps,
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
  };
}

/** A reproducible sample report. */
export function sampleReport(kind: SampleKind): Report {
  switch (kind) {
    case "shop":
      return SHOP;
    case "big":
      return bigReport();
    case "hostile":
      return hostileReport();
    case "timeless": {
      const traffic = { ...SHOP.traffic, first_at: null, last_at: null };
      return { ...SHOP, traffic, timeline: null };
    }
    case "empty":
      return EMPTY;
  }
}
