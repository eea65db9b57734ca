import type { Shape } from "../../http/shape.ts";
import { getOrAdd } from "../../values/collections.ts";
import { pointerTokens } from "../../values/json_pointer.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import type { ResponsePartPlace } from "../noticed_hits.ts";
import type { UnmatchedState } from "../unmatched_requests.ts";
import { parsePathTemplate } from "../path_template.ts";
import type { DroppedHits } from "../results.ts";
import type { EvidenceFiles, OperationFile } from "./hits_format.ts";
import type { PlanNames } from "./plan_names.ts";

const VARIABLE = /\{([^{}]*)\}/g;

/** Renames operations to match another description: paths that differ only in variable names are the same. */
export function renameOperations(
  operations: readonly OperationFile[],
  { operations: planned }: Pick<PlanNames, "operations">,
): readonly OperationFile[] {
  const savedNames = new Set(operations.map(({ operation }) => operation));
  if (operations.every(({ operation }) => planned.has(operation))) return operations;
  const candidates = firstNames([...planned.keys()].filter((name) => !savedNames.has(name)));
  return operations.map((operation) => {
    if (planned.has(operation.operation)) return operation;
    const unnamed = withoutNames(operation.operation);
    const name = candidates.get(unnamed);
    if (name === undefined) return operation;
    candidates.delete(unnamed); // each known name is used once
    return renameOperation(operation, name);
  });
}

function withoutNames(path: string): string {
  return path.replace(VARIABLE, "{}");
}

/** Maps paths without the names of their variables to the first one with names. */
function firstNames(paths: Iterable<string>): Map<string, string> {
  const first = new Map<string, string>();
  for (const path of paths) getOrAdd(first, withoutNames(path), () => path);
  return first;
}

function renameOperation(saved: OperationFile, operation: string): OperationFile {
  const oldNames = pathVariables(saved.operation);
  const newNames = pathVariables(operation);
  const rename = (parameter: string): string => {
    const index = oldNames.indexOf(parameter);
    return newNames[index] ?? parameter;
  };
  const evidence = saved.evidence && Object.fromEntries(
    Object.entries(saved.evidence).map(([kind, entries]) => [
      kind,
      entries.map(([hits, status, detail, first, parameter, ...rule]) => [
        ...[hits, status, detail, first],
        ...parameter === undefined
          ? []
          : [typeof parameter === "string" ? rename(parameter) : parameter, ...rule],
      ]),
    ]),
  ) as EvidenceFiles;
  return {
    ...saved,
    operation,
    ...saved.parameters && {
      parameters: saved.parameters.map(([name, ...counts]) => [rename(name), ...counts] as const),
    },
    ...evidence && { evidence },
  };
}

/** Returns the names of path parameters as used in hits. */
function pathVariables(operation: string): string[] {
  return Array.from(operation.matchAll(VARIABLE), ([, name = ""]) => `path ${name}`);
}

/** Returns a part of a response at its place in this description; undefined if it isn't documented. */
export function carryPart(
  operation: OperationPlan,
  place: ResponsePartPlace,
): ResponsePartPlace | undefined {
  const { mediaTypes = [], headers = [] } = operation.response(place.response) ?? {};
  const atPointer = (schema_path: string | undefined, path = place.path) =>
    schema_path === undefined ? undefined : { ...place, path, schema_path };
  switch (place.part) {
    case "status":
      return atPointer(operation.model.responses[place.response]?.pointer);
    case "body": {
      const ending = place.schema_path.slice(place.schema_path.lastIndexOf("/"));
      const same = mediaTypes.find(({ schema_path }) => schema_path.endsWith(ending));
      return atPointer((same ?? mediaTypes[0])?.schema_path);
    }
    case "header": {
      const name = place.path.toLowerCase();
      const header = headers.find(({ model }) => model.name.toLowerCase() === name);
      return atPointer(header?.schema_path, header?.model.name);
    }
    default: {
      const tokens = pointerTokens(place.path);
      const places = mediaTypes.flatMap(({ shape }) => [...declaredPlaces(shape, tokens)]);
      return atPointer(places.find((one) => one === place.schema_path) ?? places[0]);
    }
  }
}

/** Lists the pointers of a property's declarations by its path in a body. `*` is an item or an undeclared name. */
function* declaredPlaces(
  shape: Shape,
  [name = "", ...rest]: readonly string[],
): Generator<string, void> {
  if (name === "*") {
    for (let index = 0; index <= shape.tupleLength; index++) {
      yield* declaredPlaces(shape.item(index), rest);
    }
    yield* declaredPlaces(shape.undeclared(shape.patterns), rest);
    return;
  }
  const declared = shape.declaredAt?.(name);
  if (declared === undefined) return;
  if (rest.length === 0) yield declared;
  else yield* declaredPlaces(shape.property(name), rest);
}

/** Returns the requests that don't match another description either; adds the others to `dropped`. */
export function carryUnmatched(
  plan: CoveragePlan,
  state: UnmatchedState | undefined,
  dropped: DroppedHits[],
): UnmatchedState | undefined {
  if (state === undefined) return undefined;
  const operations = plan.operations.map(({ model: { method, path } }) => {
    return { method, template: parsePathTemplate(path).text };
  });
  const names = new Set(operations.map(({ method, template }) => `${method} ${template}`));
  const templates = new Set(operations.map(({ template }) => template));
  const renamed = firstNames(templates);
  let { total } = state;
  const requests = state.requests.flatMap((request) => {
    const { method, host, reason, count } = request;
    // With this reason, the path is a template.
    const isTemplate = reason === "method_not_documented";
    const path = isTemplate && !templates.has(request.path)
      ? renamed.get(withoutNames(request.path)) ?? request.path
      : request.path;
    const operation = `${method} ${path}`;
    const isMatched = isTemplate
      ? names.has(operation)
      : plan.routes.match(method, `http://${host || "localhost"}${path}`).kind !== "unmatched";
    if (!isMatched) return [{ ...request, path }];
    dropped.push({ kind: "unmatched", operation, hits: count });
    total -= count;
    return [];
  });
  return { total: Math.max(0, total), requests };
}
