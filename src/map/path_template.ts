import { decodeSegment } from "./split_path.ts";

/**
 * One segment of a path template: literal text, text around templates (`{name}.{ext}`), or one
 * template alone. Texts are percent-decoded.
 */
export type TemplateSegment =
  | { readonly kind: "literal"; readonly text: string }
  /** `texts` has one entry more than there are templates; they alternate, text first. */
  | { readonly kind: "mixed"; readonly texts: readonly string[] }
  | { readonly kind: "template" };

/** A path template, split for matching. */
export interface PathTemplate {
  /** The segments between the slashes, without the empty one after a trailing slash. */
  readonly segments: readonly TemplateSegment[];
  /** True if the path ends with a slash, as `/` does. */
  readonly trailingSlash: boolean;
  /** The names of its templates, left to right. */
  readonly names: readonly string[];
}

const TOKEN = /\{([^{}]*)\}|[/?#]/g;

function segment(texts: readonly string[]): TemplateSegment {
  if (texts.length === 1) return { kind: "literal", text: texts[0] ?? "" };
  if (texts.length === 2 && texts[0] === "" && texts[1] === "") return { kind: "template" };
  return { kind: "mixed", texts };
}

/**
 * Splits a path template of OpenAPI (3.2, section 4.8.2). Braces come before slashes: a name may hold
 * a slash. Null for a path with a query or a fragment outside its templates, since no URL's path can
 * match it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parsePathTemplate } from "./path_template.ts";
 *
 * assert.deepEqual(parsePathTemplate("/files/{name}.{ext}"), {
 *   segments: [{ kind: "literal", text: "files" }, { kind: "mixed", texts: ["", ".", ""] }],
 *   trailingSlash: false,
 *   names: ["name", "ext"],
 * });
 * assert.equal(parsePathTemplate("/#Action=Delete"), null);
 * ```
 */
export function parsePathTemplate(path: string): PathTemplate | null {
  const segments: TemplateSegment[] = [];
  const names: string[] = [];
  let texts: string[] = [];
  let start = path.startsWith("/") ? 1 : 0;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(path); token !== null; token = TOKEN.exec(path)) {
    if (token[0] === "?" || token[0] === "#") return null;
    texts.push(decodeSegment(path.slice(start, token.index)));
    start = token.index + token[0].length;
    if (token[0] === "/") {
      segments.push(segment(texts));
      texts = [];
    } else {
      names.push(token[1] ?? "");
    }
  }
  texts.push(decodeSegment(path.slice(start)));
  const trailingSlash = texts.length === 1 && texts[0] === "";
  if (!trailingSlash) segments.push(segment(texts));
  return { segments, trailingSlash, names };
}

/**
 * Matches text against the texts around templates, each template taking one character or more and the
 * first as much as it can, then the second, and so on. Gives the start and the end of each template's
 * value (so twice as many numbers as templates), or null.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { matchTemplates } from "./path_template.ts";
 *
 * assert.deepEqual(matchTemplates(["", ".", ""], "a.tar.gz"), [0, 5, 6, 8]);
 * assert.equal(matchTemplates(["", ":cancel"], ":cancel"), null);
 * ```
 */
export function matchTemplates(texts: readonly string[], value: string): number[] | null {
  const count = texts.length - 1;
  const first = texts[0] ?? "";
  const last = texts[count] ?? "";
  if (!value.startsWith(first) || !value.endsWith(last)) return null;
  const bounds: number[] = new Array(2 * count);
  let end = value.length - last.length;
  // From the right, each text as far right as it goes: that is what leaves the earlier templates the
  // most, and unlike a backtracking regular expression it is linear.
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
