import { ARRAY, OBJECT } from "../values/json_type.ts";
import { isItemKey } from "./deep_object.ts";
import type { DelimitedLayout } from "./delimited.ts";
import type { FormEncoding, ParameterStyle, PropertyEncoding } from "./encoding.ts";
import type { Separator } from "./escaping.ts";
import { essenceOf, kindOf } from "./media_type.ts";
import type { Shape } from "./shape.ts";

/**
 * The way in which a property of a form is read. `plain` is the default: text values, exploded lists, JSON where the
 * schema allows objects, and names in brackets (`a[b]`, `a[]`) where it allows what they build.
 */
export type FieldPlan =
  | { readonly kind: "plain" | "json" | "deep" | "exploded" }
  | { readonly kind: "delimited"; readonly layout: DelimitedLayout };

const PLAIN: FieldPlan = { kind: "plain" };
const JSON_FIELD: FieldPlan = { kind: "json" };
const DEEP: FieldPlan = { kind: "deep" };
const EXPLODED: FieldPlan = { kind: "exploded" };

/** The separator of the items of a style that is not exploded. */
export function styleSeparator(style: ParameterStyle): Separator {
  return style === "spaceDelimited" ? "space" : style === "pipeDelimited" ? "pipe" : "comma";
}

function namesJson(contentType: string): boolean {
  return contentType.split(",").some((mediaType) => kindOf(essenceOf(mediaType)) === "json");
}

/** The way of reading a property that an encoding asks for. */
export function fieldPlan(encoding: PropertyEncoding | undefined): FieldPlan {
  if (encoding === undefined) return PLAIN;
  const { style, explode, allowReserved, contentType } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) {
    return contentType !== undefined && namesJson(contentType) ? JSON_FIELD : PLAIN;
  }
  if (style === "deepObject") return DEEP;
  const isForm = style === undefined || style === "form";
  if (explode ?? isForm) return EXPLODED;
  const separator = isForm ? "comma" : styleSeparator(style);
  return { kind: "delimited", layout: { separator, keyed: false, items: undefined } };
}

/** The plan for a property by its name. */
export function planOf({ properties }: FormEncoding, name: string): FieldPlan {
  return fieldPlan(Object.hasOwn(properties, name) ? properties[name] : undefined);
}

/** A name of a form's field, taken apart. */
export interface FormName {
  /** The name as it is sent. */
  readonly text: string;
  /** The name, decoded. */
  readonly name: string;
  /** The part of the name before the brackets; all of it if there are none. */
  readonly root: string;
  /** The names in the brackets; undefined if it has none, or no well-formed ones. */
  readonly path: readonly string[] | undefined;
}

/** The field that a name belongs to, and the brackets after it. */
export interface FieldName {
  readonly name: string;
  readonly path: readonly string[];
}

const NO_PATH: readonly string[] = [];

function allowsBrackets(shape: Shape, path: readonly string[]): boolean {
  const { types } = shape;
  const key = path[0] ?? "";
  return types === 0 || (types & (isItemKey(key) ? ARRAY | OBJECT : OBJECT)) !== 0;
}

/**
 * Finds the field that a name stands for: `a[b]` is the property `a[b]` where that is declared, part of
 * `a` where that can hold it, else a property of its own.
 *
 * @param declared The names of the declared properties.
 */
export function fieldName(
  { name, root, path }: FormName,
  encoding: FormEncoding,
  declared: ReadonlySet<string>,
): FieldName {
  if (path !== undefined && !declared.has(name)) {
    const { kind } = planOf(encoding, root);
    const isFollowed = kind === "deep" ||
      (kind === "plain" && allowsBrackets(encoding.shape.property(root), path));
    if (isFollowed) return { name: root, path };
  }
  return { name, path: NO_PATH };
}
