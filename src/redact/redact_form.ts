import { encodePercent } from "../http/percent.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { maskText } from "./mask_text.ts";
import type { Nested } from "./nested.ts";
import { isSecretPair, type NameKind } from "./secret_names.ts";

/**
 * Masks the secret fields of a query or an urlencoded form, and secrets within its other values; everything else stays
 * as it was written.
 *
 * @param kindOf What a field's name says.
 */
export function redactForm(
  text: string,
  kindOf: (name: string) => NameKind,
  nested: Nested,
): string {
  let redacted = "";
  let copied = 0;
  for (let start = 0; start <= text.length;) {
    let end = text.indexOf("&", start);
    if (end < 0) end = text.length;
    const pair = text.slice(start, end);
    const masked = redactPair(pair, kindOf, nested);
    if (masked !== pair) {
      redacted += text.slice(copied, start) + masked;
      copied = end;
    }
    start = end + 1;
  }
  return copied === 0 ? text : redacted + text.slice(copied);
}

function redactPair(
  pair: string,
  kindOf: (name: string) => NameKind,
  nested: Nested,
): string {
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(0, equals));
  const value = pair.slice(equals + 1);
  if (value === "") return pair;
  let isPerhaps = false;
  if (name !== "") {
    for (const word of decoded(name).split(/[[\].]+/)) {
      const kind = kindOf(word);
      if (kind === "secret" || word === "key") return `${name}=${maskEscaped(value)}`;
      isPerhaps ||= kind === "perhaps";
    }
  }
  if (!isPerhaps && isPlain(value)) return pair;
  const content = decoded(value);
  if (isPerhaps && isSecretPair(content)) return `${name}=${maskEscaped(value)}`;
  const redacted = nested.value(content);
  return redacted === content ? pair : pair.slice(0, equals + 1) + encodePercent(redacted);
}

/** Most values can be told at once to hold nothing. */
function isPlain(value: string): boolean {
  return value.length < 8 || (value.length < 14 && /^[\w.~-]*$/.test(value));
}

/** Masks text that is percent-encoded; an escape stays one: `%41` becomes the escape of what an `A` becomes. */
export function maskEscaped(value: string): string {
  if (isReplacedText(decoded(value))) return value;
  return value.replace(/(?:%[0-9a-f]{2})+|[^%]+|%/gi, (part) => {
    // With what masking makes of the text behind it, a sign by itself would become an escape.
    if (part === "%") return "%25";
    if (!part.startsWith("%")) return maskText(part);
    const text = decoded(part);
    const masked = maskText(text);
    return masked === text ? part : encodePercent(masked);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
