import type { HeadersLike } from "./interaction.ts";

/** Header fields by name, in any case. */
export interface HeaderLookup {
  /** The field's value; the values of a repeated field are joined with `, ` (RFC 9110, section 5.3). */
  get(name: string): string | undefined;
  /** The values of a field one by one, as far as whoever recorded them kept them apart. */
  values(name: string): readonly string[];
}

type HeaderList = readonly (readonly [string, string | readonly string[] | undefined])[];

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

const NONE: readonly string[] = [];

/** Whether two names are the same field. The length tells most of them apart without lowering them. */
function isField(field: string, wanted: string): boolean {
  return field.length === wanted.length && (field === wanted || field.toLowerCase() === wanted);
}

function valuesIn(fields: HeaderList | HeaderRecord, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  let found: string[] | undefined;
  const add = (value: string | readonly string[] | undefined): void => {
    if (value === undefined) return;
    found ??= [];
    if (typeof value === "string") found.push(value);
    else found.push(...value);
  };
  if (isList(fields)) {
    for (const [field, value] of fields) if (isField(field, wanted)) add(value);
  } else {
    for (const field in fields) if (isField(field, wanted)) add(fields[field]);
  }
  return found ?? NONE;
}

function isIterable(
  headers: Exclude<HeadersLike, Headers>,
): headers is Exclude<HeadersLike, HeaderRecord> {
  return Symbol.iterator in headers;
}

function isList(fields: HeaderList | HeaderRecord): fields is HeaderList {
  return Array.isArray(fields);
}

/**
 * Makes header fields findable by name. Nothing is read before the first question.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const headers = headerLookup({ "X-Tag": ["a", "b"] });
 * assert.equal(headers.get("x-tag"), "a, b");
 * assert.deepEqual(headers.values("X-TAG"), ["a", "b"]);
 * assert.equal(headers.get("accept"), undefined);
 * ```
 */
export function headerLookup(headers: HeadersLike | undefined): HeaderLookup {
  if (headers === undefined) return { get: () => undefined, values: () => NONE };
  if (headers instanceof Headers) {
    const get = (name: string): string | undefined => {
      try {
        return headers.get(name) ?? undefined;
      } catch {
        // A documented name that no header can have.
        return undefined;
      }
    };
    return {
      get,
      values(name: string): readonly string[] {
        const value = get(name);
        return value === undefined ? NONE : [value];
      },
    };
  }
  // Iterables may be readable only once, so that the list is kept.
  let fields: HeaderList | HeaderRecord | undefined;
  const values = (name: string): readonly string[] =>
    valuesIn(fields ??= isIterable(headers) ? [...headers] : headers, name);
  return {
    values,
    get(name: string): string | undefined {
      const found = values(name);
      return found.length === 0 ? undefined : found.join(", ");
    },
  };
}
