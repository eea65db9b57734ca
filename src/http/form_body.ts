import { OBJECT, typeOf } from "../json_type.ts";
import { collectionLayout, decodeCollection } from "./collection.ts";
import { type Decoded, decodedObject } from "./decoded.ts";
import { decodeDeep, type DeepEntry } from "./deep_object.ts";
import { decodeDelimited } from "./delimited.ts";
import type { CollectionFormat, FormEncoding } from "./encoding.ts";
import { decodeExploded, isMember } from "./exploded.ts";
import { type FieldReaders, MULTIPART_READERS, URLENCODED_READERS } from "./field_reader.ts";
import type { FormFields } from "./form_fields.ts";
import { type FieldTarget, fieldTarget, planOf } from "./form_plan.ts";
import { decodeOccurrences, isNotEmpty } from "./occurrences.ts";
import { type Named, pairsNamed } from "./pair_reader.ts";
import type { Shape } from "./shape.ts";

/** What is decided once for a form. */
interface FormPlan {
  readonly encoding: FormEncoding;
  /** The names of the declared properties. */
  readonly declared: ReadonlySet<string>;
  /** The fields that names were found to stand for: the names of a form come again with every request. */
  readonly targets: Map<string, FieldTarget>;
  /** The properties whose own properties are fields of the form (`style: form`, exploded objects). */
  readonly spread: readonly string[];
}

/** How many names of fields are remembered; hostile traffic can make up any number. */
const TARGETS_KEPT = 1000;

function targetOf(name: string, { encoding, declared, targets }: FormPlan): FieldTarget {
  let target = targets.get(name);
  if (target === undefined) {
    target = fieldTarget(name, encoding, declared);
    if (targets.size < TARGETS_KEPT) targets.set(name, target);
  }
  return target;
}

function decodeField<P extends Named>(
  name: string,
  entries: readonly DeepEntry<P>[],
  encoding: FormEncoding,
  readers: FieldReaders<P>,
): Decoded | undefined {
  const shape = encoding.shape.property(name);
  const plan = planOf(encoding, name);
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

function decodeFields<P extends Named>(
  pairs: readonly P[],
  plan: FormPlan,
  readers: FieldReaders<P>,
): Decoded {
  const { encoding, declared, spread } = plan;
  const members: [string, Decoded][] = [];
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

  const fields = new Map<string, DeepEntry<P>[]>();
  for (const pair of rest) {
    const { name, path } = targetOf(pair.name, plan);
    // Under its own name, such an object is not carried.
    if (spread.includes(name)) continue;
    const entries = fields.get(name);
    if (entries === undefined) fields.set(name, [{ path, pair }]);
    else entries.push({ path, pair });
  }
  for (const [name, entries] of fields) {
    const decoded = decodeField(name, entries, encoding, readers);
    if (decoded !== undefined) members.push([name, decoded]);
  }
  return decodedObject(members, undefined);
}

/**
 * Prepares decoding a form body to an object (semantics, section 3): fields are text values by the shape
 * of their property and by its `encoding`. Without an encoding, a repeated name makes an array where that
 * is allowed, a field whose schema allows objects is JSON, and names in brackets (`a[b]`, `a[]`, `a[0][c]`)
 * build what the property's types allow. A file is a string of one character per byte; a part that is
 * JSON is parsed where an object or array is expected.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { INTEGER, OBJECT } from "../json_type.ts";
 * import { readForm } from "./form_fields.ts";
 * import type { Shape } from "./shape.ts";
 *
 * const integer: Shape = {
 *   types: INTEGER,
 *   propertyNames: [],
 *   open: true,
 *   property: () => integer,
 *   item: () => integer,
 * };
 * const shape: Shape = { ...integer, types: OBJECT };
 * const fields = readForm("age=42", "application/x-www-form-urlencoded");
 * assert(fields !== undefined && fields !== "malformed");
 * assert.deepEqual(compileFormBody({ shape, properties: {} })(fields).value, { age: 42 });
 * ```
 */
export function compileFormBody(encoding: FormEncoding): (fields: FormFields) => Decoded {
  const { shape, properties } = encoding;
  const plan: FormPlan = {
    encoding,
    declared: new Set(shape.propertyNames),
    targets: new Map(),
    spread: Object.keys(properties).filter((name) =>
      planOf(encoding, name).kind === "exploded" && (shape.property(name).types & OBJECT) !== 0
    ),
  };
  return (fields) =>
    fields.kind === "urlencoded"
      ? decodeFields(fields.pairs, plan, URLENCODED_READERS)
      : decodeFields(fields.pairs, plan, MULTIPART_READERS);
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
