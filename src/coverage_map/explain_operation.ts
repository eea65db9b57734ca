import { operationsWithGaps } from "../report/gap_counts.ts";
import type { Report } from "../report/report.ts";
import { roundPercent } from "../report/wording/amounts.ts";
import { selectOperations } from "../suggest/select_operations.ts";
import { decodeUri } from "../values/quoting.ts";
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
  const valueAt = (path: string): unknown => plan.placeAt(path)?.value;
  const description = valueAt(pointer);
  const pathItem = valueAt(pointer.slice(0, pointer.lastIndexOf("/")));
  const shared = ["parameters", "servers"].flatMap((member) => {
    const value = findMember(pathItem, member);
    return value === undefined ? [] : [[member, value] as const];
  });
  const references: Record<string, unknown> = {};
  const omitted: string[] = [];
  let size = 0;
  const operationSecurity = findMember(description, "security");
  const security = operationSecurity ?? valueAt("/security");
  const queue = [
    ...findReferences([description, shared]),
    ...schemeReferences(security).filter(valueAt),
  ];
  const seen = new Set(queue);
  for (const reference of queue) {
    const value = reference.startsWith("#/") ? valueAt(decodeUri(reference.slice(1))) : undefined;
    const length = JSON.stringify(value)?.length ?? 0;
    if (value === undefined || size + length > MAX_COMPONENTS) {
      omitted.push(reference);
      continue;
    }
    size += length;
    references[reference] = value;
    for (const next of findReferences(value)) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
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

/** Returns possible references of the schemes in security requirements, for OpenAPI and Swagger. */
function schemeReferences(security: unknown): string[] {
  const names = Array.isArray(security) ? security.flatMap((one) => Object.keys(one ?? {})) : [];
  return ["#/components/securitySchemes", "#/securityDefinitions"]
    .flatMap((holder) => [...new Set(names)].map((name) => `${holder}/${escapeToken(name)}`));
}

function findReferences(value: unknown): string[] {
  const references = new Set<string>();
  const stack = [value];
  for (let next = stack.pop(); stack.length > 0 || next !== undefined; next = stack.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (name === "$ref" && typeof member === "string") references.add(member);
      else stack.push(member);
    }
  }
  return [...references];
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
