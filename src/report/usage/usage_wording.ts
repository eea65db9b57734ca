import { operationName } from "../../values/operation_name.ts";
import type {
  Block,
  BlockColumn,
  FiguresBlock,
  SectionBlock,
  TableBlock,
} from "../blocks/block.ts";
import { schemaFacts, trafficText } from "../blocks/coverage_blocks.ts";
import {
  capitalized,
  formatAmount,
  formatNumber,
  formatPercent,
  sentenceList,
  shortened,
} from "../wording/amounts.ts";
import { parameterText } from "../wording/place_name.ts";
import { classPlace, classText } from "../wording/values_wording.ts";
import { UNMATCHED_REASONS } from "../wording/finding_wording.ts";
import type {
  UndocumentedUse,
  UnseenPart,
  UsageCount,
  UsageItem,
  UsageReport,
} from "./usage_report.ts";

const VALUE_LENGTH = 60;

export const USAGE_SECTIONS = {
  untested: {
    title: "Used, not tested",
    definition:
      "Production shows it and tests don't. Parts of an operation that no test calls are not listed on their own.",
    none: "Tests exercise everything that production uses.",
  },
  unused: {
    title: "Tested, not used",
    definition:
      "Tests exercise it and production doesn't show it. Parts of an operation that nobody uses are not listed on their own.",
    none: "Production uses everything that tests exercise.",
  },
  undocumented: {
    title: "Used, not documented",
    definition: "Production shows it and the description lacks it. Ids in paths are written {}.",
    none: "Production shows nothing that the description lacks.",
  },
} as const;

function countsText({ total, used, tested, used_and_tested, not_measured }: UsageCount): string {
  const only = tested - used_and_tested;
  if (total === 0) return not_measured > 0 ? "not measured" : "none documented";
  return [
    used === 0
      ? "none used"
      : `${formatNumber(used_and_tested)} of ${formatNumber(used)} used ${
        used === 1 ? "is" : "are"
      } tested`,
    ...(only === 0 ? [] : [`${formatNumber(only)} tested only`]),
    ...(not_measured === 0 ? [] : [`${formatNumber(not_measured)} not measured`]),
  ].join(", ");
}

/** The part of the operation, to follow its name. Empty for the operation itself. */
export function usageItemText(item: UsageItem): string {
  const parameter = parameterText({ location: "", parameter: "", ...item });
  switch (item.kind) {
    case "operation":
      return "";
    case "parameter":
      return parameter;
    case "value":
      return `${parameter} = ${shortened(JSON.stringify(item.value), VALUE_LENGTH)}`;
    case "class": {
      const { class: name = "present", schema_path = "", instance_path = "", value } = item;
      const one = { class: name, schema_path, ...(value !== undefined && { value }) };
      return `${classPlace({ ...item, instance_path })}: ${classText(one)}`;
    }
    case "response":
      return `response ${item.status_code}`;
  }
}

export function undocumentedText(use: UndocumentedUse): string {
  switch (use.kind) {
    case "endpoint": {
      const reason = UNMATCHED_REASONS[use.reason];
      return use.paths > 1 ? `${reason}, ${formatAmount(use.paths, "different path")}` : reason;
    }
    case "status":
      return `status ${use.status_code}`;
    case "media_type": {
      const body = use.media_type === "" ? "body without a media type" : `body ${use.media_type}`;
      return use.status_code === undefined ? body : `response ${use.status_code}: ${body}`;
    }
  }
}

export function testedRequestsText({ production, tested_requests }: UsageReport): string {
  return `${formatNumber(tested_requests.count)} of ${
    formatAmount(production.matched, "request")
  } in production ${production.matched === 1 ? "goes" : "go"} to operations that tests call.`;
}

const PARTS: Readonly<Record<UnseenPart["part"], string>> = {
  path_parameters: "path parameters",
  query: "queries",
  request_headers: "request headers",
  request_body: "request bodies",
  responses: "responses",
};

/** One sentence for each side whose traffic could not show everything. */
export function unseenTexts({ not_measured }: UsageReport): string[] {
  return (["tests", "production"] as const).flatMap((side) => {
    const parts = not_measured.filter((one) => one.side === side).map(({ part }) => PARTS[part]);
    if (parts.length === 0) return [];
    const traffic = side === "tests" ? "the traffic of tests" : "production's traffic";
    return [`Not measured: ${traffic} doesn't show ${sentenceList(parts, "or")}.`];
  });
}

export function unlistedText({ unlisted_requests }: UsageReport): string {
  return `${
    formatAmount(unlisted_requests, "more request")
  } that match nothing are not listed: hits keep 1,000 different ones.`;
}

const MAX_ROWS = 20;

export function usageSummary(report: UsageReport): Block[][] {
  const { title, schema, tests, production } = report;
  const quiet = [
    schemaFacts(schema).join(" · "),
    `Tests: ${trafficText(tests)}`,
    `Production: ${trafficText(production)}`,
  ];
  return [
    [
      { type: "heading", title, subject: "used in production, and tested" },
      ...quiet.map((text) => ({ type: "line", text, tone: "quiet" }) as const),
    ],
    [
      usageFigures(report),
      ...[testedRequestsText(report), ...unseenTexts(report)]
        .map((text) => ({ type: "line", text }) as const),
    ],
  ];
}

export function usageFigures({ summary }: UsageReport): FiguresBlock {
  const kinds = ["operations", "parameters", "values", "classes", "responses"] as const;
  return {
    type: "figures",
    header: "Used and tested",
    rows: kinds.flatMap((kind) => {
      const count = summary[kind];
      if (count === undefined) return [];
      return [{ label: capitalized(kind), percent: count.percent, counts: countsText(count) }];
    }),
  };
}

export type UsageList = keyof typeof USAGE_SECTIONS;

const OPERATION: readonly BlockColumn[] = [
  { header: "Operation", kind: "operation" },
  { header: "Part", kind: "part" },
];
const PRODUCTION: BlockColumn = { header: "Production", kind: "number" };
const TESTS: BlockColumn = { header: "Tests", kind: "number" };

export function usageTables(report: UsageReport): Readonly<Record<UsageList, TableBlock>> {
  const item = (one: UsageItem) => [operationName(one), usageItemText(one)];
  return {
    untested: {
      type: "table",
      columns: [...OPERATION, PRODUCTION, { header: "Share", kind: "number" }],
      rows: report.untested.map((one) => [
        ...item(one),
        formatNumber(one.production),
        formatPercent(one.share),
      ]),
      most: MAX_ROWS,
    },
    undocumented: {
      type: "table",
      columns: [
        { header: "Request", kind: "operation" },
        { header: "What", kind: "text" },
        PRODUCTION,
        TESTS,
      ],
      rows: report.undocumented.map((use) => [
        operationName(use),
        undocumentedText(use),
        formatNumber(use.production),
        formatNumber(use.tests),
      ]),
      most: MAX_ROWS,
    },
    unused: {
      type: "table",
      columns: [...OPERATION, TESTS],
      rows: report.unused.map((one) => [...item(one), formatNumber(one.tests)]),
      most: MAX_ROWS,
    },
  };
}

export function usageSections(report: UsageReport): SectionBlock[] {
  const tables = usageTables(report);
  return (["untested", "undocumented", "unused"] as const).map((name) => {
    const { title, none } = USAGE_SECTIONS[name];
    const { length } = tables[name].rows;
    const more = name === "undocumented" && report.unlisted_requests > 0
      ? [{ type: "line", text: unlistedText(report) } as const]
      : [];
    return {
      type: "section",
      title: `${title}: ${formatNumber(length)}`,
      blocks: [length === 0 ? { type: "line", text: none } : tables[name], ...more],
    };
  });
}
