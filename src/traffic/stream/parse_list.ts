import { checkComplexity } from "../../values/input_limits.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Parses one value; undefined if it isn't JSON.
 *
 * @throws {InputLimitError} if it would be too large in memory.
 */
export function parseValue(bytes: Uint8Array): unknown {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the items of a list, without its brackets; undefined if they are no JSON.
 *
 * @throws {InputLimitError} if they would be too large in memory.
 */
export function parseList(bytes: Uint8Array): readonly unknown[] | undefined {
  const text = decoder.decode(bytes);
  checkComplexity(text, "json");
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    return undefined;
  }
}
