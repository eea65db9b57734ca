import type { Json } from "../values/json.ts";
import type { Shape } from "../http/shape.ts";
import { escapeToken } from "../values/json_pointer.ts";
import { compilePattern } from "../schema/pattern.ts";
import { Redactor } from "../redact/redactor.ts";

/** Deeper parts are not looked at. */
const DEEPEST = 64;
/** An object with more undeclared properties is a table, whose names are data. */
const MOST_NAMES = 50;
/** Longer names are data. */
const LONGEST_NAME = 64;
/** So many digits in a name are a number or an identifier of something. */
const NUMBER = /\d{4}|(?:\d.*){6}/;
const NAME = /^[\p{L}_$@][\p{L}\p{M}\p{N}_$@.: -]*$/u;

const redactor = new Redactor();

/**
 * The properties of a value that its schema doesn't declare, each once, as pointers; `*` stands for items of arrays and
 * for names that look like data. Where a schema says what other properties are (`additionalProperties`,
 * `unevaluatedProperties`), or declares none at all, nothing is undeclared. What alternatives declare is declared.
 *
 * @param shape The shape of the schema.
 *
 * @example
 * ```ts
 * import { ANY_SHAPE } from "../map/schema_shape.ts";
 * import { findUndeclared } from "./find_undeclared.ts";
 * import assert from "node:assert/strict";
 *
 * const shape = { ...ANY_SHAPE, propertyNames: new Set(["id"]) };
 * assert.deepEqual([...findUndeclared({ id: 1, name: "Ada" }, shape)], ["/name"]);
 * ```
 */
export function findUndeclared(value: Json, shape: Shape): ReadonlySet<string> {
  const found = new Set<string>();
  walk(value, shape, "", 0, found);
  return found;
}

function walk(value: Json, shape: Shape, pointer: string, depth: number, found: Set<string>): void {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, shape.item(index), `${pointer}/*`, depth + 1, found));
    return;
  }
  const { propertyNames, patterns } = shape;
  const tells = propertyNames.size > 0 && !shape.describesOthers;
  const undeclared: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (propertyNames.has(name)) {
      const inside = `${pointer}/${escapeToken(name)}`;
      walk(member, shape.property(name), inside, depth + 1, found);
    } else if (tells && !patterns.some((source) => matches(source, name))) undeclared.push(name);
    else walk(member, shape.property(name), `${pointer}/*`, depth + 1, found);
  }
  const areData = undeclared.length > MOST_NAMES;
  for (const name of undeclared) {
    found.add(`${pointer}/${areData || isData(name) ? "*" : escapeToken(name)}`);
  }
}

/** True for a name that may be a value: an identifier, an address, a date, a secret. */
function isData(name: string): boolean {
  return name.length > LONGEST_NAME || !NAME.test(name) || NUMBER.test(name) ||
    /.@/.test(name) || redactor.value(name) !== name;
}

function matches(source: string, name: string): boolean {
  try {
    return compilePattern(source)(name) === true;
  } catch (error) {
    if (error instanceof SyntaxError) return true; // a diagnostic says so
    throw error;
  }
}
