/** Header fields with their values. */
type HeaderPairs = readonly (readonly [name: string, value: string | readonly string[]])[];

/** Shorter texts come up by chance, but as a whole string of JSON. */
const SHORTEST = 8;
/** Shorter ones are no secrets, and neither are words. */
const SHORTEST_STRING = 4;

/** Puts masks in the place of texts. */
export type MaskEchoes = (text: string) => string;

/**
 * Masks the secrets of a request where its response repeats them, under whatever name: servers for tests answer with what
 * they were asked.
 *
 * @param before The headers of the request.
 * @param after The same ones, masked; undefined where there was nothing to mask.
 * @param urls Its URL, before and after.
 *
 * @example
 * ```ts
 * import { maskEchoes } from "./echoed_secrets.ts";
 * import assert from "node:assert/strict";
 *
 * const mask = maskEchoes([["Authorization", "Bearer Ab12cdef"]], [["Authorization", "Bearer Aa11aaaa"]]);
 * assert.equal(mask('{"seen":["Ab12cdef"]}'), '{"seen":["Aa11aaaa"]}');
 * ```
 */
export function maskEchoes(
  before: HeaderPairs,
  after: HeaderPairs | undefined,
  urls: readonly [before: string, after: string] = ["", ""],
): MaskEchoes {
  const masks = new Map<string, string>();
  const [url, maskedUrl] = urls.map((text) => text.replace(/^\w+:\/\/[^/?#]*/, ""));
  if (url !== undefined && maskedUrl !== undefined) addParts(url, maskedUrl, masks);
  before.forEach(([, value], index) => {
    const masked = after?.[index]?.[1];
    const texts = typeof value === "string" ? [value] : value;
    const others = typeof masked === "string" ? [masked] : masked ?? [];
    texts.forEach((text, at) => addParts(text, others[at] ?? text, masks));
  });
  if (masks.size === 0) return (text) => text;
  return (text) => {
    let result = text;
    for (const [secret, mask] of masks) {
      if (result.includes(secret)) result = result.replaceAll(secret, () => mask);
    }
    return result;
  };
}

/** Adds a value, and its parts: the credentials behind their scheme, the values of cookies. A mask is as long. */
function addParts(text: string, mask: string, masks: Map<string, string>): void {
  if (text === mask) return;
  add(text, mask, masks);
  if (text.length !== mask.length) return;
  let at = 0;
  for (const part of text.split(/([\s;=,/?&#]+)/)) {
    add(part, mask.slice(at, at + part.length), masks);
    at += part.length;
  }
}

function add(text: string, mask: string, masks: Map<string, string>): void {
  if (text === mask) return;
  if (text.length >= SHORTEST) masks.set(text, mask);
  else if (text.length >= SHORTEST_STRING && /\d/.test(text)) masks.set(`"${text}"`, `"${mask}"`);
}
