// Values that a client might send for a schema, valid or not.
import { deref, isRaw, type Raw } from "./raw_description.ts";
import type { Random } from "./random.ts";

/** Values that few schemas accept. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  "",
  " ",
  "null",
  "true",
  "007",
  "12",
  "-1.5e3",
  "a,b",
  "a|b",
  "a=b&c[]=d",
  "é€😀",
  "2020-01-01",
  "2020-01-01T00:00:00Z",
  '{"a":1}',
  "[1,2]",
  [],
  {},
  [[]],
  [1, "a", null],
  { a: 1, "": null, b: [{}] },
  JSON.parse('{"__proto__":{"a":1},"constructor":1,"hasOwnProperty":null}'),
  "x".repeat(300),
];

/** A value that few schemas accept. */
export function oddValue(random: Random): unknown {
  return random.pick(ODD);
}

/** Options for values. */
export interface SampleOptions {
  readonly random: Random;
  /** One in this many values is odd; 0 for none. */
  readonly oddness: number;
}

/** A value for a schema from its example, its enum or its type. Objects and arrays get smaller with depth. */
export function sampleValue(
  root: Raw,
  schema: unknown,
  options: SampleOptions,
  depth = 0,
): unknown {
  const { random, oddness } = options;
  if (oddness > 0 && random.oneIn(oddness)) return oddValue(random);
  const found = deref(root, schema);
  if (!isRaw(found)) return "text";
  if ("const" in found) return found["const"];
  const listed = found["enum"];
  if (Array.isArray(listed) && listed.length > 0) return random.pick(listed);
  if (oddness > 0 && random.oneIn(8) && "example" in found) return found["example"];
  for (const keyword of ["oneOf", "anyOf"]) {
    const members = found[keyword];
    if (!Array.isArray(members) || members.length === 0 || found["properties"]) continue;
    return sampleValue(root, oddness > 0 ? random.pick(members) : members[0], options, depth + 1);
  }
  const types = Array.isArray(found["type"]) ? found["type"] : [found["type"]];
  const type = types.find((type) => type !== "null") ?? implied(found);
  switch (type) {
    case "integer":
    case "number":
      return Math.max(typeof found["minimum"] === "number" ? found["minimum"] : 1, 1);
    case "boolean":
      return true;
    case "array": {
      const count = depth > 5 ? 0 : 1 + (oddness > 0 ? random.below(2) : 0);
      const items = [];
      for (let index = 0; index < count; index++) {
        items.push(sampleValue(root, found["items"], options, depth + 1));
      }
      return items;
    }
    case "object":
      return sampleObject(root, found, options, depth);
    default:
      return sampleText(found, random);
  }
}

function implied(schema: Raw): string | undefined {
  if (isRaw(schema["properties"]) || schema["additionalProperties"] !== undefined) return "object";
  if (Array.isArray(schema["allOf"]) && schema["allOf"].length > 0) return "object";
  return schema["items"] === undefined ? undefined : "array";
}

function sampleObject(root: Raw, schema: Raw, options: SampleOptions, depth: number): unknown {
  const value: Record<string, unknown> = {};
  const members = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  for (const member of depth > 5 ? [] : members) {
    const part = sampleValue(root, member, { ...options, oddness: 0 }, depth + 1);
    if (isRaw(part)) Object.assign(value, part);
    else if (schema["properties"] === undefined) return part;
  }
  const { random, oddness } = options;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isRaw(schema["properties"]) ? schema["properties"] : {};
  for (const [name, property] of Object.entries(properties)) {
    const isWanted = depth < 2 || required.includes(name) || random.oneIn(4);
    if (depth > 5 || !isWanted || (oddness > 0 && random.oneIn(3))) continue;
    if (isReadOnly(root, property)) continue;
    define(value, name, sampleValue(root, property, options, depth + 1));
  }
  if (isRaw(schema["additionalProperties"]) || Object.keys(value).length === 0) {
    define(
      value,
      "covtoolKey",
      sampleValue(root, schema["additionalProperties"], options, depth + 1),
    );
  }
  if (oddness > 0 && random.oneIn(6)) define(value, "toString", oddValue(random));
  return value;
}

/** True for properties that clients shouldn't send. */
function isReadOnly(root: Raw, schema: unknown, depth = 0): boolean {
  const found = deref(root, schema);
  if (!isRaw(found)) return false;
  const members = Array.isArray(found["allOf"]) && depth < 5 ? found["allOf"] : [];
  return found["readOnly"] === true ||
    members.some((member) => isReadOnly(root, member, depth + 1));
}

/** Sets an own property with any name. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function sampleText(schema: Raw, random: Random): string {
  switch (schema["format"]) {
    case "date":
      return "2024-02-29";
    case "date-time":
      return "2024-02-29T12:00:00Z";
    case "uuid":
      return "123e4567-e89b-12d3-a456-426614174000";
    case "email":
      return "someone@example.com";
    default:
      return `text${random.below(10)}`;
  }
}
