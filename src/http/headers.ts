import { append } from "../values/collections.ts";
import type { HeadersLike } from "./interaction.ts";

/** Looks up header fields by name, in any case. */
export interface HeaderLookup {
  /** Returns the field's value; the values of a repeated field are joined with `, ` (RFC 9110, section 5.3). */
  get(name: string): string | undefined;
  /** Returns the values of a field one by one, if they were recorded separately. */
  values(name: string): readonly string[];
}

type HeaderList = readonly (readonly [string, string | readonly string[] | undefined])[];

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

const NONE: readonly string[] = [];

const NO_FIELDS: HeaderLookup = { get: () => undefined, values: () => NONE };

/** True for a token (RFC 9110, section 5.6.2), such as a method or the name of a header field. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}

/** True for text that a header field can hold; spaces around it would be lost. */
export function isHeaderText(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}

/** Compares names of fields, in any case; most differ in length. */
function isField(field: string, wanted: string): boolean {
  if (field.length !== wanted.length) return false;
  if (field === wanted) return true;
  for (let index = 0; index < field.length; index++) {
    const left = field.charCodeAt(index);
    const right = wanted.charCodeAt(index);
    if (left > 127 || right > 127) return field.toLowerCase() === wanted.toLowerCase();
    if (left !== right && lowerCode(left) !== lowerCode(right)) return false;
  }
  return true;
}

function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

const MAX_SEARCHES = 24;

/** Searches the fields in order: as only few are looked up as a rule, an index would cost more. */
class HeaderFields implements HeaderLookup {
  readonly #headers: Exclude<HeadersLike, Headers>;
  /** A copy of the headers, if they are an iterable: it may be readable only once. */
  #fields: HeaderList | HeaderRecord | undefined;

  #lookups = 0;
  #index: ReadonlyMap<string, FieldValues> | undefined;

  constructor(headers: Exclude<HeadersLike, Headers>) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    const value = this.#find(name);
    return typeof value === "object" ? value.join(", ") : value;
  }

  values(name: string): readonly string[] {
    const value = this.#find(name);
    return value === undefined ? NONE : typeof value === "string" ? [value] : value;
  }

  #find(wanted: string): FieldValues {
    const headers = this.#headers;
    const fields = this.#fields ??= isIterable(headers) ? [...headers] : headers;
    if (this.#lookups++ >= MAX_SEARCHES) {
      return (this.#index ??= indexFields(fields)).get(wanted.toLowerCase());
    }
    let values: FieldValues;
    if (isList(fields)) {
      for (const [field, value] of fields) {
        if (isField(field, wanted)) values = addTo(values, value);
      }
    } else {
      for (const field in fields) {
        if (isField(field, wanted)) values = addTo(values, fields[field]);
      }
    }
    return values;
  }
}

/** The value of a field, or, for a repeated one, a list of values that further ones are appended to. */
type FieldValues = string | string[] | undefined;

function indexFields(fields: HeaderList | HeaderRecord): ReadonlyMap<string, FieldValues> {
  const index = new Map<string, FieldValues>();
  const add = (field: string, value: string | readonly string[] | undefined): void => {
    const name = field.toLowerCase();
    index.set(name, addTo(index.get(name), value));
  };
  if (isList(fields)) { for (const [field, value] of fields) add(field, value); }
  else for (const field in fields) add(field, fields[field]);
  return index;
}

function addTo(found: FieldValues, value: string | readonly string[] | undefined): FieldValues {
  if (value === undefined || value.length === 0 && typeof value === "object") return found;
  if (found === undefined) return typeof value === "string" ? value : [...value];
  const values = typeof found === "string" ? [found] : found;
  append(values, typeof value === "string" ? [value] : value);
  return values;
}

class PlatformHeaders implements HeaderLookup {
  readonly #headers: Headers;

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    try {
      return this.#headers.get(name) ?? undefined;
    } catch {
      return undefined; // Thrown for documented names that aren't valid names of header fields.
    }
  }

  values(name: string): readonly string[] {
    const value = this.get(name);
    return value === undefined ? NONE : [value];
  }
}

function isIterable(
  headers: Exclude<HeadersLike, Headers>,
): headers is Exclude<HeadersLike, HeaderRecord> {
  return Symbol.iterator in headers;
}

function isList(fields: HeaderList | HeaderRecord): fields is HeaderList {
  return Array.isArray(fields);
}

/** Returns a look-up by name, which reads the header fields on first use. */
export function headerLookup(headers: HeadersLike | undefined): HeaderLookup {
  if (headers === undefined) return NO_FIELDS;
  return headers instanceof Headers ? new PlatformHeaders(headers) : new HeaderFields(headers);
}

/** False if the header fields were not recorded: every message has some. */
export function hasHeaders(headers: HeadersLike | undefined): boolean {
  if (headers === undefined) return false;
  if (Array.isArray(headers)) return headers.length > 0;
  if (Symbol.iterator in headers) return true;
  for (const _ in headers) return true;
  return false;
}

export function headerRecord(
  pairs: Iterable<readonly [string, string | readonly string[]]>,
): Record<string, string | string[]> {
  const record = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const previous = record.get(name);
    if (previous === undefined) record.set(name, typeof value === "string" ? value : [...value]);
    else if (typeof previous === "string") record.set(name, [previous, value].flat());
    else append(previous, typeof value === "string" ? [value] : value);
  }
  return Object.fromEntries(record);
}
