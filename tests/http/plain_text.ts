import type { RawText } from "../../src/values/json.ts";

/** Builds the raw text of a value with all its parts, which are lazy, as plain objects. */
export function plainText({ text, parts }: RawText): RawText {
  if (parts === undefined) return { text, parts };
  if (Array.isArray(parts)) return { text, parts: parts.map(plainText) };
  const named = Object.entries(parts as Readonly<Record<string, RawText>>);
  return { text, parts: Object.fromEntries(named.map(([name, part]) => [name, plainText(part)])) };
}
