import {
  type DimensionGap,
  DIMENSIONS,
  type Finding,
  type Gap,
  isDimensionGap,
} from "../../map/results.ts";
import { getOrAdd, pairByKeys } from "../../values/collections.ts";
import { memberKeys } from "../../values/member_keys.ts";
import { operationName, parameterIdentity, unnamedOperation } from "../../values/operation_name.ts";
import type { BaseReport } from "../base_report.ts";
import { resultIdentity } from "../result_identity.ts";
import type {
  Report,
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
} from "../report.ts";
import type { ComparedDimension, ComparedPart, Comparison } from "./comparison.ts";
import { schemaPlace } from "../wording/place_name.ts";

/** Compares two reports. A parameter that was never sent is assumed to have the keywords of the other report. */
export function compareReports(report: Report, base: BaseReport): Comparison {
  const hasValues = tellsValues(report) && tellsValues(base);
  const back = new GapDelta(report.operations, base.operations, hasValues);
  const forth = new GapDelta(base.operations, report.operations, hasValues);
  const new_gaps: Gap[] = [];
  const uncovered_additions: Gap[] = [];
  for (const gap of report.gaps.filter(isDimensionGap)) {
    const before = back.counterpart(gap);
    if (before === undefined) uncovered_additions.push(gap);
    else if (before.covered) new_gaps.push(gap);
  }
  const { title, generated_at, schema } = base;
  return {
    baseline: {
      title,
      generated_at,
      schema: { location: schema.location, title: schema.title, version: schema.version },
    },
    summary: Object.fromEntries(
      DIMENSIONS.map((dimension) => [dimension, compareDimension(report, base, dimension)]),
    ) as Comparison["summary"],
    new_gaps,
    ...(base.findings !== undefined && {
      new_findings: newFindings(report.findings ?? [], base.findings, back),
    }),
    uncovered_additions,
    closed_gaps: base.gaps.filter(isDimensionGap).flatMap((gap) => {
      const now = forth.counterpart(gap);
      return now?.covered === true ? [now.gap] : [];
    }),
    added: partsLacking(report, back),
    removed: partsLacking(base, forth),
  };
}

/** True unless the report lacks hashes of keyword values, as reports of older versions do. */
function tellsValues({ operations }: BaseReport): boolean {
  let isAny = false;
  for (const { parameters } of operations) {
    for (const { keywords } of parameters) {
      for (const { value_hash } of keywords) {
        if (value_hash !== undefined) return true;
        isAny = true;
      }
    }
  }
  return !isAny;
}

function compareDimension(
  report: Report,
  base: BaseReport,
  dimension: keyof Comparison["summary"],
): ComparedDimension {
  const { percent } = base.summary[dimension];
  const now = report.summary[dimension].percent;
  return { percent, change: percent === null || now === null ? null : now - percent };
}

function partsLacking({ operations, summary }: BaseReport, delta: GapDelta): ComparedPart[] {
  const hasResponses = summary.responses.percent !== null;
  return operations.flatMap((operation): ComparedPart[] => {
    const { method, path } = operation;
    if (operation.excluded !== undefined) return [];
    const parts: ComparedPart[] = delta.operation(operation) === undefined
      ? [{ kind: "operation", method, path, covered: operation.hits > 0 }]
      : [];
    for (const parameter of operation.parameters) {
      if (parameter.excluded !== undefined || parameter.measured === false) continue;
      if (delta.parameter(operation, parameter) !== undefined) continue;
      const { location, parameter: name, hits } = parameter;
      parts.push({ kind: "parameter", method, path, location, parameter: name, covered: hits > 0 });
    }
    for (const { status_code, hits, excluded } of hasResponses ? operation.responses : []) {
      if (excluded !== undefined) continue;
      if (delta.response(operation, status_code) !== undefined) continue;
      parts.push({ kind: "response", method, path, status_code, covered: hits > 0 });
    }
    return parts;
  });
}

/** Returns the findings that the baseline lacks. Rules of requests are paired like gaps, so a moved rule isn't new. */
function newFindings(
  findings: readonly Finding[],
  base: readonly Finding[],
  back: GapDelta,
): Finding[] {
  const known = new Set(base.map(resultIdentity));
  return findings.filter((finding) => !known.has(resultIdentity(asInBaseline(finding, back))));
}

function asInBaseline(finding: Finding, back: GapDelta): Finding {
  const { method, path } = finding;
  const before = back.counterpart({ kind: "operation_uncovered", method, path });
  if (before === undefined) return finding;
  const named = { ...finding, method: before.gap.method, path: before.gap.path };
  if (named.kind !== "keyword_not_enforced") return named;
  const { location, parameter, schema_path } = named;
  const of = { method, path, location, parameter };
  const rule = back.counterpart(
    named.missing === true
      ? { kind: "parameter_uncovered", ...of }
      : { kind: "keyword_uncovered", ...of, schema_path, state: "invalid" },
  )?.gap;
  return rule === undefined || !("parameter" in rule) ? named : {
    ...named,
    location: rule.location,
    parameter: rule.parameter,
    schema_path: "schema_path" in rule ? rule.schema_path : schema_path,
  };
}

interface Counterpart {
  readonly gap: Gap;
  /** True if the gap is closed in the other report. False if it is excluded or its state is unknown. */
  readonly covered: boolean;
}

/** A parameter in the other report. Its keywords and examples are keyed by their schema paths in this report. */
interface PairedParameter {
  readonly other: ReportParameter;
  readonly keywords: ReadonlyMap<string, ReportKeyword>;
  readonly examples: ReadonlyMap<string, ReportExample>;
}

/** Finds the parts of one report in another. Two instances, one per direction, pair the same parts. */
class GapDelta {
  readonly #operations: ReadonlyMap<ReportOperation, ReportOperation>;
  readonly #hasValues: boolean;
  readonly #byName: ReadonlyMap<string, ReportOperation>;
  readonly #parameters = new Map<ReportOperation, ReadonlyMap<ReportParameter, ReportParameter>>();
  readonly #paired = new Map<ReportParameter, PairedParameter>();

  /** `hasValues` is false if one of the reports lacks hashes of keyword values. */
  constructor(
    from: readonly ReportOperation[],
    to: readonly ReportOperation[],
    hasValues: boolean,
  ) {
    this.#operations = matchOperations(from, to);
    this.#hasValues = hasValues;
    this.#byName = new Map(from.map((operation) => [operationName(operation), operation]));
  }

  operation(own: ReportOperation): ReportOperation | undefined {
    return this.#operations.get(own);
  }

  parameter(operation: ReportOperation, own: ReportParameter): ReportParameter | undefined {
    const other = this.#operations.get(operation);
    if (other === undefined) return undefined;
    return getOrAdd(this.#parameters, operation, () => matchParameters(operation, other)).get(own);
  }

  response(operation: ReportOperation, status: string): ReportResponse | undefined {
    return this.#operations.get(operation)?.responses.find(({ status_code }) =>
      status_code.toUpperCase() === status.toUpperCase()
    );
  }

  counterpart(gap: DimensionGap): Counterpart | undefined {
    const operation = this.#byName.get(operationName(gap));
    const other = operation && this.operation(operation);
    if (operation === undefined || other === undefined) return undefined;
    const { method, path } = other;
    if (gap.kind === "operation_uncovered") {
      return { gap: { kind: gap.kind, method, path }, covered: isCovered(other) };
    }
    if (gap.kind === "response_uncovered") {
      const response = this.response(operation, gap.status_code);
      if (response === undefined) return undefined;
      const { status_code } = response;
      return { gap: { kind: gap.kind, method, path, status_code }, covered: isCovered(response) };
    }
    const pair = this.#pairParameter(operation, gap);
    if (pair === undefined) return undefined;
    const { location, parameter, hits } = pair.other;
    const names = { method, path, location, parameter };
    if (gap.kind === "parameter_uncovered") {
      return { gap: { kind: gap.kind, ...names }, covered: isCovered(pair.other) };
    }
    // Reports list no keywords or examples of a parameter that was never sent.
    if (hits === 0) return { gap, covered: false };
    if (gap.kind === "keyword_uncovered") {
      const { kind, state } = gap;
      const keyword = pair.keywords.get(gap.schema_path);
      return keyword && {
        gap: { kind, ...names, schema_path: keyword.schema_path, state },
        covered: keyword[state] > 0 && keyword.excluded === undefined,
      };
    }
    const example = pair.examples.get(gap.schema_path);
    if (example === undefined) return undefined;
    const { schema_path, value } = example;
    return { gap: { kind: gap.kind, ...names, schema_path, value }, covered: isCovered(example) };
  }

  #pairParameter(
    operation: ReportOperation,
    gap: Pick<ReportParameter, "location" | "parameter">,
  ): PairedParameter | undefined {
    const own = operation.parameters.find(({ location, parameter }) =>
      location === gap.location && parameter === gap.parameter
    );
    const other = own && this.parameter(operation, own);
    if (own === undefined || other === undefined) return undefined;
    return getOrAdd(this.#paired, own, () => ({
      other,
      keywords: bySchemaPath(matchKeywords(own, other, this.#hasValues)),
      examples: bySchemaPath(matchExamples(own, other)),
    }));
  }
}

function bySchemaPath<Thing extends { readonly schema_path: string }>(
  pairs: ReadonlyMap<Thing, Thing>,
): Map<string, Thing> {
  return new Map(Array.from(pairs, ([own, other]) => [own.schema_path, other]));
}

function isCovered(thing: { readonly hits: number; readonly excluded?: number }): boolean {
  return thing.hits > 0 && thing.excluded === undefined;
}

/** Pairs operations by method and path, regardless of the names of path variables. */
function matchOperations(
  later: readonly ReportOperation[],
  earlier: readonly ReportOperation[],
): ReadonlyMap<ReportOperation, ReportOperation> {
  return pairByKeys(later, earlier, [
    [operationName, operationName],
    [unnamedOperation, unnamedOperation],
  ]);
}

/** Pairs parameters by location and name; path parameters by their order. */
function matchParameters(
  later: ReportOperation,
  earlier: ReportOperation,
): ReadonlyMap<ReportParameter, ReportParameter> {
  const identity = ({ path }: ReportOperation) => {
    const parameterKey = parameterIdentity(path);
    return ({ location, parameter }: ReportParameter) => parameterKey(location, parameter);
  };
  return pairByKeys(later.parameters, earlier.parameters, [[identity(later), identity(earlier)]]);
}

/** Pairs examples by value. Among several equal ones, those in the same place or property are paired. */
function matchExamples(
  later: ReportParameter,
  earlier: ReportParameter,
): ReadonlyMap<ReportExample, ReportExample> {
  const value = ({ value }: ReportExample) => JSON.stringify(value, sortMembers);
  const exact = (example: ReportExample) => `${example.schema_path} ${value(example)}`;
  const near = (own: string) => (example: ReportExample) =>
    `${nearestProperty(example, own)} ${value(example)}`;
  return pairByKeys(later.examples, earlier.examples, [
    [exact, exact],
    [near(later.schema_path), near(earlier.schema_path)],
    [value, value],
  ]);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1));
}

/** Pairs keywords of equal name and value: in the same place, in that place of another schema, in the same property. */
function matchKeywords(
  later: ReportParameter,
  earlier: ReportParameter,
  hasValues: boolean,
): ReadonlyMap<ReportKeyword, ReportKeyword> {
  const identity = ({ keyword, value_hash }: ReportKeyword): string =>
    hasValues ? `${keyword} ${value_hash ?? ""}` : keyword;
  const exact = (keyword: ReportKeyword) => `${identity(keyword)} ${keyword.schema_path}`;
  const placed = (own: string) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${placeWithin(keyword, own)}`;
  const near = (own: string) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${nearestProperty(keyword, own)}`;
  const [own, before] = [later.schema_path, earlier.schema_path];
  return pairByKeys(later.keywords, earlier.keywords, [
    ...memberKeys(later.keywords, earlier.keywords, (keyword) => ({
      pointer: keyword.schema_path,
      text: identity(keyword),
    })),
    [exact, exact],
    [placed(own), placed(before)],
    [near(own), near(before)],
  ]);
}

function placeWithin({ schema_path }: ReportKeyword | ReportExample, own: string): string {
  return schemaPlace(schema_path.slice(0, schema_path.lastIndexOf("/")), own);
}

/** The property that a keyword or example belongs to. All branches of an `allOf` count as one place. */
function nearestProperty(thing: ReportKeyword | ReportExample, own: string): string {
  const place = placeWithin(thing, own).replaceAll(/ allOf\[\d+\]/g, "");
  return place.slice(Math.max(0, place.lastIndexOf(".")));
}
