import type { Json, RawText } from "../values/json.ts";

/** True if an example is a text, or the number or boolean that YAML reads from that text. */
function isWrittenAs(example: Json, text: string): boolean {
  if (typeof example === "string") return example === text;
  return (typeof example === "number" || typeof example === "boolean") && String(example) === text;
}

/** True if two JSON values are equal: numbers by value, keys in any order (JSON Schema, section 4.2.2). */
export function equal(left: Json, right: Json): boolean {
  return equalText(left, undefined, right);
}

/** True if each scalar equals that of the example, by value or by raw text (semantics, section 6). */
export function equalText(value: Json, source: RawText | undefined, example: Json): boolean {
  if (value === example) return true;
  if (source?.text !== undefined && isWrittenAs(example, source.text)) return true;
  if (typeof value !== "object" || typeof example !== "object") return false;
  if (value === null || example === null) return false;
  const parts = source?.parts;
  if (Array.isArray(value)) {
    if (!Array.isArray(example) || example.length !== value.length) return false;
    for (let index = 0; index < value.length; index++) {
      const part = (parts as readonly RawText[] | undefined)?.[index];
      if (!equalText(value[index], part, example[index])) return false;
    }
    return true;
  }
  if (Array.isArray(example)) return false;
  const object = value as Readonly<Record<string, Json>>;
  const other = example as Readonly<Record<string, Json>>;
  const keys = Object.keys(other);
  for (const key of keys) {
    if (!Object.hasOwn(object, key)) return false; // Two different objects usually differ in the first key.
    const part = (parts as Readonly<Record<string, RawText>> | undefined)?.[key];
    if (!equalText(object[key] as Json, part, other[key] as Json)) return false;
  }
  return keys.length === Object.keys(object).length;
}

/** Returns text that is the same for equal JSON values and no others: keys sorted, `-0` as `0`. */
export function canonicalText(value: Json): string {
  if (typeof value === "number") return String(value); // JSON would write 1e400, read as Infinity, as null.
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return "[" + value.map(canonicalText).join(",") + "]";
  const object = value as Readonly<Record<string, Json>>;
  return "{" +
    Object.keys(object).sort().map((key) =>
      JSON.stringify(key) + ":" + canonicalText(object[key] as Json)
    ).join(",") + "}";
}
