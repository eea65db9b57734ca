import type { PageRequest } from "../../page_data.ts";
import type { Model, Operation } from "./model.ts";
import { getOrAdd } from "../../../../values/collections.ts";
import { operationGaps } from "./gaps.ts";
import { routeLink, spotName } from "./route.ts";

export interface NextRequest {
  readonly operation: Operation;
  readonly index: number;
  readonly data: PageRequest;
}

interface Known {
  readonly all: readonly NextRequest[];
  readonly byOperation: ReadonlyMap<Operation, readonly NextRequest[]>;
  /** By operation and place, as far as they were asked for. */
  readonly byPlace: Map<Operation, ReadonlyMap<string, NextRequest | undefined>>;
}

const NONE: readonly never[] = [];
const cache = new WeakMap<Model, Known>();

function findKnown(model: Model): Known {
  const known = cache.get(model) ?? gather(model);
  cache.set(model, known);
  return known;
}

function gather(model: Model): Known {
  const all: NextRequest[] = [];
  const byOperation = new Map<Operation, NextRequest[]>();
  for (const data of model.data.next?.requests ?? []) {
    const operation = model.operations[data.operation];
    if (operation === undefined) continue;
    const list = byOperation.get(operation) ?? [];
    byOperation.set(operation, list);
    const request = { operation, index: list.length, data };
    list.push(request);
    all.push(request);
  }
  return { all, byOperation, byPlace: new Map() };
}

export function nextRequests(model: Model): readonly NextRequest[] {
  return findKnown(model).all;
}

export function operationRequests(model: Model, operation: Operation): readonly NextRequest[] {
  return findKnown(model).byOperation.get(operation) ?? NONE;
}

export function requestLinkAt(
  model: Model,
  operation: Operation,
  at: string | null,
): string | undefined {
  const { all, byPlace } = findKnown(model);
  const requests = getOrAdd(
    byPlace,
    operation,
    () =>
      new Map(operationGaps(model, operation).map(({ at, request }) => [at, all[request ?? -1]])),
  );
  const request = requests.get(at ?? "");
  return request && requestLink(request);
}

/** True if `covtool suggest` may find requests that the page doesn't have. */
export function hasMoreRequests(model: Model, operation: Operation | undefined): boolean {
  const { next } = model.data;
  if (next === undefined || next.complete) return false;
  if (operation === undefined) return true;
  return operationGaps(model, operation).some(({ kind, at }) =>
    // No data alone leads to a status.
    kind !== "response" && requestLinkAt(model, operation, at) === undefined
  );
}

export function requestLink({ operation, index }: NextRequest): string {
  return routeLink("operation", operation.key, { at: spotName("request", index) });
}
