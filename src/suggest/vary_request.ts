import type { Json } from "../values/json.ts";
import type { SuggestedHttpRequest } from "./suggestion.ts";

/** Names of properties whose values an API is likely to keep unique; `GENERATED_TEXT` matches generated texts. */
const UNIQUE_NAME =
  /(?:name|title|mail|login|user|slug|code|sku|isbn|ean|iban|number|serial|reference|phone|nick|handle|label)$/i;
const GENERATED_TEXT = /^t*e?x?text\d*$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONG_NUMBER = /^\D{0,4}\d{8,}$/;
/** Numbers of characters to replace at the end of a text, tried in turn. */
const TAIL_LENGTHS = [12, 10, 8, 6, 4, 3];

/**
 * Varies a POST, PUT or PATCH request: replaces texts in its JSON body that an API is likely to keep unique. The result
 * depends on the seed.
 *
 * @param closesSameGaps Returns true if a varied request closes the same gaps as the original.
 */
export function varyRequest(
  request: SuggestedHttpRequest,
  seed: string,
  closesSameGaps: (request: SuggestedHttpRequest) => boolean,
): SuggestedHttpRequest {
  const { method, url, body } = request;
  if (body === undefined || !/^(?:POST|PUT|PATCH)$/.test(method)) return request;
  const root = readJson(body);
  if (root === undefined) return request;
  let varied = request;
  const visit = (value: Json, pointer: string, name: string, replace: (text: string) => void) => {
    if (typeof value === "string") {
      if (!isUnique(name, value)) return;
      const random = seededRandom(`${seed}\n${method} ${url}\n${body}\n${pointer}`);
      for (const text of makeVariants(value, UNIQUE_NAME.test(name), random)) {
        replace(text);
        const candidate = { ...request, body: JSON.stringify(root) };
        if (closesSameGaps(candidate)) {
          varied = candidate;
          return;
        }
      }
      replace(value);
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

/** Reads a JSON body; undefined unless it is an object or array exactly as `JSON.stringify()` writes it. */
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
  return value.length > 3 && (UNIQUE_NAME.test(name) || GENERATED_TEXT.test(value) ||
    EMAIL.test(value) || UUID.test(value) || LONG_NUMBER.test(value));
}

/** Yields replacements, the plainest first; suffixes come only for named texts, as others may be Base64 or the like. */
function* makeVariants(value: string, isNamed: boolean, random: () => number): Generator<string> {
  const token = random().toString(36).slice(2, 8);
  const at = value.indexOf("@");
  if (EMAIL.test(value)) yield `${value.slice(0, at)}.${token}${value.slice(at)}`;
  else if (isNamed && /[a-z]\d?$/.test(value) && !UUID.test(value)) yield `${value}-${token}`;
  for (const length of TAIL_LENGTHS) {
    const start = Math.max(0, value.length - length);
    const randomize = (text: string) =>
      text.replace(/[a-z\d]/gi, (sign) => randomCharacter(sign, random()));
    yield EMAIL.test(value)
      ? randomize(value.slice(0, at)) + value.slice(at)
      : value.slice(0, start) + randomize(value.slice(start));
  }
}

/** Returns a random character of the same kind, so that patterns still match; letters stay hexadecimal. */
function randomCharacter(sign: string, random: number): string {
  const range = /\d/.test(sign) ? "0123456789" : /[a-z]/.test(sign) ? "abcdef" : "ABCDEF";
  return range[Math.floor(random * range.length)] ?? sign;
}

/** Returns a generator of numbers from 0 to 1, seeded by a text (FNV-1a and mulberry32). */
function seededRandom(text: string): () => number {
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
