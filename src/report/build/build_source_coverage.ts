import type { CoveragePlan } from "../../map/coverage_plan.ts";
import type { Exclusions } from "../../map/exclusions.ts";
import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { locatePaths, originalValues, type PathLocation } from "../../openapi/locate.ts";
import { appendTo, getOrAdd } from "../../values/collections.ts";
import { formatJson } from "../../values/json_type.ts";
import { countsResponses } from "../gap_counts.ts";
import type { Report, ReportParameter } from "../report.ts";
import { joinMarks } from "../source/line_counts.ts";
import type { CountedApi } from "./build_report.ts";
import type {
  CrowdedFile,
  SourceCoverage,
  SourceMark,
  SourceMarkKind,
  SourceOperation,
  SourcePosition,
} from "../source/source_coverage.ts";
import { workingDirectory } from "../environment.ts";
import { copyPaths, sourcePath } from "../source/source_path.ts";

interface Tally {
  readonly kind: SourceMarkKind;
  readonly schema_path: string;
  hits: number;
  readonly evaluations: { valid: number; invalid: number } | null;
}

type Tallies = Readonly<Record<SourceMarkKind, Map<string, Tally>>>;

/** Finds the lines of everything counted. `copiesIn` is the folder for formatted copies of files with too few lines. */
export function buildSourceCoverage(
  { plan, exclusions }: CountedApi,
  report: Report,
  copiesIn?: string,
  copies?: Map<string, string>,
): SourceCoverage {
  if (plan.documents.texts.size === 0) {
    throw new TypeError(
      "The formats lcov, cobertura and sarif show lines of the description, and one that is given as an object has " +
        "none. Load it with CoverageMap.fromPath() or CoverageMap.fromUrl().",
    );
  }
  const tallies: Tallies = {
    operation: new Map(),
    parameter: new Map(),
    keyword: new Map(),
    example: new Map(),
    response: new Map(),
  };
  tallyReport(tallies, plan, report, exclusions);
  const all = Object.values(tallies).flatMap((byPath) => [...byPath.values()]);
  const schemaPaths = [...all.map(({ schema_path }) => schema_path), ...responsePaths(report)];
  let locations = locatePaths(plan.documents, schemaPaths);
  const { location } = plan.documents;
  const folder = workingDirectory();
  const originalPath = (label: string) => sourcePath(location, label, folder);
  const crowded = findCrowded(plan, marksByLabel(all, locations), originalPath, copiesIn, copies);
  const texts = new Map(plan.documents.texts);
  for (const [label, { copy }] of crowded) {
    if (copy !== undefined) texts.set(label, { text: copy.text, syntax: "json" });
  }
  if (copiesIn !== undefined && crowded.size > 0) {
    locations = locatePaths({ ...plan.documents, texts }, schemaPaths);
  }
  const paths = new Map<string, string>();
  const shownPath = (label: string): string =>
    getOrAdd(paths, label, () => {
      const copy = crowded.get(label)?.copy;
      return copy === undefined ? originalPath(label) : sourcePath(copy.path, "", folder);
    });
  const positions = new Map<string, SourcePosition>();
  for (const [schema_path, { label, line, column }] of locations) {
    positions.set(schema_path, { path: shownPath(label), line, column });
  }
  const operations = plan.operations.map(({ model }) => ({
    schema_path: model.pointer,
    responses: model.responses.map(({ pointer }) => pointer),
  }));
  const marks = marksByLabel(all, locations);
  const calls = operationsByLabel(report, operations, locations);
  return {
    files: [...plan.documents.texts.keys()].flatMap((label) => {
      const inFile = marks.get(label);
      if (inFile === undefined) return [];
      return [{ path: shownPath(label), marks: inFile, operations: calls.get(label) ?? [] }];
    }),
    positions,
    operations,
    ...(crowded.size > 0 && { crowded: [...crowded.values()] }),
  };
}

/** The paths of violated rules and unnoticed parts of responses, which occur nowhere else in a report. */
export function responsePaths({ findings = [], noticed = [] }: Report): string[] {
  return [
    ...findings.flatMap((finding) =>
      finding.kind === "response_violates_schema" ? [finding.schema_path] : []
    ),
    ...noticed.flatMap(({ state, schema_path }) => state === "unnoticed" ? [schema_path] : []),
  ];
}

function findCrowded(
  plan: CoveragePlan,
  marks: ReadonlyMap<string, readonly SourceMark[]>,
  originalPath: (label: string) => string,
  copiesIn: string | undefined,
  taken: Map<string, string> | undefined,
): Map<string, CrowdedFile> {
  const found = new Map<string, Omit<CrowdedFile, "copy">>();
  for (const [label, { text }] of plan.documents.texts) {
    const things = marks.get(label)?.length ?? 0;
    const lines = text.trimEnd().split(/\r\n|\n|\r/).length;
    if (things > lines) found.set(label, { path: originalPath(label), lines, things });
  }
  const paths = new Map(Array.from(found, ([label, { path }]) => [label, path]));
  const copies = copiesIn === undefined ? undefined : copyPaths(paths, copiesIn, taken);
  const values = originalValues(plan.documents);
  return new Map(Array.from(found, ([label, file]) => {
    const path = copies?.get(label);
    const copy = path === undefined ? undefined : { path, text: formatJson(values.get(label)) };
    return [label, { ...file, copy }];
  }));
}

function tallyReport(
  tallies: Tallies,
  plan: CoveragePlan,
  report: Report,
  exclusions: Exclusions | undefined,
): void {
  const neverSent: ParameterPlan[] = [];
  report.operations.forEach(({ hits, parameters, responses, excluded }, index) => {
    const operation = plan.operations[index];
    if (operation === undefined || excluded !== undefined) return;
    add(tallies, "operation", operation.model.pointer, hits);
    parameters.forEach((parameter, position) => {
      if (parameter.excluded !== undefined || parameter.measured === false) return;
      const parameterPlan = operation.parameters[position];
      if (parameter.hits === 0 && parameterPlan !== undefined) neverSent.push(parameterPlan);
      tallyParameter(tallies, parameter);
    });
    if (!countsResponses(report.summary, report.traffic)) return;
    responses.forEach(({ hits, excluded }, position) => {
      if (excluded !== undefined) return;
      const pointer = operation.model.responses[position]?.pointer;
      if (pointer !== undefined) add(tallies, "response", pointer, hits);
    });
  });
  tallyNeverSent(tallies, plan, neverSent, exclusions);
}

function tallyParameter(tallies: Tallies, parameter: ReportParameter): void {
  add(tallies, "parameter", parameter.schema_path, parameter.hits);
  for (const { schema_path, satisfiability, valid, invalid, excluded } of parameter.keywords) {
    if (satisfiability !== "Normal" || excluded !== undefined) continue;
    const { evaluations } = add(tallies, "keyword", schema_path, valid + invalid);
    if (evaluations === null) continue;
    evaluations.valid += valid;
    evaluations.invalid += invalid;
  }
  for (const { schema_path, hits, excluded } of parameter.examples) {
    if (excluded === undefined) add(tallies, "example", schema_path, hits);
  }
}

function tallyNeverSent(
  tallies: Tallies,
  plan: CoveragePlan,
  parameters: readonly ParameterPlan[],
  exclusions: Exclusions | undefined,
): void {
  const reached = plan.schemas.inventory.union(
    parameters.flatMap(({ schema, positions, itemSchema, itemPositions }) => [
      ...positions.map((position) => [schema, position] as const),
      ...itemPositions.map((position) => [itemSchema, position] as const),
    ]),
    (node) => exclusions?.schema(node),
  );
  for (const { schema_path, satisfiability, keyword } of reached.keywords) {
    if (satisfiability !== "Normal" || exclusions?.keyword(keyword) !== undefined) continue;
    add(tallies, "keyword", schema_path, 0);
  }
  for (const { schema_path } of reached.examples) add(tallies, "example", schema_path, 0);
  for (const parameter of parameters) {
    if (parameter.unsupported) continue;
    for (const { schema_path } of parameter.ownExamples) add(tallies, "example", schema_path, 0);
  }
}

function add(tallies: Tallies, kind: SourceMarkKind, schema_path: string, hits: number): Tally {
  const tally = getOrAdd(tallies[kind], schema_path, (): Tally => {
    const evaluations = kind === "keyword" ? { valid: 0, invalid: 0 } : null;
    return { kind, schema_path, hits: 0, evaluations };
  });
  tally.hits += hits;
  return tally;
}

/** The marks of each file. If several schema paths lead to one place (a YAML alias), their marks are joined. */
function marksByLabel(
  tallies: readonly Tally[],
  locations: ReadonlyMap<string, PathLocation>,
): Map<string, SourceMark[]> {
  const marks = new Map<string, SourceMark[]>();
  for (const { kind, schema_path, hits, evaluations } of tallies) {
    const location = locations.get(schema_path);
    if (location === undefined) continue;
    const { label, line, column } = location;
    appendTo(marks, label, { kind, line, column, hits, evaluations });
  }
  return new Map(Array.from(marks, ([label, inFile]) => [label, joinMarks(inFile)]));
}

function operationsByLabel(
  report: Report,
  paths: SourceCoverage["operations"],
  locations: ReadonlyMap<string, PathLocation>,
): Map<string, SourceOperation[]> {
  const found = new Map<string, SourceOperation[]>();
  report.operations.forEach(({ method, path, hits, excluded }, index) => {
    if (excluded !== undefined) return;
    const location = locations.get(paths[index]?.schema_path ?? "");
    if (location === undefined) return;
    const operation = { name: `${method} ${path}`, line: location.line, hits };
    appendTo(found, location.label, operation);
  });
  for (const inFile of found.values()) inFile.sort((left, right) => left.line - right.line);
  return found;
}
