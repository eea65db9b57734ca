import type { Json } from "../values/json.ts";
import type { SuggestedHttpRequest } from "./suggestion.ts";

/** Names of what an API is likely to take once only, and texts that nobody has chosen. */
const UNIQUE_NAME =
  /(?:name|title|mail|login|user|slug|code|sku|isbn|ean|iban|number|serial|reference|phone|nick|handle|label)$/i;
const MADE_TEXT = /^t*e?x?text\d*$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONG_NUMBER = /^\D{0,4}\d{8,}$/;
/** The numbers of characters at the end of a text that others take the place of. */
const TAILS = [12, 10, 8, 6, 4, 3];

/**
 * A request that creates or changes something, with other values where an API is likely to keep them unique: the same for
 * the same seed.
 *
 * @param keeps True if a request shows and closes what the one it is made of does.
 */
export function varyRequest(
  request: SuggestedHttpRequest,
  seed: string,
  keeps: (request: SuggestedHttpRequest) => boolean,
): SuggestedHttpRequest {
  const { method, url, body } = request;
  if (body === undefined || !/^(?:POST|PUT|PATCH)$/.test(method)) return request;
  const root = readJson(body);
  if (root === undefined) return request;
  let varied = request;
  const visit = (value: Json, pointer: string, name: string, put: (text: string) => void) => {
    if (typeof value === "string") {
      if (!isUnique(name, value)) return;
      const random = randomFrom(`${seed}\n${method} ${url}\n${body}\n${pointer}`);
      for (const text of variantsOf(value, UNIQUE_NAME.test(name), random)) {
        put(text);
        const candidate = { ...request, body: JSON.stringify(root) };
        if (keeps(candidate)) {
          varied = candidate;
          return;
        }
      }
      put(value);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) =>
        visit(item, `${pointer}/${index}`, name, (text) => value[index] = text)
      );
    } else if (typeof value === "object" && value !== null) {
      const object = value as Record<string, Json>;
      for (const [key, member] of Object.entries(object)) {
        visit(member, `${pointer}/${key}`, key, (text) => object[key] = text);
      }
    }
  };
  visit(root, "", "", () => {});
  return varied;
}

/** A body of JSON that is written as `JSON.stringify()` writes it. */
function readJson(body: string): Json | undefined {
  try {
    const value = JSON.parse(body) as Json;
    const isObject = typeof value === "object" && value !== null;
    return isObject && JSON.stringify(value) === body && !body.includes('"__proto__"')
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

function isUnique(name: string, value: string): boolean {
  return value.length > 3 && (UNIQUE_NAME.test(name) || MADE_TEXT.test(value) ||
    EMAIL.test(value) || UUID.test(value) || LONG_NUMBER.test(value));
}

/** The texts to take in place of one, the plainest first; what has no name of its own may be of another kind: Base64. */
function* variantsOf(value: string, isNamed: boolean, random: () => number): Generator<string> {
  const token = `${random().toString(36).slice(2, 8)}`;
  const at = value.indexOf("@");
  if (EMAIL.test(value)) yield `${value.slice(0, at)}.${token}${value.slice(at)}`;
  else if (isNamed && /[a-z]\d?$/.test(value) && !UUID.test(value)) yield `${value}-${token}`;
  for (const length of TAILS) {
    const start = Math.max(0, value.length - length);
    const other = (text: string) => text.replace(/[a-z\d]/gi, (sign) => otherSign(sign, random()));
    yield EMAIL.test(value)
      ? other(value.slice(0, at)) + value.slice(at)
      : value.slice(0, start) + other(value.slice(start));
  }
}

/** A letter or digit of the same kind, so that patterns still match; letters are those that hexadecimal numbers have. */
function otherSign(sign: string, random: number): string {
  const signs = /\d/.test(sign) ? "0123456789" : /[a-z]/.test(sign) ? "abcdef" : "ABCDEF";
  return signs[Math.floor(random * signs.length)] ?? sign;
}

/** Numbers from 0 to 1 that depend on a text alone (FNV-1a and mulberry32). */
function randomFrom(text: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
