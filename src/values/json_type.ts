/** True if a media type is JSON (MIME Sniffing, section 4.6), with parameters or not; AWS's JSON types too. */
export function isJsonMediaType(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

const JSON_TYPE =
  /^\s*(?:(?:application|text)\/json|application\/x-amz-json-1\.[01]|[^/;\s]+\/[^;\s]*\+json)\s*(?:;|$)/i;

/**
 * JSON Schema types as bits, so that sets of types are numbers.
 * {@linkcode NUMBER} is numbers that aren't integers; `type: number` is {@linkcode ANY_NUMBER}.
 */
export const NULL = 1;
/** `true` and `false`. */
export const BOOLEAN = 2;
/** Numbers without a fraction. */
export const INTEGER = 4;
export const NUMBER = 8;
export const STRING = 16;
export const ARRAY = 32;
export const OBJECT = 64;
/** The types that `type: number` names. */
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

/** The set of types that a type name of JSON Schema stands for; 0 for an unknown name. */
export function typeMask(name: unknown): number {
  return MASKS.get(name) ?? 0;
}

/** The single bit that stands for the type of a JSON value. */
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

export function formattedCopy(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
