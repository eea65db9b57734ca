import { JSON_POSITION } from "../values/position.ts";
import { showsHeader } from "../http/visible_headers.ts";
import type { InventoryKeyword } from "../schema/inventory_walk.ts";
import { satisfiabilityOf } from "../schema/judge.ts";
import type { SchemaNode } from "../schema/schema_node.ts";
import { usableKeywords } from "../schema/usable_keywords.ts";
import { type CoveredOperation, partScope } from "./coverage.ts";
import { type KeywordCounts, parameterCounts } from "./keyword_counts.ts";
import type { ResponsePartHits } from "./operation_hits.ts";
import type { ParameterPlan } from "./parameter_plan.ts";
import { compareText } from "./smallest.ts";

/** A keyword of a response that was evaluated. */
export interface CoveredResponseKeyword {
  /** Its name. */
  readonly keyword: string;
  /** Its pointer as users see it. */
  readonly schema_path: string;
  /** The number of values that it was evaluated on. */
  readonly seen: number;
  /** The number of responses that it made invalid. */
  readonly violated: number;
}

/** A media type or header of a response with its hits. */
export interface CoveredResponsePart {
  readonly plan: ParameterPlan;
  /** Undefined where it never came. */
  readonly hits: ResponsePartHits | undefined;
  /** The number of its keywords that count; none for a header that none of the traffic could have shown. */
  readonly total: number;
  /** Those that count and were evaluated. Schemas of media types are in the order of their pointers. */
  readonly keywords: readonly CoveredResponseKeyword[];
}

/** A documented response with what its bodies and headers have shown. */
export interface CoveredResponse {
  readonly mediaTypes: readonly CoveredResponsePart[];
  readonly headers: readonly CoveredResponsePart[];
}

/** Joins what a documented response can carry with what traffic has shown. */
export function coveredResponse(
  operation: CoveredOperation,
  index: number,
): CoveredResponse {
  const plan = operation.plan.response(index);
  const hits = operation.hits?.responses[index]?.parts ?? [];
  const cover = (part: ParameterPlan, at: number) => coverPart(operation, index, part, hits[at]);
  const { mediaTypes = [], headers = [] } = plan ?? {};
  return {
    mediaTypes: mediaTypes.map(cover),
    headers: headers.map((part, at) => cover(part, mediaTypes.length + at)),
  };
}

function coverPart(
  { exclusions, excludedResponses, visible }: CoveredOperation,
  index: number,
  plan: ParameterPlan,
  hits: ResponsePartHits | undefined,
): CoveredResponsePart {
  const { totals, scoped } = partScope(plan, exclusions, excludedResponses[index]);
  const { location, name } = plan.model;
  const isHidden = hits === undefined && location === "header" && visible !== undefined &&
    !showsHeader(visible.response_headers, name.toLowerCase());
  const total = isHidden ? 0 : totals().counted.keywords;
  if (hits === undefined) return { plan, hits, total, keywords: [] };
  const keywords: CoveredResponseKeyword[] = [];
  for (const { entry, counts: { valid, invalid } } of evaluated(plan, hits)) {
    if (scoped?.keyword(entry) !== undefined) continue;
    const { keyword, schema_path } = entry;
    const violated = hits.violations.get("violated", -1, schema_path)?.count ?? 0;
    keywords.push({ keyword, schema_path, seen: valid + invalid, violated });
  }
  return { plan, hits, total, keywords };
}

interface Evaluated {
  readonly entry: Pick<InventoryKeyword, "node" | "keyword" | "schema_path">;
  readonly counts: KeywordCounts;
}

/** The Normal keywords that were evaluated. */
function* evaluated(plan: ParameterPlan, hits: ResponsePartHits): Generator<Evaluated> {
  const { keywords } = parameterCounts(hits);
  if (isJudgedAlone(plan, hits)) {
    const { judge } = plan.schemas.inventory;
    const nodes = [...keywords].map(([node, counts]) => ({ node, path: node.pathOf(""), counts }));
    for (const { node, counts } of nodes.sort((a, b) => compareText(a.path, b.path))) {
      for (const used of usableKeywords(node)) {
        const keyword = used.definition.name;
        const counted = counts.find((one) => one.keyword === keyword);
        if (counted === undefined) continue;
        if (satisfiabilityOf(used, node, JSON_POSITION, judge) !== "Normal") continue;
        yield { entry: { node, keyword, schema_path: node.pathOf(keyword) }, counts: counted };
      }
    }
    return;
  }
  for (const entry of plan.inventory.keywords) {
    if (entry.satisfiability !== "Normal") continue;
    const counted = keywords.get(entry.node)?.find(({ keyword }) => keyword === entry.keyword);
    if (counted !== undefined) yield { entry, counts: counted };
  }
}

/**
 * True if what a keyword can show doesn't depend on the way to its schema: in JSON, where references are not dynamic and
 * waive nothing. Then nobody has to list all that the schema reaches, which may be the whole description.
 */
function isJudgedAlone({ schema, itemSchema, positions }: ParameterPlan, hits: ResponsePartHits) {
  const isPlain = (node: SchemaNode) => node.plain === node;
  return itemSchema === undefined && positions.length === 1 && positions[0]?.json === true &&
    typeof schema === "object" && !schema.graph.references.dynamic &&
    hits.counters.units.every(({ root }) => isPlain(root));
}
