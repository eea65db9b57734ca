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
import type {
  Report,
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
} from "../report.ts";
import { type ComparedPart, type Comparison, resultIdentity } from "./comparison.ts";
import { schemaPlace } from "../wording/place_name.ts";

/** Compares two reports. A parameter that was never sent is assumed to have the keywords of the other report. */
export function compareReports(report: Report, base: BaseReport): Comparison {
  const hasHashes = hasValueHashes(report) && hasValueHashes(base);
  const inBase = new Counterparts(report.operations, base.operations, hasHashes);
  const inReport = new Counterparts(base.operations, report.operations, hasHashes);
  const new_gaps: Gap[] = [];
  const uncovered_additions: Gap[] = [];
  for (const gap of report.gaps.filter(isDimensionGap)) {
    const before = inBase.gap(gap);
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
      DIMENSIONS.map((dimension) => {
        const [{ percent }, now] = [base.summary[dimension], report.summary[dimension].percent];
        const change = percent === null || now === null ? null : now - percent;
        return [dimension, { percent, change }];
      }),
    ) as Comparison["summary"],
    new_gaps,
    ...(base.findings !== undefined && {
      new_findings: newFindings(report.findings ?? [], base.findings, inBase),
    }),
    uncovered_additions,
    closed_gaps: base.gaps.filter(isDimensionGap).flatMap((gap) => {
      const now = inReport.gap(gap);
      return now?.covered === true ? [now.gap] : [];
    }),
    added: unmatchedParts(report, inBase),
    removed: unmatchedParts(base, inReport),
  };
}

/** True unless the report lacks hashes of keyword values, as reports of older versions do. */
function hasValueHashes({ operations }: BaseReport): boolean {
  const parameters = operations.flatMap((operation) => operation.parameters);
  return parameters.every(({ keywords }) => keywords.length === 0) ||
    parameters.some(({ keywords }) => keywords.some((keyword) => keyword.value_hash !== undefined));
}

function unmatchedParts(
  { operations, summary }: BaseReport,
  counterparts: Counterparts,
): ComparedPart[] {
  const hasResponses = summary.responses.percent !== null;
  return operations.flatMap((operation): ComparedPart[] => {
    const { method, path } = operation;
    if (operation.excluded !== undefined) return [];
    const parts: ComparedPart[] = counterparts.operation(operation) === undefined
      ? [{ kind: "operation", method, path, covered: operation.hits > 0 }]
      : [];
    for (const parameter of operation.parameters) {
      if (parameter.excluded !== undefined || parameter.measured === false) continue;
      if (counterparts.parameter(operation, parameter) !== undefined) continue;
      const { location, parameter: name, hits } = parameter;
      parts.push({ kind: "parameter", method, path, location, parameter: name, covered: hits > 0 });
    }
    for (const { status_code, hits, excluded } of hasResponses ? operation.responses : []) {
      if (excluded !== undefined) continue;
      if (counterparts.response(operation, status_code) !== undefined) continue;
      parts.push({ kind: "response", method, path, status_code, covered: hits > 0 });
    }
    return parts;
  });
}

/** Returns the findings that the baseline lacks. Rules of requests are paired like gaps, so a moved rule isn't new. */
function newFindings(
  findings: readonly Finding[],
  base: readonly Finding[],
  inBase: Counterparts,
): Finding[] {
  const known = new Set(base.map(resultIdentity));
  return findings.filter((finding) => !known.has(resultIdentity(asInBaseline(finding, inBase))));
}

function asInBaseline(finding: Finding, inBase: Counterparts): Finding {
  const { method, path } = finding;
  const before = inBase.gap({ kind: "operation_uncovered", method, path });
  if (before === undefined) return finding;
  const named = { ...finding, method: before.gap.method, path: before.gap.path };
  if (named.kind !== "keyword_not_enforced") return named;
  const { location, parameter, schema_path } = named;
  const names = { method, path, location, parameter };
  const rule = inBase.gap(
    named.missing === true
      ? { kind: "parameter_uncovered", ...names }
      : { kind: "keyword_uncovered", ...names, schema_path, state: "invalid" },
  )?.gap;
  return rule === undefined || !("parameter" in rule) ? named : {
    ...named,
    location: rule.location,
    parameter: rule.parameter,
    schema_path: "schema_path" in rule ? rule.schema_path : schema_path,
  };
}

interface GapCounterpart {
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
class Counterparts {
  readonly #operations: ReadonlyMap<ReportOperation, ReportOperation>;
  readonly #hasHashes: boolean;
  readonly #byName: ReadonlyMap<string, ReportOperation>;
  readonly #parameters = new Map<ReportOperation, ReadonlyMap<ReportParameter, ReportParameter>>();
  readonly #paired = new Map<ReportParameter, PairedParameter>();

  constructor(
    from: readonly ReportOperation[],
    to: readonly ReportOperation[],
    hasHashes: boolean,
  ) {
    // The names of path variables may differ.
    this.#operations = pairByKeys(from, to, [
      [operationName, operationName],
      [unnamedOperation, unnamedOperation],
    ]);
    this.#hasHashes = hasHashes;
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

  gap(gap: DimensionGap): GapCounterpart | undefined {
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
      keywords: bySchemaPath(matchKeywords(own, other, this.#hasHashes)),
      examples: bySchemaPath(matchExamples(own, other)),
    }));
  }
}

function bySchemaPath<Item extends { readonly schema_path: string }>(
  pairs: ReadonlyMap<Item, Item>,
): Map<string, Item> {
  return new Map(Array.from(pairs, ([own, other]) => [own.schema_path, other]));
}

function isCovered(
  { hits, excluded }: { readonly hits: number; readonly excluded?: number },
): boolean {
  return hits > 0 && excluded === undefined;
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
  const near = ({ schema_path }: ReportParameter) => (example: ReportExample) =>
    `${nearestProperty(example, schema_path)} ${value(example)}`;
  return pairByKeys(later.examples, earlier.examples, [
    [exact, exact],
    [near(later), near(earlier)],
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
  hasHashes: boolean,
): ReadonlyMap<ReportKeyword, ReportKeyword> {
  const identity = ({ keyword, value_hash }: ReportKeyword): string =>
    hasHashes ? `${keyword} ${value_hash ?? ""}` : keyword;
  const exact = (keyword: ReportKeyword) => `${identity(keyword)} ${keyword.schema_path}`;
  const placed = ({ schema_path }: ReportParameter) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${placeWithin(keyword, schema_path)}`;
  const near = ({ schema_path }: ReportParameter) => (keyword: ReportKeyword) =>
    `${identity(keyword)} ${nearestProperty(keyword, schema_path)}`;
  return pairByKeys(later.keywords, earlier.keywords, [
    ...memberKeys(later.keywords, earlier.keywords, (keyword) => ({
      pointer: keyword.schema_path,
      text: identity(keyword),
    })),
    [exact, exact],
    [placed(later), placed(earlier)],
    [near(later), near(earlier)],
  ]);
}

function placeWithin(
  { schema_path }: ReportKeyword | ReportExample,
  parameterPointer: string,
): string {
  return schemaPlace(schema_path.slice(0, schema_path.lastIndexOf("/")), parameterPointer);
}

/** The property that a keyword or example belongs to. All branches of an `allOf` count as one place. */
function nearestProperty(
  item: ReportKeyword | ReportExample,
  parameterPointer: string,
): string {
  const place = placeWithin(item, parameterPointer).replaceAll(/ allOf\[\d+\]/g, "");
  return place.slice(Math.max(0, place.lastIndexOf(".")));
}
