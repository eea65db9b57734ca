import { decodeUri } from "../values/escapes.ts";

/** Literal text, text around templates (`{name}.{ext}`), or a single template. Texts are percent-decoded. */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  /** `texts` has one more entry than there are templates; texts and templates alternate, text first. */
  | { readonly kind: "mixed"; readonly texts: readonly string[] }
  | { readonly kind: "template" };

/** A token after `?` or `#` in a path: `name`, `name=value` or `name={template}`. */
export interface PathToken {
  /** The sign before the token, or before the `&`-separated tokens that it belongs to. */
  readonly delimiter: "?" | "#";
  /** Percent-decoded. */
  readonly name: string;
  /** The required value, percent-decoded; undefined if the token has none or its value contains a template. */
  readonly value: string | undefined;
  /** The name of the template that is its value; undefined if the value isn't a single template. */
  readonly template: string | undefined;
}

export interface PathTemplate {
  /** The segments between slashes; a trailing slash adds none. */
  readonly segments: readonly TemplateSegment[];
  /** True if the path ends with a slash, which includes the path `/`. */
  readonly trailingSlash: boolean;
  /** The names of the path's templates, left to right. */
  readonly names: readonly string[];
  /** The template as written, without the part from `?` or `#` on. */
  readonly text: string;
  /** The tokens after `?` or `#`, except those with a template in their name, which set no condition. */
  readonly tokens: readonly PathToken[];
}

const TOKEN = /\{([^{}]*)\}|[/?#]/g;
/** Matches a token with the sign before it. A template may contain such signs. */
const CONDITION = /([?#&])((?:\{[^{}]*\}|[^?#&])*)/g;
const NO_TOKENS: readonly PathToken[] = [];

function templateSegment(texts: readonly string[]): TemplateSegment {
  if (texts.length === 1) return { kind: "literal", text: texts[0] ?? "" };
  if (texts.length === 2 && texts[0] === "" && texts[1] === "") return { kind: "template" };
  return { kind: "mixed", texts };
}

/** Splits a path template (OpenAPI 3.2, section 4.8.2) up to the first `?` or `#`. Slashes in braces split nothing. */
export function parsePathTemplate(path: string): PathTemplate {
  const segments: TemplateSegment[] = [];
  const names: string[] = [];
  let texts: string[] = [];
  let start = path.startsWith("/") ? 1 : 0;
  let end = path.length;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(path); token !== null; token = TOKEN.exec(path)) {
    if (token[0] === "?" || token[0] === "#") {
      end = token.index;
      break;
    }
    texts.push(decodeUri(path.slice(start, token.index)));
    start = token.index + token[0].length;
    if (token[0] === "/") {
      segments.push(templateSegment(texts));
      texts = [];
    } else {
      names.push(token[1] ?? "");
    }
  }
  texts.push(decodeUri(path.slice(start, end)));
  const trailingSlash = texts.length === 1 && texts[0] === "";
  if (!trailingSlash) segments.push(templateSegment(texts));
  if (end === path.length) return { segments, trailingSlash, names, text: path, tokens: NO_TOKENS };
  const tokens = readTokens(path.slice(end));
  return { segments, trailingSlash, names, text: path.slice(0, end), tokens };
}

export function isCaptured({ delimiter, template }: PathToken): boolean {
  return delimiter === "?" && template !== undefined;
}

/** Returns the names of a path's templates in the order in which matching captures their values. */
export function captureNames(path: string): readonly string[] {
  const { names, tokens } = parsePathTemplate(path);
  if (tokens.length === 0) return names;
  return [...names, ...tokens.filter(isCaptured).map(({ template = "" }) => template)];
}

function readTokens(text: string): readonly PathToken[] {
  const tokens: PathToken[] = [];
  let delimiter: PathToken["delimiter"] = "?";
  for (const [, sign, token = ""] of text.matchAll(CONDITION)) {
    if (sign === "?" || sign === "#") delimiter = sign;
    const [name = ""] = token.split("=", 1);
    if (name === "" || name.includes("{")) continue;
    const value = name.length === token.length ? undefined : token.slice(name.length + 1);
    tokens.push({
      delimiter,
      name: decodeUri(name),
      value: value === undefined || /\{[^{}]*\}/.test(value) ? undefined : decodeUri(value),
      template: /^\{([^{}]*)\}$/.exec(value ?? "")?.[1],
    });
  }
  return tokens;
}

/** Matches a value greedily against texts around templates; returns start and end of each template's value, or null. */
export function matchTemplates(texts: readonly string[], value: string): number[] | null {
  const count = texts.length - 1;
  const first = texts[0] ?? "";
  const last = texts[count] ?? "";
  if (!value.startsWith(first) || !value.endsWith(last)) return null;
  const bounds: number[] = new Array(2 * count);
  let end = value.length - last.length;
  // Place each text as far right as possible, from right to left, which makes the earlier templates
  // longest. Unlike a backtracking regular expression, this takes linear time.
  for (let index = count - 1; index >= 1; index--) {
    const text = texts[index] ?? "";
    const latest = end - 1 - text.length;
    let at = latest < 0 ? -1 : value.lastIndexOf(text, latest);
    if (text === "" && splitsPair(value, at)) at -= 1;
    if (at < 0) return null;
    bounds[2 * index] = at + text.length;
    bounds[2 * index + 1] = end;
    end = at;
  }
  if (end <= first.length) return null;
  bounds[0] = first.length;
  bounds[1] = end;
  return bounds;
}

function splitsPair(value: string, at: number): boolean {
  return at > 0 && (value.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (value.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
