import { groupItems } from "../../values/collections.ts";
import type { ReportExample, ReportKeyword, ReportOperation, ReportParameter } from "../report.ts";
import { schemaPlace } from "../wording/place_name.ts";
import { operationName, parameterIdentity, unnamedOperation } from "../../values/operation_name.ts";

/** Finds operations in an earlier report: by method and path, whatever the variables of the path are called. */
export function matchOperations(
  later: readonly ReportOperation[],
  earlier: readonly ReportOperation[],
): ReadonlyMap<ReportOperation, ReportOperation> {
  return pairUpInTurn(later, earlier, [
    [operationName, operationName],
    [unnamedOperation, unnamedOperation],
  ]);
}

/** By location and name, and in the path by their order. */
export function matchParameters(
  later: ReportOperation,
  earlier: ReportOperation,
): ReadonlyMap<ReportParameter, ReportParameter> {
  const identity = ({ path }: ReportOperation) => {
    const nameOf = parameterIdentity(path);
    return ({ location, parameter }: ReportParameter) => nameOf(location, parameter);
  };
  return pairUpInTurn(later.parameters, earlier.parameters, [[identity(later), identity(earlier)]]);
}

/** Pairs things with the same key in their order; each is in one pair at most. */
export function pairUp<T>(
  first: readonly T[],
  second: readonly T[],
  keyOf: (item: T) => string,
  otherKeyOf: (item: T) => string = keyOf,
): Map<T, T> {
  const waiting = groupItems(second.toReversed(), otherKeyOf);
  const pairs = new Map<T, T>();
  for (const item of first) {
    const other = waiting.get(keyOf(item))?.pop();
    if (other !== undefined) pairs.set(item, other);
  }
  return pairs;
}

/** Pairs things by one key after the other, the most exact first. */
export function pairUpInTurn<T>(
  first: readonly T[],
  second: readonly T[],
  keys: readonly (readonly [keyOf: (item: T) => string, otherKeyOf: (item: T) => string])[],
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  let [open, rest] = [first, second];
  for (const [keyOf, otherKeyOf] of keys) {
    if (open.length === 0 || rest.length === 0) break;
    const found = pairUp(open, rest, keyOf, otherKeyOf);
    for (const [one, other] of found) pairs.set(one, other);
    const taken = new Set(found.values());
    open = open.filter((item) => !found.has(item));
    rest = rest.filter((item) => !taken.has(item));
  }
  return pairs;
}

/** Finds the examples of a parameter in an earlier report: by value, in the same place if there are several. */
export function matchExamples(
  later: ReportParameter,
  earlier: ReportParameter,
): ReadonlyMap<ReportExample, ReportExample> {
  const value = ({ value }: ReportExample) => JSON.stringify(value, sortMembers);
  const exact = (example: ReportExample) => `${example.schema_path} ${value(example)}`;
  return pairUpInTurn(later.examples, earlier.examples, [[exact, exact], [value, value]]);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1));
}

/** Pairs keywords of one name and value in the same place, in that place of another schema, or in the same property. */
export function matchKeywords(
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
    `${identity(keyword)} ${lastProperty(placeWithin(keyword, own))}`;
  const [own, before] = [later.schema_path, earlier.schema_path];
  return pairUpInTurn(later.keywords, earlier.keywords, [
    [exact, exact],
    [placed(own), placed(before)],
    [near(own), near(before)],
  ]);
}

function placeWithin({ schema_path }: ReportKeyword, own: string): string {
  return schemaPlace(schema_path.slice(0, schema_path.lastIndexOf("/")), own);
}

function lastProperty(place: string): string {
  return place.slice(Math.max(0, place.lastIndexOf(".")));
}
