import { DIMENSIONS } from "../map/results.ts";
import type { Report } from "./report.ts";

/** The part of an earlier report that a comparison needs. */
export type BaseReport = Pick<
  Report,
  | "format_version"
  | "title"
  | "generated_at"
  | "schema"
  | "summary"
  | "operations"
  | "gaps"
  | "findings"
>;

const AGAIN = "Write it again with --format json.";

/** Validates a covtool JSON report. Throws a `TypeError` if it isn't one, or has another format version. */
export function readBaseReport(value: unknown): BaseReport {
  const report = asRecord(value);
  const version = report?.["format_version"];
  if (report === undefined || version === undefined) {
    throw new TypeError(
      "This isn't a covtool JSON report in format version 1. Write one with --format json.",
    );
  }
  if (version !== 1) {
    throw new TypeError(
      `This JSON report has format version ${
        JSON.stringify(version)
      }, but this version of covtool reads 1. ${AGAIN}`,
    );
  }
  const summary = asRecord(report["summary"]);
  for (const dimension of DIMENSIONS) {
    const percent = asRecord(summary?.[dimension])?.["percent"];
    if (percent !== null && !isCount(percent)) {
      throw lacking(`percentage of ${dimension} in its summary`);
    }
  }
  if (!isGaps(report["gaps"])) throw lacking("list of gaps");
  if (!isOperations(report["operations"])) throw lacking("list of operations");
  if (!optional(isGaps)(report["findings"])) throw lacking("list of findings");
  if (!isDescribed(report)) throw lacking("description with title and version");
  return value as BaseReport;
}

function lacking(what: string): TypeError {
  return new TypeError(`The report to compare with has no ${what}. ${AGAIN}`);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Readonly<Record<string, unknown>>
    : undefined;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => typeof value === "number";

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function record(members: Readonly<Record<string, Check>>): Check {
  return (value) => {
    const fields = asRecord(value);
    return fields !== undefined &&
      Object.entries(members).every(([name, check]) => check(fields[name]));
  };
}

/** The fields that every gap of a kind has. */
const NAMES_BY_KIND: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["parameter_uncovered", ["location", "parameter"]],
  ["keyword_uncovered", ["location", "parameter", "schema_path", "state"]],
  ["example_uncovered", ["location", "parameter", "schema_path"]],
  ["value_uncovered", ["location", "parameter", "schema_path", "class"]],
  ["response_uncovered", ["status_code"]],
]);

const isNamed = record({
  kind: isText,
  method: isText,
  path: isText,
  location: optional(isText),
  parameter: optional(isText),
  schema_path: optional(isText),
  state: optional(isText),
  status_code: optional(isText),
  media_type: optional(isText),
  header: optional(isText),
});

const isGaps = list((gap) =>
  isNamed(gap) &&
  (NAMES_BY_KIND.get(asRecord(gap)?.["kind"]) ?? []).every((name) =>
    asRecord(gap)?.[name] !== undefined
  )
);

const isOperations = list(record({
  method: isText,
  path: isText,
  hits: isCount,
  parameters: list(record({
    location: isText,
    parameter: isText,
    hits: isCount,
    schema_path: isText,
    keywords: list(
      record({ keyword: isText, schema_path: isText, valid: isCount, invalid: isCount }),
    ),
    examples: list(record({ schema_path: isText, hits: isCount })),
  })),
  responses: list(record({ status_code: isText, hits: isCount })),
}));

const isDescribed = record({
  title: isText,
  generated_at: isText,
  schema: record({ title: isText, version: isText, location: isText }),
});
