import { isReplacedText } from "../values/replaced_text.ts";
import type { NameKind } from "./secret_names.ts";

/** Texts that were masked, each with its mask, in the order in which they were found. */
export type MaskedTexts = ReadonlyMap<string, string>;

/** Masking never waits, so that one list at a time is enough. */
let watched: Map<string, string> | undefined;

/** Makes a text unreadable but keeps its length and kinds: letters become `a` or `A`, digits `1`. */
export function maskText(text: string): string {
  if (isReplacedText(text)) return text;
  const masked = maskLetters(text);
  watched?.set(text, masked);
  return masked;
}

/** Masks the ends of what a pattern matches; `secretOf` gives that end, or undefined where it is no secret. */
export function maskEnds(
  text: string,
  pattern: RegExp,
  secretOf: (groups: readonly string[]) => string | undefined,
): string {
  return text.replace(pattern, (all: string, ...groups: string[]) => {
    const secret = secretOf(groups);
    return secret === undefined ? all : all.slice(0, all.length - secret.length) + maskText(secret);
  });
}

/** The mask of a part of a secret, which is a secret only with its other parts. */
export function maskLetters(text: string): string {
  // A loop takes a quarter of the time of expressions that know all languages.
  let masked = "";
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return maskAnyLetters(text);
    if (code >= 0x61 && code <= 0x7a) masked += "a";
    else if (code >= 0x41 && code <= 0x5a) masked += "A";
    else masked += code >= 0x30 && code <= 0x39 ? "1" : text.charAt(index);
  }
  return masked;
}

function maskAnyLetters(text: string): string {
  return text.replace(/\p{Lu}/gu, "A").replace(/\p{L}/gu, (letter) => letter === "A" ? "A" : "a")
    .replace(/\p{N}/gu, "1");
}

/** Notes what is masked in parts, or within another text. */
export function noteMasked(secret: string, mask: string = maskLetters(secret)): void {
  watched?.set(secret, mask);
}

/** Does some masking, and gathers the secrets that it meets, those that are masked already included. */
export function watchMasking<Result>(
  mask: () => Result,
): { readonly result: Result; readonly masked: MaskedTexts } {
  const outer = watched;
  const masked = watched = new Map<string, string>();
  try {
    return { result: mask(), masked };
  } finally {
    watched = outer;
  }
}

/** How texts within another are redacted; each is the same text where it has no secrets. */
export interface Rules {
  /** The kind of a name in the text. */
  kind(name: string): NameKind;
  /** The text of a value, whatever it turns out to be. */
  value(text: string): string;
}
