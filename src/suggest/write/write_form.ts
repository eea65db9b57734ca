import type { FormEncoding } from "../../http/encoding.ts";
import { findFieldPlan } from "../../http/form_plan.ts";
import { mediaEssence } from "../../http/media_type.ts";
import type { Shape } from "../../http/shape.ts";
import { readText, SCALARS } from "../../http/decoded.ts";
import { multipartText } from "../../http/write_multipart.ts";
import { equal } from "../../schema/equal.ts";
import type { Json } from "../../values/json.ts";
import { jsonType, OBJECT } from "../../values/json_type.ts";
import type { FileTypes } from "./file_parts.ts";
import {
  asIs,
  bracketPairs,
  explodedPairs,
  type Pairs,
  scalarText,
  writeDelimited,
} from "./write_style.ts";
import type { Field } from "./written_parameter.ts";

const JSON_TYPE = "application/json";

/**
 * Writes the fields of a form so that `compileFormBody` reads them back: by the `encoding` of each property; without
 * one, lists repeat their name, and objects are JSON, as are lists in multipart forms that parts can't express.
 *
 * @returns undefined for what no form can express: values other than objects, and empty lists.
 */
export function formFields(
  encoding: FormEncoding,
  value: Json,
  isMultipart: boolean,
  findFileType?: FileTypes,
): readonly Field[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields: Field[] = [];
  for (const [name, member] of Object.entries(value)) {
    const parts = writeFields(encoding, name, member as Json, isMultipart);
    if (parts === undefined) return undefined;
    const fileType = findFileType?.(name);
    fields.push(...fileType === undefined ? parts : parts.map((field) => asFile(field, fileType)));
  }
  return fields;
}

/** Makes a text field a file if its text is ASCII: in a file, other characters would be read differently. */
export function asFile(field: Field, mediaType: string): Field {
  const isFile = field.mediaType === undefined && /^[\0-\x7f]*$/.test(field.text);
  return isFile ? { ...field, mediaType, isFile } : field;
}

function writeFields(
  encoding: FormEncoding,
  name: string,
  value: Json,
  isMultipart: boolean,
): readonly Field[] | undefined {
  const plan = findFieldPlan(encoding, name);
  switch (plan.kind) {
    case "json":
      return [jsonField(name, value)];
    case "deep":
      return toFields(bracketPairs(name, value));
    case "exploded":
      return toFields(explodedPairs(name, value));
    case "delimited": {
      // The field serves both kinds of forms, so items that contain the separator are refused for both.
      const text = writeDelimited(value, plan.layout, asIs);
      const escaped = writeDelimited(value, plan.layout, encodeURIComponent);
      return text === undefined ? undefined : [{ name, text, escaped }];
    }
    case "plain":
      return plainFields(encoding, name, value, isMultipart);
  }
}

function plainFields(
  { shape }: FormEncoding,
  name: string,
  value: Json,
  isMultipart: boolean,
): readonly Field[] | undefined {
  const text = scalarText(value);
  if (text !== undefined) return [{ name, text }];
  if (!Array.isArray(value)) return [jsonField(name, value)];
  const property = shape.property(name);
  // A single field is read as a scalar where one is allowed.
  const isOne = value.length === 1 && (property.types & SCALARS) !== 0;
  const itemName = isOne ? `${name}[0]` : name;
  if (isMultipart) return itemParts(itemName, value, property) ?? [jsonField(name, value)];
  if (value.length === 0) return undefined;
  return value.map((item) => ({ name: itemName, text: scalarText(item) ?? JSON.stringify(item) }));
}

function jsonField(name: string, value: Json): Field {
  return { name, text: JSON.stringify(value), mediaType: JSON_TYPE };
}

/** Writes a part for each item (OpenAPI 3.2, 4.15.4.2); undefined if parts can't express the list: an empty one. */
function itemParts(
  name: string,
  items: readonly Json[],
  shape: Shape,
): readonly Field[] | undefined {
  const parts: Field[] = [];
  for (const [index, item] of items.entries()) {
    const { types } = shape.item(index);
    const text = scalarText(item);
    if (text === undefined) {
      if ((jsonType(item) & types & OBJECT) === 0) return undefined;
      parts.push(jsonField(name, item));
    } else if (equal(readText(text, types), item)) parts.push({ name, text });
    else return undefined;
  }
  return parts.length === 0 ? undefined : parts;
}

function toFields(pairs: Pairs | undefined): readonly Field[] | undefined {
  return pairs === undefined || pairs.length === 0
    ? undefined
    : pairs.map(([name, text]) => ({ name, text }));
}

/** Writes a urlencoded form; one without fields is `&`, since an empty body counts as none. */
export function urlencodedForm(fields: readonly Field[]): string {
  if (fields.length === 0) return "&";
  return fields.map(({ name, text, escaped }) =>
    `${encodeURIComponent(name)}=${escaped ?? encodeURIComponent(text)}`
  ).join("&");
}

export function multipartForm(fields: readonly Field[]): ReturnType<typeof multipartText> {
  let boundary = "covtool-boundary";
  while (fields.some(({ text }) => text.includes(boundary))) boundary += "-x";
  const parts = fields.map(({ name, text, mediaType, isFile }) => ({
    name,
    text,
    mediaType,
    fileName: isFile && mediaType !== undefined ? fileName(name, mediaType) : undefined,
  }));
  return multipartText(parts, boundary);
}

/** Returns a file name: servers read a part without one as text (RFC 7578, section 4.2). */
function fileName(name: string, mediaType: string): string {
  const subtype = /\/([a-z0-9]{2,5})$/.exec(mediaEssence(mediaType))?.[1];
  return `${name}.${subtype ?? "bin"}`;
}
