import {
  type CoveredBy,
  type KeywordTests,
  parameterTests,
  type TestList,
} from "../../map/covered_by.ts";
import type {
  Report,
  ReportAccess,
  ReportExclusion,
  ReportKeyword,
  ReportNoticed,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponsePart,
  ReportUndocumentedProperty,
  TestIndexes,
} from "../report.ts";
import type { UsageReport, UsageTraffic } from "../usage/usage_report.ts";
import type { Json } from "../../values/json.ts";
import {
  type CoveredOperation,
  coveredOperations,
  type CoveredParameter,
} from "../../map/coverage.ts";
import type { AccessMatrix } from "../../map/access.ts";
import type { CoveragePlan } from "../../map/coverage_plan.ts";
import { addGaps } from "../../map/gaps.ts";
import type { Exclusions } from "../../map/exclusions.ts";
import type { Hits } from "../../map/hits.ts";
import type { Diagnostic } from "../../values/diagnostic.ts";
import type {
  EnforcementCount,
  Finding,
  Gap,
  ResponseKeywordCount,
  Statistic,
  Summary,
} from "../../map/results.ts";
import {
  addEnforcement,
  operationEnforcement,
  requiredRule,
  type RuleEvidence,
  ruleEvidence,
  summarizeEnforcement,
  testedParameters,
} from "../../map/enforcement.ts";
import { addFindings } from "../../map/findings.ts";
import {
  countResponseKeywords,
  type CoveredResponse,
  type CoveredResponsePart,
  coveredResponses,
  hasResponseBodies,
  summarizeResponseKeywords,
} from "../../map/response_coverage.ts";
import { TimelineBuilder } from "../../map/timeline.ts";
import {
  addStatistics,
  ExclusionTallies,
  operationStatistic,
  summarize,
} from "../../map/statistic.ts";
import {
  areValuesCounted,
  type CoveredValues,
  operationValues,
  summarizeValues,
} from "../../map/value_coverage.ts";
import { linkKey } from "../../map/link_plan.ts";
import { TestCoverageLevels } from "../../map/test_coverage_level.ts";
import { operationName } from "../../values/operation_name.ts";
import { VERSION } from "../../values/version.ts";
import { reportNoticed, summarizeNoticed } from "./report_noticed.ts";
import { append, appendTo } from "../../values/collections.ts";
import type { ParameterHits } from "../../map/operation_hits.ts";
import type { ParameterPlan } from "../../map/parameter_plan.ts";
import { isComparedValue, ValueHashes } from "../../map/value_hash.ts";
import { staleSentence, type UsedExclusions } from "../../map/stale_exclusions.ts";

/** Hashes of keyword values by schema path. Keywords that consist of schemas have none: their keywords are hashed. */
function keywordHashes(plan: ParameterPlan, hashes: ValueHashes): ReadonlyMap<string, string> {
  return new Map(plan.inventory.keywords.flatMap(({ node, keyword, schema_path }) => {
    const value = node.schema[keyword];
    return isComparedValue(keyword, value) ? [[schema_path, hashes.letters(value, keyword)]] : [];
  }));
}

export interface CountedApi {
  readonly plan: CoveragePlan;
  readonly hits: Hits;
  readonly exclusions: Exclusions | undefined;
  readonly access: AccessMatrix | undefined;
}

interface ReportFacts {
  readonly title?: string | undefined;
  readonly generatedAt: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly undocumentedProperties?: boolean | undefined;
}

const NOTHING_LEFT =
  "Every operation is excluded, so nothing is measured. Look through include and exclude.";
const NOTHING_USABLE =
  "Nothing is measured: the description has paths, but no operation that covtool can use. Look through the diagnostics.";

export function buildReport(
  { plan, hits, exclusions, access }: CountedApi,
  others: readonly CountedApi[],
  options: ReportFacts,
): Report {
  const measured = hits.answered > 0;
  const tests = new ReportTests(hits.coveredBy);
  const hashes = new ValueHashes();
  const operations: ReportOperation[] = [];
  const gaps: Gap[] = [];
  let succeeded = 0;
  const hasBodies = hasResponseBodies(hits);
  const responseKeywords: ResponseKeywordCount[] = [];
  const findings: Finding[] = [];
  const noticed = reportNoticed(plan, hits, exclusions);
  const noticedBy = new Map<string, ReportNoticed[]>();
  for (const part of noticed ?? []) appendTo(noticedBy, operationName(part), part);
  const undeclared: ReportUndocumentedProperty[] = [];
  const enforcement: EnforcementCount[] = [];
  const statistics: Statistic[] = [];
  const timeline = new TimelineBuilder();
  const levels = new TestCoverageLevels(plan, hits, exclusions);
  const excluded = new ExclusionTallies();
  const values: CoveredValues[] = [];
  const { countsValues } = plan.schemas.program;
  const hasValues = areValuesCounted(plan, hits);
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    const statistic = operationStatistic(operation, excluded);
    statistics.push(statistic);
    timeline.add(operation);
    const responses = hasBodies ? coveredResponses(operation) : undefined;
    const tcl = levels.add(operation, responses);
    const enforced = operationEnforcement(operation);
    enforcement.push(enforced);
    const met = responses && countResponseKeywords(responses);
    if (met !== undefined) responseKeywords.push(met);
    succeeded += countSucceeded(operation);
    const ownValues = countsValues ? operationValues(operation) : undefined;
    append(values, ownValues ?? []);
    const summary = {
      ...summarize(statistic, measured, countSucceeded(operation)),
      ...(tcl !== undefined && { tcl }),
      enforcement: summarizeEnforcement(enforced, measured),
      ...(met !== undefined && { response_keywords: summarizeResponseKeywords([met]) }),
      ...(noticed !== undefined && {
        noticed: summarizeNoticed(noticedBy.get(operationName(operation.plan.model)) ?? []),
      }),
      ...(access !== undefined && { access: access.summary(operation.plan.index) }),
      ...(ownValues !== undefined && { values: summarizeValues(ownValues, hasValues) }),
    };
    const listed = hasValues ? ownValues : undefined;
    operations.push(reportOperation(plan, operation, summary, tests, hashes, responses, listed));
    addGaps(operation, hits, plan.gapIds, gaps, false);
    addFindings(operation, findings, access);
    append(undeclared, undeclaredProperties(operation));
  }
  const { model } = plan;
  const summary = summarize(addStatistics(statistics), measured, succeeded, model.hasPaths);
  return {
    format_version: 1,
    tool: { name: "covtool", version: VERSION },
    title: options.title ?? (model.title || plan.documents.location),
    generated_at: options.generatedAt,
    ...(summary.operations.percent === null && {
      nothing_counted: operations.length > 0 ? NOTHING_LEFT : NOTHING_USABLE,
    }),
    schema: { ...reportSchema(plan), base_path: plan.basePath },
    traffic: reportTraffic(hits),
    summary: {
      ...summary,
      tcl: levels.level(),
      enforcement: summarizeEnforcement(addEnforcement(enforcement), measured),
      response_keywords: summarizeResponseKeywords(hasBodies ? responseKeywords : undefined),
      ...(noticed !== undefined && { noticed: summarizeNoticed(noticed) }),
      ...(access !== undefined && { access: access.summary() }),
      ...(countsValues && { values: summarizeValues(values, hasValues) }),
    },
    tcl_criteria: levels.criteria(),
    operations,
    timeline: timeline.build(hits.firstAt, hits.lastAt),
    gaps,
    findings,
    ...(noticed !== undefined && { noticed }),
    ...(access !== undefined && { access: reportAccess(plan, access) }),
    unmatched: hits.unmatched.list(),
    unmatched_total: hits.unmatched.total,
    suggested_base_path: hits.basePathHints.suggestion(hits.matched, hits.unmatched.total),
    diagnostics: options.diagnostics,
    ...(options.undocumentedProperties === true && { undocumented_properties: undeclared }),
    ...(tests.names.length > 0 && { tests: tests.names }),
    ...(exclusions !== undefined && {
      exclusions: reportExclusions({ exclusions, excluded, measured }, others, options.generatedAt),
    }),
  };
}

export function reportSchema({ documents, model }: CoveragePlan): UsageReport["schema"] {
  const { title, apiVersion: version, specification } = model;
  return { location: documents.location, title, version, specification };
}

export function reportTraffic(hits: Hits): UsageTraffic {
  const { recorded, matched, unmatched, firstAt, lastAt } = hits;
  return { recorded, matched, unmatched: unmatched.total, first_at: firstAt, last_at: lastAt };
}

function reportAccess(plan: CoveragePlan, access: AccessMatrix): ReportAccess {
  const { identities, notMeasured, unknownSenders, hiddenSenders } = access;
  return {
    identities,
    operations: plan.operations.flatMap(({ index, model: { method, path } }) => {
      const cells = access.cells(index);
      return cells.length === 0 ? [] : [{ method, path, cells }];
    }),
    ...(notMeasured.size > 0 && { not_measured: [...notMeasured] }),
    ...(unknownSenders > 0 && { unknown: unknownSenders }),
    ...(hiddenSenders > 0 && { hidden: hiddenSenders }),
  };
}

function undeclaredProperties(
  { plan: { model: { method, path } }, hits, excluded }: CoveredOperation,
): ReportUndocumentedProperty[] {
  if (hits === undefined || excluded !== undefined) return [];
  return hits.undocumentedProperties.list().map((one) => ({
    method,
    path,
    status_code: one.status,
    media_type: one.mediaType,
    property: one.pointer,
    count: one.hits,
    first_at: one.firstAt === Infinity ? null : one.firstAt,
  }));
}

function countSucceeded({ hits, excluded }: CoveredOperation): number {
  return excluded === undefined && hits !== undefined && hits.succeeded > 0 ? 1 : 0;
}

function reportOperation(
  { links, operations }: CoveragePlan,
  operation: CoveredOperation,
  summary: Summary,
  tests: ReportTests,
  hashes: ValueHashes,
  contents: readonly CoveredResponse[] | undefined,
  values: readonly CoveredValues[] | undefined,
): ReportOperation {
  const { plan: { model, index: at }, hits, credentials } = operation;
  const tested = testedParameters(operation);
  const bodies = hits?.undocumentedBodies.list() ?? [];
  const names = hits?.undocumentedParameters.list() ?? [];
  const ownLinks = links.filter((link) => link.operation === at);
  return {
    method: model.method,
    path: model.path,
    operation_id: model.operationId,
    tags: model.tags,
    deprecated: model.deprecated,
    hits: hits?.hits ?? 0,
    succeeded: hits?.succeeded ?? 0,
    first_at: hits?.firstAt ?? null,
    last_at: hits?.lastAt ?? null,
    ...(hits !== undefined && credentials !== undefined && { credentials: credentials.counts }),
    summary,
    ...excludedBy(operation.excluded),
    parameters: operation.parameters.map((parameter, index) =>
      reportParameter(
        parameter,
        tests,
        hashes,
        tested.has(index) ? (path) => ruleEvidence(operation, index, path) : undefined,
        values?.[index],
      )
    ),
    responses: model.responses.map(({ status_code }, index) => {
      const seen = hits?.responses[index];
      const content = contents?.[index];
      const followed = content === undefined ? [] : ownLinks
        .filter(({ response }) => response === index)
        .map(({ name, target }) => ({
          link: name,
          method: operations[target]?.model.method ?? "",
          path: operations[target]?.model.path ?? "",
          hits: hits?.links.get(linkKey(status_code, name)) ?? 0,
        }));
      // A sum that reached the largest safe integer isn't exact, so it has no mean.
      const elapsed = seen === undefined || seen.timed === 0 ||
          seen.elapsed === Number.MAX_SAFE_INTEGER
        ? null
        : { mean: seen.elapsed / seen.timed / 1e6, max: seen.slowest / 1e6 };
      return {
        status_code,
        hits: seen?.hits ?? 0,
        elapsed,
        ...excludedBy(operation.excludedResponses[index]),
        ...(content && reportResponseContent(content)),
        ...(followed.length > 0 && { links: followed }),
        ...tests.coveredBy(seen?.at),
      };
    }),
    undocumented_responses: [...hits?.undocumentedResponses ?? []]
      .sort(([left], [right]) => Number(left) - Number(right))
      .map(([status_code, { hits: count, at }]) => {
        const types = hits?.undocumentedResponseBodies.list().filter(({ status }) =>
          status === status_code
        ) ?? [];
        return {
          status_code,
          hits: count,
          ...(types.length > 0 && { media_types: types.map(mediaTypeHits) }),
          ...tests.coveredBy(at),
        };
      }),
    ...(bodies.length > 0 && { undocumented_bodies: bodies.map(mediaTypeHits) }),
    ...(names.length > 0 && {
      undocumented_parameters: names.map(({ name, count }) => ({
        location: "query" as const,
        parameter: name,
        hits: count,
      })),
    }),
    ...tests.coveredBy(hits?.at),
  };
}

function excludedBy(excluded: number | undefined): { readonly excluded?: number } {
  return excluded === undefined ? {} : { excluded };
}

function mediaTypeHits({ mediaType, hits }: { readonly mediaType: string; readonly hits: number }) {
  return { media_type: mediaType, hits };
}

function reportParameter(
  { plan, hits, measured, keywords, examples, excluded, totals }: CoveredParameter,
  tests: ReportTests,
  hashes: ValueHashes,
  findEvidence: ((path: string) => RuleEvidence) | undefined,
  classes: CoveredValues | undefined,
): ReportParameter {
  const covered = hits && tests.parts(plan, hits);
  const valueHashes = keywords.length === 0 ? undefined : keywordHashes(plan, hashes);
  const required = requiredRule(plan);
  const { counted } = totals();
  return {
    location: plan.model.location,
    parameter: plan.model.name,
    required: plan.model.required,
    hits: hits?.hits ?? 0,
    keyword_total: measured ? counted.keywords : 0,
    example_total: measured ? counted.examples : 0,
    ...(!measured && { measured }),
    schema_path: plan.schema_path,
    ...excludedBy(excluded),
    keywords: keywords.map((keyword) => {
      const value_hash = valueHashes?.get(keyword.schema_path);
      return {
        ...keyword,
        ...(value_hash !== undefined && { value_hash }),
        ...(findEvidence && evidenceCounts(findEvidence(keyword.schema_path))),
        ...tests.coveredKeyword(covered?.keywords.get(keyword.schema_path)),
      };
    }),
    examples: examples.map(({ schema_path, value, hits, excluded }) => ({
      schema_path,
      value: value as Json,
      hits,
      ...excludedBy(excluded),
      ...tests.listed(covered?.examples.get(schema_path)),
    })),
    ...(classes !== undefined && { value_total: classes.total, values: classes.list }),
    malformed: hits?.malformed ?? 0,
    not_recorded: hits?.notRecorded ?? 0,
    ...(required !== undefined && findEvidence && missingCounts(findEvidence(required))),
    unsupported: plan.unsupported,
    ...tests.coveredBy(hits?.at),
  };
}

function evidenceCounts(
  { refused, accepted }: RuleEvidence,
): Pick<ReportKeyword, "refused" | "accepted"> {
  return {
    ...(refused !== undefined && { refused: refused.count }),
    ...(accepted !== undefined && { accepted: accepted.count }),
  };
}

function missingCounts({ refused, accepted }: RuleEvidence): Pick<ReportParameter, "missing"> {
  if (refused === undefined && accepted === undefined) return {};
  return { missing: { refused: refused?.count ?? 0, accepted: accepted?.count ?? 0 } };
}

function reportExclusions(
  own: UsedExclusions,
  others: readonly CountedApi[],
  generatedAt: string,
): ReportExclusion[] {
  const today = generatedAt.slice(0, "2026-01-31".length);
  let used: readonly UsedExclusions[] | undefined;
  const usedElsewhere = () => used ??= others.flatMap(usedExclusions);
  return own.exclusions.list.map((exclusion, index) => ({
    ...exclusion,
    excluded: own.excluded.tally(index),
    stale: staleSentence(index, today, own, usedElsewhere),
  }));
}

function usedExclusions({ plan, hits, exclusions }: CountedApi): UsedExclusions[] {
  if (exclusions === undefined) return [];
  const excluded = new ExclusionTallies();
  for (const operation of coveredOperations(plan, hits, exclusions)) {
    operationStatistic(operation, excluded);
  }
  return [{ exclusions, excluded, measured: hits.answered > 0 }];
}

function reportResponseContent(
  { mediaTypes, headers }: CoveredResponse,
): Pick<ReportResponse, "media_types" | "headers"> {
  return {
    ...(mediaTypes.length > 0 && {
      media_types: mediaTypes.map((part) => ({
        media_type: part.plan.model.name,
        ...responsePart(part),
      })),
    }),
    ...(headers.length > 0 && {
      headers: headers.map((part) => {
        const { name, required } = part.plan.model;
        return { header: name, required, ...responsePart(part) };
      }),
    }),
  };
}

function responsePart({ plan, hits, total, keywords }: CoveredResponsePart): ReportResponsePart {
  const { malformed = 0, notRecorded = 0 } = hits ?? {};
  return {
    hits: hits?.hits ?? 0,
    keyword_total: total,
    schema_path: plan.schema_path,
    keywords: keywords.map(({ schema_path, seen, violated }) => ({
      schema_path,
      seen,
      ...(violated > 0 && { violated }),
    })),
    ...(malformed > 0 && { malformed }),
    ...(notRecorded > 0 && { not_recorded: notRecorded }),
    ...((plan.unsupported || hits?.undecoded === true) && { unsupported: true }),
  };
}

/** Tests in the order of their names, so that a report doesn't depend on the order in which they ran. */
class ReportTests {
  readonly names: readonly string[];
  readonly #coveredBy: CoveredBy;
  readonly #places: readonly number[];

  constructor(coveredBy: CoveredBy) {
    coveredBy.attributeCounts(); // drops the names if there are too many
    const { names } = coveredBy;
    this.#coveredBy = coveredBy;
    this.names = [...names].sort();
    const places = new Map(this.names.map((name, place) => [name, place]));
    this.#places = names.map((name) => places.get(name) ?? 0);
  }

  /** The tests of the counter at an index of the store. */
  coveredBy(at: number | undefined): { readonly covered_by?: TestIndexes } {
    return this.listed(this.#coveredBy.testsAt(at));
  }

  /** The tests of each part of a parameter. Undefined if no test sent the parameter. */
  parts(plan: ParameterPlan, hits: ParameterHits): ReturnType<typeof parameterTests> | undefined {
    return this.#coveredBy.testsAt(hits.at) && parameterTests(plan, hits, this.#coveredBy);
  }

  listed(tests: TestList | undefined): { readonly covered_by?: TestIndexes } {
    return tests === undefined || tests.length === 0 ? {} : { covered_by: this.#inOrder(tests) };
  }

  coveredKeyword(tests: KeywordTests | undefined): Pick<ReportKeyword, "covered_by"> {
    return tests === undefined ? {} : {
      covered_by: { valid: this.#inOrder(tests.valid), invalid: this.#inOrder(tests.invalid) },
    };
  }

  #inOrder(tests: TestList): TestIndexes {
    return tests.map((test) => this.#places[test] ?? 0).sort((left, right) => left - right);
  }
}
