/** A text that was sent, and what masking made of it. */
export type MaskedText = readonly [sent: string, masked: string];

/** Shorter texts come up by chance. */
const SHORTEST = 8;
/** Shorter ones with a digit count where they are a whole string of JSON. */
const SHORTEST_QUOTED = 4;
/** Secrets that are looked for: a request has few. */
const MOST = 100;
/** Texts that are longer are not taken apart. */
const LONGEST = 100_000;
/** Longer ones are looked for in their parts alone. */
const LONGEST_WHOLE = 2000;
/** What stands between the parts of headers, URLs, forms, JSON, XML and text; masking leaves it as it is. */
const BETWEEN = /([\s;=,&/?#:@"'<>()[\]{}\\]+)/;

/** Puts masks in the place of texts. */
export type MaskEchoes = (text: string) => string;

/**
 * Masks the secrets of a request where its response repeats them, under whatever name: servers for tests answer with what
 * they were asked. What is very short, or one of very many, is left.
 *
 * @param texts The request's URL, headers and body.
 *
 * @example
 * ```ts
 * import { maskEchoes } from "./echoed_secrets.ts";
 * import assert from "node:assert/strict";
 *
 * const mask = maskEchoes([["Bearer Ab12cdef", "Bearer Aa11aaaa"], ["/a?pin=9071", "/a?pin=1111"]]);
 * assert.equal(mask('{"seen":["Ab12cdef"]}'), '{"seen":["Aa11aaaa"]}');
 * assert.equal(mask('{"pin":"9071","id":"190712"}'), '{"pin":"1111","id":"190712"}');
 * ```
 */
export function maskEchoes(texts: readonly MaskedText[]): MaskEchoes {
  const masks = new Map<string, string>();
  for (const [sent, masked] of texts) {
    if (sent !== masked && sent.length <= LONGEST) addParts(sent, masked, masks);
  }
  if (masks.size === 0) return (text) => text;
  // What contains another comes first.
  const ordered = [...masks].sort(([one], [other]) => other.length - one.length);
  return (text) =>
    ordered.reduce(
      (result, [secret, mask]) =>
        result.includes(secret) ? result.replaceAll(secret, () => mask) : result,
      text,
    );
}

/** Adds a value, and its parts: the credentials behind their scheme, the values of cookies, the segments of a path. */
function addParts(sent: string, masked: string, masks: Map<string, string>): void {
  if (sent.length < LONGEST_WHOLE && !/["\\]/.test(sent)) add(sent, masked, masks);
  const parts = sent.split(BETWEEN);
  const others = masked.split(BETWEEN);
  if (parts.length !== others.length) return;
  parts.forEach((part, index) => add(part, others[index] ?? part, masks));
}

function add(secret: string, mask: string, masks: Map<string, string>): void {
  if (secret === mask || masks.size >= MOST) return;
  if (secret.length >= SHORTEST) masks.set(secret, mask);
  else if (secret.length >= SHORTEST_QUOTED && /\d/.test(secret)) {
    masks.set(`"${secret}"`, `"${mask}"`);
  }
}
