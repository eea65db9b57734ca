import { compareText } from "../values/collections.ts";
import { JSON_POSITION } from "../values/position.ts";
import { showsHeader } from "../http/visibility.ts";
import type { InventoryKeyword } from "../schema/inventory_walk.ts";
import { declaredNames } from "../schema/keywords/objects.ts";
import { keywordSatisfiability } from "../schema/judge.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import { type CoveredOperation, type PartScope, partScope } from "./coverage.ts";
import { type KeywordCounts, parameterCounts, type ResponsePartHits } from "./operation_hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import type { Hits } from "./hits.ts";
import type { ResponseKeywordCount, ResponseKeywordSummary } from "./results.ts";
import { percentage, sumCounts } from "./statistic.ts";

export function hasResponseBodies(hits: Hits): boolean {
  return hits.operations.some((operation) =>
    operation !== undefined && operation.responseBodies > 0
  );
}

export function coveredResponses(operation: CoveredOperation): readonly CoveredResponse[] {
  return operation.plan.model.responses.map((_, index) => coveredResponse(operation, index));
}

export function countResponseKeywords(responses: Iterable<CoveredResponse>): ResponseKeywordCount {
  const parts = Array.from(responses, ({ mediaTypes, headers }) => [...mediaTypes, ...headers]);
  return addResponseKeywords(
    parts.flat().map(({ keywords, total }) => ({
      seen: keywords.length,
      violated: keywords.filter(({ violated }) => violated > 0).length,
      total,
    })),
  );
}

function addResponseKeywords(counts: Iterable<ResponseKeywordCount>): ResponseKeywordCount {
  return sumCounts(counts, { seen: 0, violated: 0, total: 0 });
}

/** @param counts Undefined if no response bodies were recorded. */
export function summarizeResponseKeywords(
  counts: Iterable<ResponseKeywordCount> | undefined,
): ResponseKeywordSummary {
  if (counts === undefined) return NOT_MEASURED;
  const sum = addResponseKeywords(counts);
  return { ...sum, percent: percentage(sum.seen, sum.total), measured: true };
}

const NOT_MEASURED: ResponseKeywordSummary = {
  seen: 0,
  violated: 0,
  total: null,
  percent: null,
  measured: false,
};

export interface CoveredResponseKeyword {
  readonly keyword: string;
  readonly schema_path: string;
  readonly seen: number;
  readonly violated: number;
}

export interface CoveredResponsePart {
  readonly plan: ParameterPlan;
  /** Undefined if this part was never seen. */
  readonly hits: ResponsePartHits | undefined;
  /** The number of keywords that count; 0 for a header that none of the traffic could have shown. */
  readonly total: number;
  /** Counted keywords that were evaluated. Those of media types are sorted by schema pointer. */
  readonly keywords: readonly CoveredResponseKeyword[];
  /** The pointers of excluded keywords that were evaluated. */
  readonly excluded: ReadonlySet<string>;
  readonly properties: () => { readonly covered: number; readonly total: number };
}

export interface CoveredResponse {
  readonly mediaTypes: readonly CoveredResponsePart[];
  readonly headers: readonly CoveredResponsePart[];
}

export function coveredResponse(operation: CoveredOperation, index: number): CoveredResponse {
  const plan = operation.plan.response(index);
  const hits = operation.hits?.responses[index]?.parts ?? [];
  const cover = (part: ParameterPlan, at: number) => coveredPart(operation, index, part, hits[at]);
  const { mediaTypes = [], headers = [] } = plan ?? {};
  return {
    mediaTypes: mediaTypes.map(cover),
    headers: headers.map((part, at) => cover(part, mediaTypes.length + at)),
  };
}

function coveredPart(
  { exclusions, excludedResponses, visible }: CoveredOperation,
  index: number,
  plan: ParameterPlan,
  hits: ResponsePartHits | undefined,
): CoveredResponsePart {
  const { totals, innerExclusions } = partScope(plan, exclusions, excludedResponses[index]);
  const { location, name } = plan.model;
  const isHidden = hits === undefined && location === "header" && visible !== undefined &&
    !showsHeader(visible.response_headers, name.toLowerCase());
  const total = isHidden ? 0 : totals().counted.keywords;
  const keywords: CoveredResponseKeyword[] = [];
  const excluded = new Set<string>();
  const properties = () => countProperties(plan, hits, innerExclusions);
  if (hits === undefined) return { plan, hits, total, keywords, excluded, properties };
  for (const { entry, isNormal, counts: { valid, invalid } } of evaluatedKeywords(plan, hits)) {
    const { keyword, schema_path } = entry;
    if (innerExclusions?.keyword(entry) !== undefined) excluded.add(schema_path);
    if (!isNormal || excluded.has(schema_path)) continue;
    const violated = hits.violations.get("violated", -1, schema_path)?.count ?? 0;
    keywords.push({ keyword, schema_path, seen: valid + invalid, violated });
  }
  return { plan, hits, total, keywords, excluded, properties };
}

function countProperties(
  plan: ParameterPlan,
  hits: ResponsePartHits | undefined,
  innerExclusions: PartScope["innerExclusions"],
): { readonly covered: number; readonly total: number } {
  const seenProperties = hits?.properties ?? new Map<string, ReadonlySet<string>>();
  if (innerExclusions === undefined) {
    let covered = 0;
    for (const names of seenProperties.values()) covered += names.size;
    const total = plan.totals.properties;
    return { covered: Math.min(covered, total), total };
  }
  let [covered, total] = [0, 0];
  for (const entry of plan.inventory.keywords) {
    if (entry.keyword !== "properties" || innerExclusions.keyword(entry) !== undefined) continue;
    const names = declaredNames(entry.node);
    const seenNames = seenProperties.get(entry.schema_path);
    total += names.length;
    covered += names.filter((name) => seenNames?.has(name) === true).length;
  }
  return { covered, total };
}

interface EvaluatedKeyword {
  readonly entry: Pick<InventoryKeyword, "node" | "keyword" | "schema_path">;
  readonly isNormal: boolean;
  readonly counts: KeywordCounts;
}

function* evaluatedKeywords(
  plan: ParameterPlan,
  hits: ResponsePartHits,
): Generator<EvaluatedKeyword> {
  const { keywords } = parameterCounts(hits);
  if (isContextFree(plan, hits)) {
    const { judge } = plan.schemas.inventory;
    const nodes = [...keywords].map(([node, list]) => ({ node, path: node.schemaPath(), list }));
    for (const { node, list } of nodes.sort((a, b) => compareText(a.path, b.path))) {
      for (const usable of usableKeywords(node)) {
        const keyword = usable.definition.name;
        const counts = list.find((one) => one.keyword === keyword);
        if (counts === undefined) continue;
        const isNormal = keywordSatisfiability(usable, node, JSON_POSITION, judge) === "Normal";
        const entry = { node, keyword, schema_path: node.schemaPath(keyword) };
        yield { entry, isNormal, counts };
      }
    }
    return;
  }
  for (const entry of plan.inventory.keywords) {
    const counts = keywords.get(entry.node)?.find(({ keyword }) => keyword === entry.keyword);
    const isNormal = entry.satisfiability === "Normal";
    if (counts !== undefined) yield { entry, isNormal, counts };
  }
}

/** True if the satisfiability of a keyword doesn't depend on the path to its schema. */
function isContextFree({ schema, itemSchema, positions }: ParameterPlan, hits: ResponsePartHits) {
  return itemSchema === undefined && positions.length === 1 && positions[0]?.json === true &&
    typeof schema === "object" && !schema.graph.references.dynamic &&
    hits.counters.units.every(({ root }) => root.plain === root);
}
