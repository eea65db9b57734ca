import { formatAmount, formatNumber, sentenceList } from "../wording/amounts.ts";
import { UNMATCHED_REASONS } from "../wording/unmatched_reasons.ts";
import type {
  UndocumentedUse,
  UnseenPart,
  UsageCount,
  UsageItem,
  UsageKind,
  UsageReport,
} from "./usage_report.ts";

/** The text up to which a value is shown. */
const VALUE_LENGTH = 60;

/** The names of the kinds, at the beginning of a row. */
export const USAGE_LABELS: Readonly<Record<UsageKind, string>> = {
  operation: "Operations",
  parameter: "Parameters",
  value: "Values",
  response: "Responses",
};

/** The three lists of a report: headings, and a sentence about each. */
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

/** The counts of a kind in the order in which reports show them, with its label. */
export function usageRows(
  { summary }: UsageReport,
): readonly { readonly label: string; readonly count: UsageCount }[] {
  return [
    { label: USAGE_LABELS.operation, count: summary.operations },
    { label: USAGE_LABELS.parameter, count: summary.parameters },
    { label: USAGE_LABELS.value, count: summary.values },
    { label: USAGE_LABELS.response, count: summary.responses },
  ];
}

/**
 * The counts of a kind in words: `10 of 12 used are tested`.
 *
 * @example
 * ```ts
 * import { usageCounts } from "./usage_wording.ts";
 * import assert from "node:assert/strict";
 *
 * const count = { total: 9, used: 4, tested: 5, used_and_tested: 3, percent: 75, not_measured: 0 };
 * assert.equal(usageCounts(count), "3 of 4 used are tested, 2 tested only");
 * ```
 */
export function usageCounts(
  { total, used, tested, used_and_tested, not_measured }: UsageCount,
): string {
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

/**
 * The part of an operation that an item is, after its method and path; empty for an operation itself.
 *
 * @example
 * ```ts
 * import { usageItemText } from "./usage_wording.ts";
 * import assert from "node:assert/strict";
 *
 * const of = { method: "GET", path: "/books", production: 9, share: 1, tests: 0 };
 * const sort = { location: "query", parameter: "sort" } as const;
 * assert.equal(usageItemText({ kind: "value", ...of, ...sort, value: "-price" }), 'query sort = "-price"');
 * assert.equal(usageItemText({ kind: "response", ...of, status_code: "404" }), "response 404");
 * ```
 */
export function usageItemText(item: UsageItem): string {
  const parameter = `${(item.location ?? "").replace("_", " ")} ${item.parameter ?? ""}`;
  switch (item.kind) {
    case "operation":
      return "";
    case "parameter":
      return parameter;
    case "value": {
      const value = JSON.stringify(item.value);
      const shown = value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH)}…` : value;
      return `${parameter} = ${shown}`;
    }
    case "response":
      return `response ${item.status_code}`;
  }
}

/** What production showed beside the description, after its method and path. */
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

/** The sentence about production's requests: how many go to operations that tests call. */
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

/** A sentence for each side that could not show everything. */
export function unseenTexts({ not_measured }: UsageReport): string[] {
  return (["tests", "production"] as const).flatMap((side) => {
    const parts = not_measured.filter((one) => one.side === side).map(({ part }) => PARTS[part]);
    if (parts.length === 0) return [];
    const traffic = side === "tests" ? "the traffic of tests" : "production's traffic";
    return [
      `Not measured: ${traffic} doesn't show ${sentenceList(parts, "or")}.`,
    ];
  });
}

/** The sentence about requests that hits did not keep. */
export function unlistedText({ unlisted_requests }: UsageReport): string {
  return `${
    formatAmount(unlisted_requests, "more request")
  } that match nothing are not listed: hits keep 1,000 different ones.`;
}
