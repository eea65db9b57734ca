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

/** Takes a value for a JSON report of covtool. Throws a `TypeError` where it isn't one of this format version. */
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
    if (percent !== null && typeof percent !== "number") {
      throw lacking(`percentage of ${dimension} in its summary`);
    }
  }
  if (!isEveryItem(report["gaps"], isGap)) throw lacking("list of gaps");
  if (!isEveryItem(report["operations"], isOperation)) throw lacking("list of operations");
  if (report["findings"] !== undefined && !isEveryItem(report["findings"], isGap)) {
    throw lacking("list of findings");
  }
  const schema = asRecord(report["schema"]);
  if (
    ![
      schema?.["title"],
      schema?.["version"],
      schema?.["location"],
      report["title"],
      report["generated_at"],
    ].every(isText)
  ) {
    throw lacking("description with title and version");
  }
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

function isEveryItem(
  value: unknown,
  isItem: (item: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Array.isArray(value) && value.every((item) => {
    const record = asRecord(item);
    return record !== undefined && isItem(record);
  });
}

/** The fields that tell gaps and findings of one operation apart. */
const NAMES = [
  "location",
  "parameter",
  "schema_path",
  "state",
  "status_code",
  "media_type",
  "header",
];
/** Those that every gap of a kind has. */
const NAMES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  parameter_uncovered: ["location", "parameter"],
  keyword_uncovered: ["location", "parameter", "schema_path", "state"],
  example_uncovered: ["location", "parameter", "schema_path"],
  response_uncovered: ["status_code"],
};

function isGap(gap: Readonly<Record<string, unknown>>): boolean {
  const { kind, method, path } = gap;
  return isText(kind) && isText(method) && isText(path) &&
    NAMES.every((name) => gap[name] === undefined || isText(gap[name])) &&
    (NAMES_OF_KIND[kind] ?? []).every((name) => gap[name] !== undefined);
}

function isOperation(operation: Readonly<Record<string, unknown>>): boolean {
  const { method, path, hits, parameters, responses } = operation;
  return isText(method) && isText(path) && isCount(hits) && isEveryItem(parameters, isParameter) &&
    isEveryItem(responses, ({ status_code, hits }) => isText(status_code) && isCount(hits));
}

function isParameter(given: Readonly<Record<string, unknown>>): boolean {
  const { location, parameter, hits, schema_path, keywords, examples } = given;
  return isText(location) && isText(parameter) && isCount(hits) && isText(schema_path) &&
    isEveryItem(
      keywords,
      ({ keyword, schema_path, valid, invalid }) =>
        isText(keyword) && isText(schema_path) && isCount(valid) && isCount(invalid),
    ) &&
    isEveryItem(examples, ({ schema_path, hits }) => isText(schema_path) && isCount(hits));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return typeof value === "number";
}
