import { byteString } from "../http/body_text.ts";
import { encodePercent } from "../http/percent.ts";
import { type MaskedTexts, maskLetters, maskWritten, readEscapes } from "./mask_text.ts";
import { nameKind } from "./secret_names.ts";
import { escapePattern } from "../values/escapes.ts";

/** Redacts texts that are known to be secret, wherever and however they are written. */
export interface KnownValues {
  mask(text: string): string;
  hide(text: string): string;
}

/** Shorter texts occur by chance, and are not masked elsewhere. */
const MIN_LENGTH = 4;
/** Shorter texts are only masked as whole values, and only if they have a digit. */
const MIN_WORD_LENGTH = 8;
/** Shorter texts are only masked as whole words or values. */
const MIN_LENGTH_WITHIN = 16;
/** From this length on, several words are a secret like any other. */
const MAX_WORDS_LENGTH = 20;
/** Longer texts are only searched for in their usual spellings, not with needless escapes. */
const MAX_ESCAPED_LENGTH = 300;
const MAX_LENGTH = 8000;
/** The most values that are searched for; an interaction has few. */
const MAX_VALUES = 64;
const MAX_CACHED = 200;
const MAX_CACHED_LENGTH = 1000;
const MAX_ESCAPES = 3;

/** Matches escapes of letters and digits, which are never necessary, and `&#`, which can encode any character. */
const NEEDLESS =
  /%(?:25){0,3}(?:3\d|[46][1-9a-f]|[57][\da])|\\u00(?:3\d|[46][1-9a-f]|[57][\da])|&#/i;
/** Media types, dates with or without a time, URLs, paths and constants: not only secrets have such values. */
const COMMON =
  /^(?:[a-z]+\/[\w.+*-]+(?:;.*)?|\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|[a-z][a-z0-9+.-]*:\/\/.*|\/.*|[A-Z]+(?:_[A-Z]+)*|true|false|null|none|undefined)$/s;
/** Words with separators, which may be secret in one place and ordinary in another. */
const WORDS = /^\p{L}\p{Ll}*(?:[-_. ]\p{L}\p{Ll}*)*$/u;

/** Where a secret is masked: anywhere, not within longer words, or only as a whole value. */
type Reach = "within" | "word" | "value";

interface KnownValue {
  readonly text: string;
  readonly mask: string;
  readonly reach: Reach;
  /** The spellings of the text in URLs, forms and JSON, with only the necessary escapes. */
  readonly forms: readonly string[];
  /** The Base64 of the text at each alignment. */
  readonly encoded: readonly string[];
  /** The longest run of letters and digits, which stays as it is unless letters and digits are escaped too. */
  readonly unescaped: string;
}

const encoder = new TextEncoder();
const NOT_ASCII = /[\u0080-\uffff]/;
/** A cache: most requests have the same credentials as the request before. */
const CACHE = new Map<string, KnownValue | undefined>();

/**
 * Returns functions that mask values, found to be secret in one place, wherever else they are: as they are,
 * percent-encoded, with escapes of JSON and XML, and in Base64. Undefined if no value is distinctive enough.
 */
export function knownValues(
  masked: MaskedTexts,
  declaredSecrets: readonly string[] = [],
): KnownValues | undefined {
  const values = new Map<string, KnownValue>();
  for (const text of declaredSecrets) {
    if (text.length < MIN_LENGTH || COMMON.test(text)) continue;
    values.set(text, makeValue(text, maskLetters(text), "within"));
  }
  for (const [written, mask] of masked) {
    if (values.size >= MAX_VALUES) break;
    const known = maskedValue(written, mask);
    if (known !== undefined && !values.has(known.text)) values.set(known.text, known);
  }
  if (values.size === 0) return undefined;
  // Longer texts first, because they can contain shorter ones.
  const ordered = [...values.values()].sort((one, other) => other.text.length - one.text.length);
  const changed = ordered.filter(({ text, mask }) => text !== mask);
  return {
    mask: (text) =>
      replaceValues(
        text,
        changed,
        (written, { text: plain, mask }) => written === plain ? mask : maskWritten(written),
      ),
    hide: (text) => replaceValues(text, ordered, () => "***"),
  };
}

function maskedValue(written: string, mask: string): KnownValue | undefined {
  const cached = CACHE.get(written);
  if (cached?.mask === mask || (cached === undefined && CACHE.has(written))) return cached;
  const text = trimQuotes(written);
  const reach = chooseReach(text);
  const known = reach && makeValue(text, trimQuotes(mask), reach);
  if (CACHE.size >= MAX_CACHED) CACHE.clear();
  if (written.length <= MAX_CACHED_LENGTH) CACHE.set(written, known);
  return known;
}

function trimQuotes(text: string): string {
  return text.replace(/^["'\s]+/, "").trimEnd().replace(/["']$/, "");
}

/** Returns undefined for a text that also occurs in other data by chance. */
function chooseReach(text: string): Reach | undefined {
  const { length } = text;
  if (length < MIN_LENGTH || length > MAX_LENGTH || COMMON.test(text)) return undefined;
  if (length < MIN_WORD_LENGTH) return /\d/.test(text) && !/\s/.test(text) ? "value" : undefined;
  if (length >= MIN_LENGTH_WITHIN && !/^\d+$/.test(text) && !WORDS.test(text)) return "within";
  // In `grant_type=password`, the value is the name of a kind of secret, not a secret.
  if (WORDS.test(text) && (length < MAX_WORDS_LENGTH || !/ /.test(text))) {
    return / /.test(text) || nameKind(text) === "harmless" ? "value" : undefined;
  }
  return length >= MIN_LENGTH_WITHIN ? "within" : "word";
}

function makeValue(text: string, mask: string, reach: Reach): KnownValue {
  const parts = text.match(/[A-Za-z0-9]+/g) ?? [""];
  const unescaped = parts.reduce((one, other) => other.length > one.length ? other : one);
  const json = jsonText(text);
  const forms = unescaped === text ? [text] : [
    text,
    json,
    jsonText(json),
    text.replaceAll(" ", "+"),
    ...text.length <= MAX_ESCAPED_LENGTH ? [] : [encodePercent(text)],
  ];
  const encoded = [...new Set(reach === "value" ? [] : base64Forms(text))];
  return { text, mask, reach, forms: [...new Set(forms)], encoded, unescaped };
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the Base64 of a text within other text, for each alignment, without digits that depend on the other text. */
function base64Forms(text: string): string[] {
  const bytes = NOT_ASCII.test(text) ? byteString(encoder.encode(text)) : text;
  if (bytes.length < MIN_WORD_LENGTH) return [];
  return ["", "\0", "\0\0"].flatMap((before) => {
    const whole = btoa(before + bytes);
    const end = Math.floor((before.length + bytes.length) * 8 / 6);
    const digits = whole.slice(Math.ceil(before.length * 8 / 6), end);
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function replaceValues(
  text: string,
  values: readonly KnownValue[],
  replacement: (written: string, known: KnownValue) => string,
): string {
  let result = text;
  const replace = (source: string, known: KnownValue, reach: Reach = known.reach): void => {
    result = result.replace(searchPattern(source, reach), (written) => replacement(written, known));
  };
  // No spelling of a text is shorter than the text.
  const fitting = values.filter((known) => known.text.length <= text.length);
  for (const known of fitting) {
    for (const form of known.forms) if (result.includes(form)) replace(escapePattern(form), known);
    for (const form of known.encoded) {
      if (result.includes(form)) replace(escapePattern(form), known, "within");
    }
  }
  if (fitting.length === 0 || !/[%\\&]/.test(result)) return result;
  const isNeedless = NEEDLESS.test(result);
  const escapable = fitting.filter(({ text, unescaped }) =>
    text.length <= MAX_ESCAPED_LENGTH &&
    (isNeedless || (unescaped !== text && result.includes(unescaped)))
  );
  for (const plain of escapable.length === 0 ? [] : withoutEscapes(result)) {
    for (const known of escapable) {
      if (plain.includes(known.text)) {
        replace([...known.text].map(writtenSource).join(""), known);
      }
    }
  }
  return result;
}

function searchPattern(source: string, reach: Reach): RegExp {
  if (reach === "within") return new RegExp(source, "g");
  if (reach === "word") {
    return new RegExp(
      `(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}|\\\\[bfnrt]))(?:${source})(?![A-Za-z0-9])`,
      "g",
    );
  }
  return new RegExp(
    `(?<=^|["'=>]|%3D|%22)(?:${source})(?=$|["'<&#;]|\\\\|%26|%22)(?!\\\\{0,8}["']\\s{0,9}:)`,
    "g",
  );
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  "&": "|&amp;",
  "<": "|&lt;",
  ">": "|&gt;",
  '"': "|&quot;",
  "'": "|&apos;",
  " ": "|\\+",
};

function writtenSource(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = encodePercent(character);
  const percent = (bytes.startsWith("%") ? bytes.slice(1).split("%") : [formatHex(code, 2)])
    .map((byte) => `%(?:25){0,3}${eitherCase(byte)}`).join("");
  const units = Array.from(
    { length: character.length },
    (_, index) => `\\\\{1,8}u${eitherCase(formatHex(character.charCodeAt(index), 4))}`,
  ).join("");
  const reference = `&#(?:0{0,6}${code}|[xX]0{0,6}${eitherCase(formatHex(code, 1))});`;
  const literal = `${/["'/\\]/.test(character) ? "\\\\{0,8}" : ""}${escapePattern(character)}`;
  return `(?:${literal}|${percent}|${units}|${reference}${NAMED_REFERENCES[character] ?? ""})`;
}

function formatHex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function eitherCase(hex: string): string {
  return hex.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`);
}

/** Decodes the escapes of URLs, JSON and XML; returns one text for each way of reading `+`. */
function withoutEscapes(text: string): string[] {
  let plain = text;
  for (let times = 0; times < MAX_ESCAPES; times++) {
    const next = readEscapes(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain.includes("+") ? [plain, plain.replaceAll("+", " ")] : [plain];
}
