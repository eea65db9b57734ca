/** A value of JSON; numbers that JavaScript would write otherwise are kept as they were written. */
export type LosslessJson =
  | null
  | boolean
  | number
  | string
  | LosslessJson[]
  | { [name: string]: LosslessJson };

/** Platforms without these write numbers as JavaScript does. */
interface RawJson {
  rawJSON?(text: string): LosslessJson;
  isRawJSON?(value: unknown): boolean;
}

const { rawJSON, isRawJSON } = JSON as unknown as RawJson;

/**
 * Reads JSON such that `JSON.stringify` writes every number as it was: what is not changed must stay the same.
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

/** True for an object with members. */
export function isMembers(value: unknown): value is { [name: string]: LosslessJson } {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    isRawJSON?.(value) !== true;
}
