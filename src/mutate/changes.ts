import type { Shape } from "../http/shape.ts";
import { MUTATION_LEVELS, type MutationLevel } from "./levels.ts";
import { isMembers, type LosslessJson } from "./lossless_json.ts";

/** The changes for each kind of part, in the order of trying, with the level that adds them. */
export const CHANGES = {
  status: [["other_class", "bodies"], ["neighbour", "bodies"]],
  body: [["empty", "bodies"]],
  property: [
    ["removed", "properties"],
    ["null", "properties"],
    ["other_value", "values"],
    ["other_type", "values"],
  ],
  list: [["emptied", "properties"], ["item_less", "properties"]],
  header: [["removed", "properties"], ["other_value", "values"]],
} as const satisfies Readonly<
  Record<string, readonly (readonly [name: string, level: MutationLevel])[]>
>;

export function changesAt(part: keyof typeof CHANGES, level: MutationLevel): readonly string[] {
  const maxLevel = MUTATION_LEVELS.indexOf(level);
  return CHANGES[part].filter(([, changeLevel]) => MUTATION_LEVELS.indexOf(changeLevel) <= maxLevel)
    .map(([name]) => name);
}

/** Statuses that mean nearly the same, and that clients handle alike. */
const NEIGHBOURS: Readonly<Record<number, number>> = {
  200: 201,
  201: 200,
  202: 200,
  203: 200,
  204: 200,
  205: 200,
  206: 200,
  400: 422,
  401: 403,
  403: 401,
  404: 410,
  409: 400,
  410: 404,
  422: 400,
  500: 502,
};

/** Statuses to which clients react by themselves: they wait, retry, or send another request. */
const HANDLED_STATUSES = new Set([401, 407, 408, 421, 425, 426, 429, 502, 503, 504]);

/**
 * Returns a status to replace another one; never one without a body, or one to which clients react by themselves.
 *
 * @param documented The statuses of the operation, as written.
 */
export function changedStatus(
  status: number,
  change: string,
  documented: readonly string[],
): number {
  const isSuccess = status < 400;
  if (change === "neighbour") {
    return NEIGHBOURS[status] ??
      (isSuccess ? 200 : status === 500 ? 501 : status < 500 ? 400 : 500);
  }
  const other = documented.map(Number).find((code) =>
    Number.isInteger(code) && !HANDLED_STATUSES.has(code) &&
    (isSuccess ? code >= 400 && code < 600 : code === 200 || code === 201 || code === 202)
  );
  return other ?? (isSuccess ? 500 : 200);
}

export function emptyValue(value: LosslessJson): LosslessJson {
  if (Array.isArray(value)) return [];
  if (isMembers(value)) return {};
  return typeof value === "string" ? "" : null;
}

/**
 * Changes the values at a place of a body.
 *
 * @param shape The shape of the body.
 * @param tokens The path to the place; `*` stands for all items, or for all members that aren't declared.
 * @param replace Returns another value that the schema allows; undefined if none is known.
 * @returns the number of values that were changed.
 */
export function changeValues(
  body: LosslessJson,
  shape: Shape,
  tokens: readonly string[],
  change: string,
  replace: (value: LosslessJson) => LosslessJson | undefined,
): number {
  const [token, ...rest] = tokens;
  if (token === undefined) return changeList(body, change);
  if (Array.isArray(body)) {
    if (token !== "*") return 0;
    return sum(
      body.map((item, index) => changeValues(item, shape.item(index), rest, change, replace)),
    );
  }
  if (!isMembers(body)) return 0;
  const names = Object.keys(body).filter((name) =>
    name === token || token === "*" && shape.declaredAt?.(name) === undefined
  );
  return sum(names.map((name) => {
    const member = body[name] as LosslessJson; // `names` are own keys of the body
    if (rest.length > 0 || isListChange(change)) {
      return changeValues(member, shape.property(name), rest, change, replace);
    }
    return changeMember(body, name, member, change, replace);
  }));
}

export function canChange(
  value: LosslessJson,
  change: string,
  replace: (value: LosslessJson) => LosslessJson | undefined,
): boolean {
  return isListChange(change)
    ? changeList(Array.isArray(value) ? [...value] : value, change) > 0
    : changeMember({ value }, "value", value, change, replace) > 0;
}

function changeMember(
  object: { [name: string]: LosslessJson },
  name: string,
  value: LosslessJson,
  change: string,
  replace: (value: LosslessJson) => LosslessJson | undefined,
): number {
  if (change === "removed") return delete object[name] ? 1 : 0;
  const changed = change === "null"
    ? null
    : change === "other_type"
    ? (typeof value === "string" ? 1 : "covtool")
    : replace(value);
  if (changed === undefined || changed === value) return 0;
  object[name] = changed;
  return 1;
}

function isListChange(change: string): boolean {
  return change === "emptied" || change === "item_less";
}

function changeList(list: LosslessJson, change: string): number {
  if (!Array.isArray(list) || list.length === 0) return 0;
  if (change === "emptied") list.length = 0;
  else if (change === "item_less" && list.length > 1) list.pop();
  else return 0;
  return 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
