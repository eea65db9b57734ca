/** A JSON value; numbers that JavaScript would write differently keep their original text. */
export type LosslessJson =
  | null
  | boolean
  | number
  | string
  | LosslessJson[]
  | { [name: string]: LosslessJson };

/** Optional: platforms without these functions write numbers as JavaScript does. */
interface RawJson {
  rawJSON?(text: string): LosslessJson;
  isRawJSON?(value: unknown): boolean;
}

const { rawJSON, isRawJSON } = JSON as unknown as RawJson;

/**
 * Parses JSON so that `JSON.stringify` writes every number as it was: the unchanged part of a body must stay the same.
 *
 * @throws {SyntaxError} for what isn't JSON.
 */
export function parseLossless(text: string): LosslessJson {
  return JSON.parse(text, (_name, value, context?: { readonly source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && String(value) !== source
      ? rawJSON?.(source) ?? value
      : value;
  });
}

/** True for objects other than arrays and raw numbers. */
export function isMembers(value: unknown): value is { [name: string]: LosslessJson } {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    isRawJSON?.(value) !== true;
}

/** Returns a number as JavaScript has it; other values as they are. */
export function plainNumber(value: LosslessJson): LosslessJson {
  return isRawJSON?.(value) === true ? Number(JSON.stringify(value)) : value;
}
