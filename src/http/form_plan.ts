import { ARRAY, OBJECT } from "../values/json_type.ts";
import { bracketPath, isItemKey } from "./deep_object.ts";
import type { FormEncoding } from "./encoding.ts";
import { type StylePlan, stylePlan } from "./style_plan.ts";
import { contentTypeKind, mediaEssence, mediaKind, parseMediaType } from "./media_type.ts";
import type { Shape } from "./shape.ts";
import { bodyText } from "./body_text.ts";
import { type Part, readMultipart } from "./multipart.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { internText, splitQuery, type TextPair } from "./request_text.ts";

/** Hostile traffic can make up any number of names. */
const MAX_CACHED_NAMES = 10_000;

/** Parses the names of form fields, with a cache: the operations of an API have many names in common. */
export class FormNames {
  readonly #decode: (text: string) => string;
  readonly #names = new Map<string, FormName>();

  constructor(decode: (text: string) => string) {
    this.#decode = decode;
  }

  parse(text: string): FormName {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#parseNew(internText(text));
      if (this.#names.size < MAX_CACHED_NAMES) this.#names.set(text, name);
    }
    return name;
  }

  #parseNew(text: string): FormName {
    const name = internText(this.#decode(text));
    const bracket = name.indexOf("[");
    const path = bracket > 0 ? bracketPath(name, bracket) : undefined;
    if (path === undefined) return { text, name, root: name, path };
    return { text, name, root: internText(name.slice(0, bracket)), path: path.map(internText) };
  }
}

export type FormFields =
  | UrlencodedFields
  | { readonly kind: "multipart"; readonly pairs: readonly Part[] };

/** The fields of a urlencoded form; split only on demand, because the form reader looks names up unsplit. */
export class UrlencodedFields {
  readonly kind = "urlencoded";
  readonly text: string;
  #pairs: readonly TextPair[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get pairs(): readonly TextPair[] {
    return this.#pairs ??= splitQuery(this.text);
  }
}

/**
 * Reads the fields of a form; undefined if the Content-Type isn't a form, `malformed` for a broken multipart body,
 * `replaced` for the placeholder of a recorder.
 */
export function readForm(
  body: Uint8Array | string,
  contentType: string,
): FormFields | "malformed" | "replaced" | undefined {
  switch (contentTypeKind(contentType)) {
    case "form": {
      const text = bodyText(body);
      return isReplacedText(text) ? "replaced" : new UrlencodedFields(text);
    }
    case "multipart": {
      const { parameters } = parseMediaType(contentType);
      const pairs = readMultipart(body, parameters.get("boundary"));
      if (pairs !== undefined) return { kind: "multipart", pairs };
      return isReplacedText(bodyText(body)) ? "replaced" : "malformed";
    }
    default:
      return undefined;
  }
}

/** The way to read a property of a form. The default, `plain`, reads text, exploded lists, JSON and bracketed names. */
export type FieldPlan = StylePlan | { readonly kind: "plain" } | { readonly kind: "json" };

const PLAIN: FieldPlan = { kind: "plain" };
const JSON_FIELD: FieldPlan = { kind: "json" };

export function findFieldPlan({ properties }: FormEncoding, name: string): FieldPlan {
  const encoding = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (encoding === undefined) return PLAIN;
  const { style, explode, allowReserved, contentType } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) {
    const isJson = contentType?.split(",").some((one) => mediaKind(mediaEssence(one)) === "json");
    return isJson === true ? JSON_FIELD : PLAIN;
  }
  const isForm = style === undefined || style === "form";
  return stylePlan({ location: "query", style: style ?? "form", explode: explode ?? isForm });
}

export interface FormName {
  readonly text: string;
  readonly name: string;
  /** The part of the name before the brackets, or the entire name. */
  readonly root: string;
  /** The keys in the brackets; undefined if there are none, or malformed ones. */
  readonly path: readonly string[] | undefined;
}

function allowsBrackets(shape: Shape, path: readonly string[]): boolean {
  const { types } = shape;
  const key = path[0] ?? "";
  return types === 0 || (types & (isItemKey(key) ? ARRAY | OBJECT : OBJECT)) !== 0;
}

/** Finds the field of a name: `a[b]` is a declared property, else part of `a` if it allows that, else undeclared. */
export function fieldName(
  { name, root, path }: FormName,
  encoding: FormEncoding,
  declared: ReadonlySet<string>,
): { readonly name: string; readonly path: readonly string[] } {
  if (path !== undefined && !declared.has(name)) {
    const { kind } = findFieldPlan(encoding, root);
    const isFollowed = kind === "deep" ||
      (kind === "plain" && allowsBrackets(encoding.shape.property(root), path));
    if (isFollowed) return { name: root, path };
  }
  return { name, path: [] };
}
