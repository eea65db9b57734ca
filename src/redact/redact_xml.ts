import { maskReferences, maskText, noteMasked, readReferences } from "./mask_text.ts";
import { isTokenLike, nameKind } from "./secret_names.ts";

/** A tag with a name in any script: masking turns its letters into `a`, and masking again must find the same tags. */
const TAG = /^<(\/?)([\p{L}_][\p{L}\p{N}\w:.-]*)/u;
const ATTRIBUTE = /([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')/g;
/** Attributes and elements that contain the name of a value next to them. */
const NAMING = /^(?:name|key|id|field|n)$/i;
/** Longer tags, including attributes, are text. */
const MAX_TAG_LENGTH = 1 << 16;

interface XmlRedactor {
  value(text: string): string;
  /** Redacts plain text, even if it looks like another format. */
  text(text: string): string;
}

interface XmlState {
  readonly text: string;
  readonly redactor: XmlRedactor;
  readonly pieces: string[];
  /** The name of the secret element that is open, and the number of open elements with that name. */
  secret: { readonly name: string; open: number } | undefined;
  /** True if the last element contained a secret name, so that the next element contains a secret. */
  isNamed: boolean;
  element: string;
}

/** Masks secret elements, attributes and pairs of name and value; everything else keeps its exact text. */
export function redactXml(text: string, redactor: XmlRedactor): string {
  const pieces: string[] = [];
  const reading: XmlState = {
    ...{ text, redactor, pieces },
    ...{ secret: undefined, isNamed: false, element: "" },
  };
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    if (next < 0) break;
    if (next > at) addText(reading, text.slice(at, next));
    at = readMarkup(reading, next);
  }
  if (at < text.length) addText(reading, text.slice(at));
  return pieces.join("");
}

function readMarkup(reading: XmlState, at: number): number {
  const { text, pieces, redactor } = reading;
  for (const [begin, close] of [["<![CDATA[", "]]>"], ["<!--", "-->"]] as const) {
    if (!text.startsWith(begin, at)) continue;
    const start = at + begin.length;
    const end = indexOrEnd(text, close, start);
    pieces.push(begin);
    addText(reading, text.slice(start, end));
    return end;
  }
  const tag = TAG.exec(text.slice(at, at + 300));
  const [end, isWhole] = tag === null ? [indexOrEnd(text, "<", at + 1), false] : endOfTag(text, at);
  const markup = text.slice(at, end);
  // Text with a `<` that doesn't begin a tag; it must not be read as XML again.
  if (tag === null || !isWhole) addText(reading, markup, (text) => redactor.text(text));
  else readTag(reading, markup, tag[1] === "/", tag[2] ?? "");
  return end;
}

function readTag(reading: XmlState, tag: string, isEnd: boolean, name: string): void {
  const { pieces, secret } = reading;
  if (isEnd) {
    pieces.push(tag);
    if (secret?.name === name && --secret.open === 0) reading.secret = undefined;
    reading.element = "";
    return;
  }
  const isEmpty = tag.endsWith("/>");
  const hasName = hasSecretName(tag);
  pieces.push(redactAttributes(reading, tag, hasName || secret !== undefined));
  reading.element = name;
  if (isEmpty) return;
  if (secret !== undefined) {
    if (secret.name === name) secret.open++;
    return;
  }
  const isSecret = hasName || reading.isNamed || nameKind(localName(name)) === "secret";
  reading.isNamed = false;
  if (isSecret) reading.secret = { name, open: 1 };
}

function hasSecretName(tag: string): boolean {
  for (const [, name = "", , quoted = ""] of tag.matchAll(ATTRIBUTE)) {
    if (NAMING.test(localName(name)) && nameKind(quoted.slice(1, -1)) === "secret") return true;
  }
  return false;
}

function redactAttributes({ redactor }: XmlState, tag: string, isSecret: boolean): string {
  if (!tag.includes("=")) return tag;
  return tag.replace(ATTRIBUTE, (all, name: string, sign: string, quoted: string) => {
    const value = quoted.slice(1, -1);
    const local = localName(name);
    const kind = nameKind(local);
    const isHidden = kind === "secret" || (kind === "perhaps" && isTokenLike(value)) ||
      (isSecret && /^(?:value|val|content|data)$/i.test(local));
    const redacted = isHidden ? hideText(value) : redactor.value(value);
    return redacted === value ? all : name + sign + quoted[0] + redacted + quoted[0];
  });
}

function addText(
  reading: XmlState,
  text: string,
  redact: (text: string) => string = (text) => reading.redactor.value(text),
): void {
  const { pieces, secret, element } = reading;
  if (secret !== undefined) {
    pieces.push(hideText(text));
    return;
  }
  const content = text.trim();
  if (content === "") {
    pieces.push(text);
    return;
  }
  const kind = nameKind(localName(element));
  if (NAMING.test(localName(element))) reading.isNamed = nameKind(content) === "secret";
  pieces.push(kind === "perhaps" && isTokenLike(content) ? hideText(text) : redact(text));
}

function hideText(text: string): string {
  if (!text.includes("&")) return maskText(text);
  noteMasked(readReferences(text));
  return maskReferences(text);
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

/** Returns the index after the `>` of a tag; without one, the index of the next `<` or the end of the text. */
function endOfTag(text: string, start: number): [end: number, isWhole: boolean] {
  const last = Math.min(text.length, start + MAX_TAG_LENGTH);
  let quote = 0;
  for (let at = start + 1; at < last; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return [at + 1, true];
    else if (code === 0x3c) return [at, false];
  }
  return [text.length, false];
}

function indexOrEnd(text: string, sign: string, start: number): number {
  const index = text.indexOf(sign, start);
  return index < 0 ? text.length : index;
}
