import { isSequence } from "./complete_records.ts";
import type { HeadersLike } from "./interaction.ts";

export type HeaderPairs = readonly (readonly [string, string])[];

/** Copies header fields from `Headers`, a `Map`, pairs, a flat list of names and values, or an object. */
export function headerPairs(headers: unknown): HeaderPairs {
  const pairs: [string, string][] = [];
  const add = (name: unknown, value: unknown): void => {
    if (Array.isArray(value)) { for (const item of value) add(name, item); }
    else if (value !== undefined && value !== null && typeof value !== "function") {
      pairs.push([headerText(name), headerText(value)]);
    }
  };
  if (typeof headers !== "object" || headers === null) return pairs;
  if (Array.isArray(headers) && headers.length > 0 && !Array.isArray(headers[0])) {
    for (let index = 0; index + 1 < headers.length; index += 2) {
      add(headers[index], headers[index + 1]);
    }
  } else if (Symbol.iterator in headers) {
    for (const [name, value] of headers as Iterable<readonly [unknown, unknown]>) add(name, value);
  } else {
    for (const [name, value] of Object.entries(headers)) add(name, value);
  }
  return pairs;
}

/** Returns the message with header fields in text that can be read more than once, whatever a caller without types gave. */
export function withReadableHeaders<M extends { readonly headers?: HeadersLike | undefined }>(
  message: M,
): M {
  const { headers } = message;
  if (headers === undefined || headers instanceof Headers || isReadable(headers)) return message;
  return { ...message, headers: headers === null ? undefined : headerPairs(headers) };
}

function isReadable(headers: unknown): boolean {
  if (Array.isArray(headers)) {
    return headers.every((field) =>
      Array.isArray(field) && typeof field[0] === "string" &&
      field[1] !== undefined && isText(field[1])
    );
  }
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) return false;
  // Faster than a list of the values; every live request comes here twice.
  for (const name in headers) {
    if (!isText((headers as Readonly<Record<string, unknown>>)[name])) return false;
  }
  return true;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === undefined ||
    Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Returns the value of the first field with a name in lower case; undefined if there is none. */
export function headerValue(pairs: HeaderPairs, name: string): string | undefined {
  return pairs.find(([field]) => field.toLowerCase() === name)?.[1];
}

/** True if the body is a sequence, which may have no end, so that even a part of it counts. */
export function isEndless(headers: HeaderPairs): boolean {
  return isSequence(headerValue(headers, "content-type") ?? "");
}

/** Returns the fields with a media type that replaces the existing one, or only fills in a missing one. */
export function withContentType(
  pairs: HeaderPairs,
  contentType: string | undefined,
  isReplaced: boolean,
): HeaderPairs {
  if (contentType === undefined || contentType === "") return pairs;
  if (!isReplaced && headerValue(pairs, "content-type") !== undefined) return pairs;
  return [
    ...pairs.filter(([name]) => name.toLowerCase() !== "content-type"),
    ["content-type", contentType],
  ];
}

/** Converts bytes, in which Node.js keeps raw headers, to one character each. */
function headerText(value: unknown): string {
  return value instanceof Uint8Array ? String.fromCharCode(...value) : String(value);
}
