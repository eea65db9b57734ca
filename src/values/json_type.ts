/** True for JSON media types (MIME Sniffing, section 4.6), with or without parameters, and for AWS's JSON types. */
export function isJsonMediaType(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

const JSON_TYPE =
  /^\s*(?:(?:application|text)\/json|application\/x-amz-json-1\.[01]|[^/;\s]+\/[^;\s]*\+json)\s*(?:;|$)/i;

/**
 * JSON Schema types as bits, so that a set of types is a number.
 * {@linkcode NUMBER} means numbers that aren't integers; `type: number` is {@linkcode ANY_NUMBER}.
 */
export const NULL = 1;
export const BOOLEAN = 2;
/** Numbers without a fraction, `1.0` included. */
export const INTEGER = 4;
export const NUMBER = 8;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;
/** `INTEGER | NUMBER`, which is what `type: number` means. */
export const ANY_NUMBER = 12;
export const ANY_TYPE = 127;

const MASKS: ReadonlyMap<unknown, number> = new Map([
  ["null", NULL],
  ["boolean", BOOLEAN],
  ["integer", INTEGER],
  ["number", ANY_NUMBER],
  ["string", STRING],
  ["array", ARRAY],
  ["object", OBJECT],
]);

/** Returns the bits of a type name of JSON Schema; 0 for an unknown name. */
export function typeMask(name: unknown): number {
  return MASKS.get(name) ?? 0;
}

/** Returns the type of a JSON value as a single bit. */
export function jsonType(value: unknown): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return Number.isInteger(value) ? INTEGER : NUMBER;
    case "boolean":
      return BOOLEAN;
    default:
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT;
  }
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
