import type { Json } from "../values/json.ts";
import { ARRAY, OBJECT, typeOf } from "../values/json_type.ts";
import { collectionLayout, decodeCollection } from "./collection.ts";
import { type Decoded, decodedObject, type Member, setOwn } from "./decoded.ts";
import { decodeDeep, type DeepEntry } from "./deep_object.ts";
import { decodeDelimited } from "./delimited.ts";
import type { CollectionFormat, FormEncoding } from "./encoding.ts";
import { decodeExploded, isMember } from "./exploded.ts";
import { type FieldReaders, MULTIPART_READERS, URLENCODED_READERS } from "./field_reader.ts";
import type { FormFields } from "./form_fields.ts";
import { FormNames } from "./form_names.ts";
import { planOf } from "./form_plan.ts";
import { type FormField, FormReader } from "./form_reader.ts";
import type { Part } from "./multipart.ts";
import { decodeOccurrences, isNotEmpty } from "./occurrences.ts";
import { type Named, pairsNamed } from "./pair_reader.ts";
import { decodeFormText } from "./percent.ts";
import type { TextPair } from "./query_string.ts";
import type { Shape } from "./shape.ts";
import { readText } from "./text_value.ts";

function decodeField<P extends Named>(
  { shape, plan }: FormField,
  only: P | undefined,
  several: readonly DeepEntry<P>[],
  readers: FieldReaders<P>,
): Decoded | undefined {
  const entries = only === undefined ? several : [{ path: [], pair: only }];
  if (plan.kind === "plain") return decodeDeep(entries, shape, readers.plain);
  if (plan.kind === "deep") return decodeDeep(entries, shape, readers.text);
  const pairs = entries.map((entry) => entry.pair);
  if (plan.kind === "delimited") {
    const { text, escaping } = readers.text;
    return decodeDelimited(pairs.map(text), shape, plan.layout, escaping);
  }
  const reader = plan.kind === "json" ? readers.json : readers.text;
  return isNotEmpty(pairs) ? decodeOccurrences(pairs, shape, reader) : undefined;
}

/** Adds the fields that were read to those that are known. */
function decodeCarried<P extends Named>(
  reader: FormReader<P>,
  readers: FieldReaders<P>,
  members: Member[] = [],
): Decoded {
  reader.giveFields((field, only, entries) => {
    const decoded = decodeField(field, only, entries, readers);
    if (decoded !== undefined) members.push([field.name, decoded]);
  });
  return decodedObject(members, undefined);
}

/** The value alone of the fields that were read of an urlencoded form. */
function valueOfCarried(reader: FormReader<TextPair>): Record<string, Json> {
  const value: Record<string, Json> = {};
  reader.giveFields((field, only, entries) => {
    const { name, shape: { types }, plan } = field;
    if (only !== undefined && plan.kind === "plain" && (types & (ARRAY | OBJECT)) === 0) {
      setOwn(value, name, readText(decodeFormText(only.value), types)); // no other way of reading applies
      return;
    }
    const decoded = decodeField(field, only, entries, URLENCODED_READERS);
    if (decoded !== undefined) setOwn(value, name, decoded.value);
  });
  return value;
}

/** The decisions made once for a form. */
interface FormPlan {
  readonly encoding: FormEncoding;
  /** The names of the declared properties. */
  readonly declared: ReadonlySet<string>;
  /** The properties whose own properties are fields of the form (`style: form`, exploded objects). */
  readonly spread: readonly string[];
}

/** Takes the pairs of a form, after the properties that are spread over it. */
function takePairs<P extends Named>(
  pairs: readonly P[],
  { encoding, declared, spread }: FormPlan,
  reader: FormReader<P>,
  readers: FieldReaders<P>,
): Member[] {
  const members: Member[] = [];
  let rest = pairs;
  for (const name of spread) {
    const target = { name, shape: encoding.shape.property(name), claimed: declared };
    const decoded = decodeExploded(rest, target, readers.text);
    if (decoded !== undefined) {
      members.push([name, decoded]);
      const isObject = typeOf(decoded.value) === OBJECT;
      rest = rest.filter((pair) => isObject ? !isMember(pair.name, target) : pair.name !== name);
    }
  }
  reader.takePairs(rest);
  return members;
}

/** Decodes the bodies of one form. */
export interface FormDecoder {
  /** The value, with the texts that it was read from. */
  decode(fields: FormFields): Decoded;
  /** The value alone, which takes less. */
  decodeValue(fields: FormFields): Json;
}

const ESCAPED_NAMES = new FormNames(decodeFormText);
const NAMES_AS_THEY_ARE = new FormNames((name) => name);

/**
 * Prepares decoding a form body to an object (semantics, section 3): fields are text values by the shape
 * of their property and by its `encoding`. Without an encoding, a repeated name makes an array where that
 * is allowed, a field whose schema allows objects is JSON, and names in brackets (`a[b]`, `a[]`, `a[0][c]`)
 * build what the property's types allow. A file is a string of one character per byte; a part that is
 * JSON is parsed where an object or array is expected.
 *
 * @example
 * ```ts
 * import { compileFormBody } from "./form_body.ts";
 * import assert from "node:assert/strict";
 * import { INTEGER, OBJECT } from "../values/json_type.ts";
 * import { readForm } from "./form_fields.ts";
 * import type { Shape } from "./shape.ts";
 *
 * const integer: Shape = {
 *   types: INTEGER,
 *   propertyNames: new Set(),
 *   patterns: [],
 *   open: true,
 *   describesOthers: false,
 *   tupleLength: 0,
 *   property: () => integer,
 *   undeclared: () => integer,
 *   item: () => integer,
 * };
 * const shape: Shape = { ...integer, types: OBJECT };
 * const fields = readForm("age=42", "application/x-www-form-urlencoded");
 * assert(fields !== undefined && fields !== "malformed");
 * assert.deepEqual(compileFormBody({ shape, properties: {} }).decodeValue(fields), { age: 42 });
 * ```
 */
export function compileFormBody(encoding: FormEncoding): FormDecoder {
  const { shape, properties } = encoding;
  const declared = shape.propertyNames;
  const spread = Object.keys(properties).filter((name) =>
    planOf(encoding, name).kind === "exploded" && (shape.property(name).types & OBJECT) !== 0
  );
  const plan: FormPlan = { encoding, declared, spread };
  const readerOf = <P extends Named>(names: FormNames) =>
    new FormReader<P>(encoding, declared, spread, names);
  let urlencoded: FormReader<TextPair> | undefined;
  let multipart: FormReader<Part> | undefined;
  const decode = (fields: FormFields): Decoded => {
    if (fields.kind === "multipart") {
      const reader = multipart ??= readerOf(NAMES_AS_THEY_ARE);
      const members = takePairs(fields.pairs, plan, reader, MULTIPART_READERS);
      return decodeCarried(reader, MULTIPART_READERS, members);
    }
    const reader = urlencoded ??= readerOf(spread.length > 0 ? NAMES_AS_THEY_ARE : ESCAPED_NAMES);
    if (spread.length > 0) {
      const members = takePairs(fields.pairs, plan, reader, URLENCODED_READERS);
      return decodeCarried(reader, URLENCODED_READERS, members);
    }
    reader.takeText(fields.text);
    return decodeCarried(reader, URLENCODED_READERS);
  };
  const decodeValue = (fields: FormFields): Json => {
    if (fields.kind === "multipart" || spread.length > 0) return decode(fields).value;
    const reader = urlencoded ??= readerOf(ESCAPED_NAMES);
    reader.takeText(fields.text);
    return valueOfCarried(reader);
  };
  return { decode, decodeValue };
}

/** One `in: formData` parameter of Swagger 2.0. */
export interface FormFieldEncoding {
  readonly name: string;
  readonly shape: Shape;
  /** As in `CollectionEncoding`. */
  readonly formats: readonly CollectionFormat[];
}

/**
 * Prepares decoding one `in: formData` parameter (Swagger 2.0); the result is `undefined` where the form
 * does not carry it.
 */
export function compileFormField(
  { name, shape, formats }: FormFieldEncoding,
): (fields: FormFields) => Decoded | undefined {
  const layout = collectionLayout(formats, true);
  return (fields) =>
    fields.kind === "urlencoded"
      ? decodeCollection(pairsNamed(fields.pairs, name), shape, layout, URLENCODED_READERS.text)
      : decodeCollection(pairsNamed(fields.pairs, name), shape, layout, MULTIPART_READERS.text);
}
