import type { Random } from "../corpus/random.ts";

/** Values that replace others. */
const ODD: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", "\u0000", "ü", "😀", "\ud800"],
  ...["#", "#/", "#/paths", "#/components/schemas", "#/nowhere", "other.yaml#/x", "%", "("],
  ...["https://a.example/x", "^(a+)+$", "[", "object", "array", "integer", "3.0.0", "2.0"],
  ...["__proto__", "constructor", "{id}", "*/*", "1".repeat(400)],
  ...[[], {}, [[]], [{}], { $ref: "#" }, { type: [] }, { enum: [] }, { allOf: [] }, [null]],
  ...[["string", "null"], { $ref: "#/components/schemas/Nobody" }, { $ref: 1 }],
  { $dynamicRef: "#node" },
  { allOf: [{ $ref: "#/components/schemas/Item" }, { $ref: "#/components/schemas/Filter" }] },
  { type: ["array", "integer"], items: { $ref: "#/components/schemas/Item" } },
  { not: {}, anyOf: [], oneOf: [false], enum: [], required: [1], pattern: "[" },
  { if: true, then: false, contains: {}, minContains: "1", dependentSchemas: { a: 1 } },
];

/** Names with a meaning in descriptions. */
const NAMES = [
  ...["$ref", "type", "schema", "items", "properties", "allOf", "if", "content", "parameters"],
  ...["in", "style", "explode", "__proto__", "readOnly", "examples", "example", "default"],
  ...["$id", "$anchor", "$schema", "servers", "get", "query", "encoding"],
  ...["unevaluatedProperties", "prefixItems"],
];

type Container = Record<string | number, unknown>;

/** All places of members and items in a value. */
function slotsIn(value: unknown): { readonly holder: Container; readonly key: string | number }[] {
  const places: { readonly holder: Container; readonly key: string | number }[] = [];
  const waiting: unknown[] = [value];
  for (let at = 0; at < waiting.length && places.length < 20_000; at++) {
    const holder = waiting[at];
    if (typeof holder !== "object" || holder === null) continue;
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      places.push({ holder: holder as Container, key });
      waiting.push((holder as Container)[key]);
    }
  }
  return places;
}

/** A copy of a value with a few changes: parts removed, repeated, moved, renamed, added, or made odd values. */
export function mutateJson(value: unknown, random: Random): unknown {
  const root: Container = { value: structuredClone(value) };
  for (let count = 1 + random.below(6); count > 0; count--) {
    const places = slotsIn(root);
    const { holder, key } = random.pick(places);
    switch (random.below(8)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else if (holder !== root) delete holder[key];
        break;
      case 1: {
        const other = random.pick(places);
        set(holder, key, structuredClone(other.holder[other.key]));
        break;
      }
      case 2:
        if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
        else set(holder, String(random.pick(places).key), structuredClone(holder[key]));
        break;
      case 3:
        set(holder, key, { [String(random.pick(places).key)]: holder[key] });
        break;
      case 4:
        set(holder, key, [holder[key]]);
        break;
      case 5:
        if (typeof holder[key] === "number") set(holder, key, Number(holder[key]) - 1);
        else set(holder, key, { $ref: `#/${random.pick(places).key}` });
        break;
      case 6: {
        const inner = holder[key];
        if (typeof inner !== "object" || inner === null || Array.isArray(inner)) break;
        set(inner as Container, random.pick(NAMES), structuredClone(random.pick(ODD)));
        break;
      }
      default:
        set(holder, key, structuredClone(random.pick(ODD)));
    }
  }
  return root["value"];
}

/** Sets a member with any name. */
function set(holder: Container, key: string | number, value: unknown): void {
  const property = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(holder, key, property);
}
