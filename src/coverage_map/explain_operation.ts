import type { CoveragePlan } from "../map/coverage_plan.ts";
import { operationsWithGaps } from "../report/gap_counts.ts";
import type { Report } from "../report/report.ts";
import { roundPercent } from "../report/wording/amounts.ts";
import { selectOperations } from "../suggest/select_operations.ts";
import { escapeToken, findMember } from "../values/json_pointer.ts";
import { operationName } from "../values/operation_name.ts";
import type { MeasuredApi } from "./measured_api.ts";

/** The maximum number of characters of components in an excerpt. */
const MAX_COMPONENTS = 16_000;
const MAX_OPERATIONS = 10;

export interface OperationExcerpt {
  /** For example, `GET /books`. */
  readonly operation: string;
  readonly description: unknown;
  /** Parameters and servers that the path specifies for all of its operations. */
  readonly path_item?: Readonly<Record<string, unknown>>;
  /** The API's default security requirements, if they apply to the operation. */
  readonly security?: unknown;
  /** Everything that it refers to, including security schemes, by reference and as far as there is room. */
  readonly references: Readonly<Record<string, unknown>>;
  readonly left_out?: readonly string[];
}

/** Returns an operation by operationId or `GET /path`, with all that it refers to; throws a SuggestError if unknown. */
export function explainOperation({ plan }: MeasuredApi, name: string): OperationExcerpt {
  const [operation] = selectOperations(plan, [name]);
  if (operation === undefined) throw new TypeError("No operation."); // selectOperations() throws before
  const { pointer } = operation.model;
  const found: FoundPlaces = new Map();
  const excerpt = (place: Place | undefined, inside = found): unknown =>
    place && nameReferences(place, plan.references, inside);
  const description = excerpt(plan.placeAt(pointer));
  const holder = pointer.replace(/(?:\/additionalOperations)?\/[^/]*$/, "");
  const shared = ["parameters", "servers"].flatMap((member) => {
    const value = excerpt(plan.placeAt(`${holder}/${member}`));
    return value === undefined ? [] : [[member, value] as const];
  });
  const operationSecurity = findMember(description, "security");
  const security = operationSecurity ?? plan.placeAt("/security")?.value;
  for (const path of schemePaths(security)) {
    const place = plan.placeAt(path);
    if (place?.value !== undefined) found.set(`#${path}`, place);
  }
  const references: Record<string, unknown> = {};
  const omitted: string[] = [];
  let size = 0;
  for (const [reference, place] of found) {
    const inside: FoundPlaces = new Map();
    const value = excerpt(place, inside);
    const length = JSON.stringify(value)?.length ?? 0;
    if (value === undefined || size + length > MAX_COMPONENTS) {
      omitted.push(reference);
      continue;
    }
    size += length;
    references[reference] = value;
    for (const [next, target] of inside) found.set(next, target);
  }
  return {
    operation: operationName(operation.model),
    description,
    ...(shared.length > 0 && { path_item: Object.fromEntries(shared) }),
    ...(operationSecurity === undefined && security !== undefined && { security }),
    references,
    ...(omitted.length > 0 && { left_out: omitted }),
  };
}

/** Returns possible pointers of the schemes in security requirements, for OpenAPI and Swagger. */
function schemePaths(security: unknown): string[] {
  const names = Array.isArray(security) ? security.flatMap((one) => Object.keys(one ?? {})) : [];
  return ["/components/securitySchemes", "/securityDefinitions"]
    .flatMap((holder) => [...new Set(names)].map((name) => `${holder}/${escapeToken(name)}`));
}

type Place = NonNullable<ReturnType<CoveragePlan["placeAt"]>>;

/** The places that references lead to, by their name in the excerpt; undefined for those that lead nowhere. */
type FoundPlaces = Map<string, Place | undefined>;

/**
 * Returns a value whose references are written as from the main file, since in a file of their own they may read like
 * others. Adds what they lead to.
 */
function nameReferences(
  place: Place,
  references: CoveragePlan["references"],
  found: FoundPlaces,
): unknown {
  const { value, pointer } = place;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== "$ref" || typeof member !== "string") {
      const inside = { ...place, value: member, pointer: `${pointer}/${escapeToken(name)}` };
      return [name, nameReferences(inside, references, found)] as const;
    }
    const target = references.resolve(place, member);
    const reference = target === undefined ? member : `${target.document.label}#${target.pointer}`;
    found.set(reference, target);
    return [name, reference] as const;
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

/** Summarizes coverage for programs: of an API, with the operations that have most gaps, or of one operation. */
export function digestCoverage({ plan }: MeasuredApi, report: Report, name?: string): object {
  if (name !== undefined) {
    const [operation] = selectOperations(plan, [name]);
    const reported = report.operations[operation?.index ?? -1];
    return {
      operation: operation && operationName(operation.model),
      hits: reported?.hits,
      ...digestSummary(reported?.summary ?? report.summary),
    };
  }
  const operations = operationsWithGaps(report);
  return {
    title: report.title,
    schema: report.schema.location,
    requests: report.traffic.recorded,
    matched: report.traffic.matched,
    ...digestSummary(report.summary),
    operations_with_gaps: operations.length,
    most_gaps: operations.slice(0, MAX_OPERATIONS).map(({ operation, gaps }) => ({
      operation: operationName(operation),
      hits: operation.hits,
      gaps,
    })),
  };
}

/** Returns the report's figures with percentages rounded to a tenth, as in reports; null if not measured. */
function digestSummary(summary: Report["summary"]): object {
  const { operations, parameters, keywords, examples, responses, values, enforcement } = summary;
  const figures = { operations, parameters, keywords, examples, responses, values, enforcement };
  const coverage = Object.entries(figures).flatMap(([name, figure]) => {
    if (figure === undefined) return [];
    const { percent } = figure;
    return [[name, { ...figure, percent: percent === null ? null : roundPercent(percent) }]];
  });
  return { coverage: Object.fromEntries(coverage) };
}
