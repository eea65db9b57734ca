import { append, getOrAdd } from "../../values/collections.ts";
import type { CoveragePlan } from "../../map/coverage_plan.ts";
import type { Exclusions } from "../../map/exclusions.ts";
import type { ParameterPlan } from "../../map/parameter_plan.ts";
import type { SourceText } from "../../openapi/document_set.ts";
import { locatePaths, originalValues, type PathLocation } from "../../openapi/locate.ts";
import { type AnnotatedSource, type LinePosition, regionAt } from "../html/page_data.ts";
import type { Report } from "../report.ts";
import { splitDocumentPath, unescapeToken } from "../../values/json_pointer.ts";
import { shortened } from "../wording/amounts.ts";
import type { CountedApi } from "./build_report.ts";
import { responsePaths } from "./build_source_coverage.ts";
import { workingDirectory } from "../environment.ts";
import { sourcePath } from "../source/source_path.ts";

/** Maximum size of the descriptions shown, in UTF-16 units. Parsing and packing larger ones would take seconds. */
const TEXT_LIMIT = 16_000_000;

/** Maximum number of keywords in parameters that were never sent. With more, the source isn't shown. */
const MISSED_LIMIT = 500_000;

const LINE_LIMIT = 2000;

/** A file with a longer average line, in characters, has no meaningful lines. */
const AVERAGE_LIMIT = 400;

/** Lines to show around places outside operations and components, such as the target of a YAML alias. */
const MARGIN = 2;

/** The parts of the description that operations use, with line numbers. Undefined if it is too large for a page. */
export function buildAnnotatedSource(
  { plan, exclusions }: CountedApi,
  report: Report,
): AnnotatedSource | undefined {
  if (isTooLarge(plan, report)) return undefined;
  const operations = operationPaths(plan, report, exclusions);
  const paths = countedPaths(report, operations);
  const pointers = new Set(operations.map(({ schema_path }) => schema_path));
  const regions = new Set(Array.from(paths, (path) => regionPath(path, pointers)));
  const texts = readableTexts(plan);
  const locations = locatePaths({ ...plan.documents, texts }, [...paths, ...regions]);
  const found = new Set(Array.from(locations.values(), ({ label }) => label));
  const labels = [...texts.keys()].filter((label) => found.has(label));
  const files = new Map(labels.map((label, index) => [label, index]));
  const positions = new Map<string, LinePosition>();
  const ranges: Range[] = [];
  for (const [path, { label, line, endLine }] of locations) {
    const file = files.get(label) ?? 0;
    if (regions.has(path)) {
      const [, pointer] = splitDocumentPath(path);
      const name = unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1));
      // The region of a whole document starts at line 1, to include comments before the first key.
      ranges.push({ file, line: name === "" ? 1 : line, endLine, name });
    }
    if (paths.has(path)) positions.set(path, { file, line });
  }
  append(ranges, strayRanges(positions, joinRanges(ranges)));
  const lines = labels.map((label) => (texts.get(label)?.text ?? "").split(/\r\n|\n|\r/));
  const { location } = plan.documents;
  const folder = workingDirectory();
  return {
    files: labels.map((label) => ({
      path: sourcePath(location, label, folder),
      reformatted: texts.get(label) !== plan.documents.texts.get(label),
    })),
    regions: joinRanges(ranges).map(({ file, line, endLine, name }) => ({
      file,
      line,
      name,
      text: (lines[file] ?? []).slice(line - 1, endLine)
        .map((text) => shortened(text, LINE_LIMIT)).join("\n"),
    })),
    positions,
    operations,
  };
}

interface Range {
  readonly file: number;
  readonly line: number;
  readonly endLine: PathLocation["endLine"];
  readonly name: string;
}

function isTooLarge(plan: CoveragePlan, report: Report): boolean {
  const texts = [...plan.documents.texts.values()];
  if (texts.reduce((sum, { text }) => sum + text.length, 0) > TEXT_LIMIT) return true;
  const missed = new Set<ParameterPlan>();
  report.operations.forEach(({ parameters }, index) =>
    parameters.forEach(({ hits, measured }, position) => {
      const parameter = plan.operations[index]?.parameters[position];
      if (hits === 0 && measured !== false && parameter !== undefined) missed.add(parameter);
    })
  );
  return [...missed].reduce((sum, { totals }) => sum + totals.keywords, 0) > MISSED_LIMIT;
}

function operationPaths(
  plan: CoveragePlan,
  report: Report,
  exclusions: Exclusions | undefined,
): AnnotatedSource["operations"] {
  // Operations that share a parameter also share its list of missed keywords.
  const lists = new Map<ParameterPlan, readonly string[]>();
  return plan.operations.map(({ model, parameters }, index) => ({
    schema_path: model.pointer,
    responses: model.responses.map(({ pointer }) => pointer),
    missed: parameters.map((parameter, position) => {
      const reported = report.operations[index]?.parameters[position];
      if (reported?.hits !== 0 || reported.measured === false) return undefined;
      if (reported.excluded !== undefined) return undefined;
      return getOrAdd(lists, parameter, () => missedPaths(parameter, exclusions));
    }),
  }));
}

function missedPaths(parameter: ParameterPlan, exclusions: Exclusions | undefined): string[] {
  const { inventory } = parameter;
  const scoped = exclusions?.totals.innerExclusions(parameter);
  return [
    ...inventory.keywords.filter((entry) =>
      entry.satisfiability === "Normal" && scoped?.keyword(entry) === undefined
    ),
    ...inventory.examples.filter((example) => scoped?.example(example) === undefined),
  ].map(({ schema_path }) => schema_path);
}

function countedPaths(report: Report, operations: AnnotatedSource["operations"]): Set<string> {
  const paths = new Set<string>();
  report.operations.forEach(({ parameters }, index) => {
    const operation = operations[index];
    if (operation === undefined) return;
    paths.add(operation.schema_path);
    parameters.forEach(({ schema_path, keywords, examples }, position) => {
      paths.add(schema_path);
      for (const keyword of keywords) paths.add(keyword.schema_path);
      for (const example of examples) paths.add(example.schema_path);
      for (const path of operation.missed[position] ?? []) paths.add(path);
    });
    for (const path of operation.responses) paths.add(path);
  });
  for (const path of responsePaths(report)) paths.add(path);
  return paths;
}

/** The texts of all documents. JSON without line breaks is reformatted, and documents given as objects are printed. */
function readableTexts(plan: CoveragePlan): Map<string, SourceText> {
  const texts = new Map<string, SourceText>();
  for (const [label, value] of originalValues(plan.documents)) {
    const source = plan.documents.texts.get(label);
    const isReadable = source !== undefined && (source.syntax === "yaml" ||
      source.text.length / source.text.split("\n").length < AVERAGE_LIMIT);
    texts.set(
      label,
      isReadable ? source : { text: JSON.stringify(value, null, 2) ?? "null", syntax: "json" },
    );
  }
  return texts;
}

function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  const ordered = ranges.toSorted((left, right) =>
    left.file - right.file || left.line - right.line || right.endLine - left.endLine
  );
  for (const range of ordered) {
    const last = joined.at(-1);
    if (last === undefined || last.file !== range.file || last.endLine < range.line) {
      joined.push(range);
    } else if (range.endLine > last.endLine) {
      joined[joined.length - 1] = { ...last, endLine: range.endLine };
    }
  }
  return joined;
}

function strayRanges(
  positions: ReadonlyMap<string, LinePosition>,
  ranges: readonly Range[],
): Range[] {
  const stray: Range[] = [];
  for (const { file, line } of positions.values()) {
    if ((ranges[regionAt(ranges, { file, line })]?.endLine ?? 0) >= line) continue;
    stray.push({ file, line: Math.max(1, line - MARGIN), endLine: line + MARGIN, name: "" });
  }
  return stray;
}

/** Possible first tokens of a path in a document that is a schema itself. */
const SCHEMA_TOKENS = new Set([
  ...["properties", "patternProperties", "additionalProperties", "items", "prefixItems"],
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "type", "required", "enum"],
  ...["content", "schema", "parameters", "responses", "requestBody", "get", "post", "put"],
  ...["patch", "delete", "head", "options", "trace", "query", "examples", "example", "default"],
]);

const TABLES = new Set(["definitions", "$defs", "parameters", "responses", "schemas"]);

/** The operation that contains a path; otherwise the component, path item parameter, entry of a file, or file. */
export function regionPath(path: string, operations: ReadonlySet<string>): string {
  const start = path.length - splitDocumentPath(path)[1].length;
  const ends: number[] = [];
  for (let at = path.indexOf("/", start); at >= 0 && ends.length < 6;) {
    const next = path.indexOf("/", at + 1);
    const end = next < 0 ? path.length : next;
    if (operations.has(path.slice(0, end))) return path.slice(0, end);
    ends.push(end);
    at = next;
  }
  const upTo = (tokens: number): string => path.slice(0, ends[tokens - 1] ?? path.length);
  const first = path.slice(start + 1, ends[0]);
  const isInEntry = start === 0;
  if (first === "components") return upTo(3);
  if (first === "paths") return upTo(4);
  if (TABLES.has(first) && (isInEntry || ends.length > 2)) return upTo(2);
  if (isInEntry) return upTo(1);
  return SCHEMA_TOKENS.has(first) ? path.slice(0, start) : upTo(1);
}
