import type { Json } from "../values/json.ts";
import { ARRAY, jsonType, OBJECT } from "../values/json_type.ts";
import { collectionLayout, decodeCollection, decodeDelimited } from "./delimited.ts";
import { setOwn } from "../values/collections.ts";
import {
  type Decoded,
  decodedObject,
  decodeOccurrences,
  isNotEmpty,
  type Member,
  type Pair,
  pairsNamed,
  readText,
} from "./decoded.ts";
import { decodeDeep, type DeepEntry } from "./deep_object.ts";
import type { CollectionEncoding, FormEncoding } from "./encoding.ts";
import {
  decodeExploded,
  type FieldReaders,
  isMember,
  MULTIPART_READERS,
  URLENCODED_READERS,
} from "./field_reader.ts";
import {
  fieldName,
  type FieldPlan,
  findFieldPlan,
  type FormFields,
  type FormName,
  FormNames,
} from "./form_plan.ts";
import type { Part } from "./multipart.ts";
import { decodeFormText } from "./percent.ts";
import type { TextPair } from "./request_text.ts";
import type { Shape } from "./shape.ts";

interface FormField {
  readonly name: string;
  readonly shape: Shape;
  readonly plan: FieldPlan;
}

/** The state of a field while a form is read, shared by all names of the field. */
interface FieldState<P extends Pair> extends FormField {
  /** The first pair of the field, if its name has no brackets. */
  first: P | undefined;
  /** All pairs of the field, if there are several, or if the name of the only one has brackets. */
  entries: DeepEntry<P>[] | undefined;
}

/** Takes a field with its only pair, if that has no brackets, else with all its pairs. */
type VisitField<P extends Pair> = (
  field: FormField,
  only: P | undefined,
  entries: readonly DeepEntry<P>[],
) => void;

interface NameState<P extends Pair> {
  /** The name as sent, with its escapes. */
  readonly text: string;
  readonly name: string;
  /** Undefined for spread properties, whose pairs have other names: a pair with the property's own name is ignored. */
  readonly field: FieldState<P> | undefined;
  readonly path: readonly string[];
  /** The name that followed in the previous form: clients repeat the order of their fields. */
  next: NameState<P> | undefined;
}

/** Hostile traffic can make up any number of names. */
const MAX_CACHED_NAMES = 1000;
const EQUALS = 61;
const NO_ENTRIES: readonly never[] = [];

/** Groups the pairs of forms by field. The field of each name is cached, because requests repeat their names. */
class FormReader<P extends Pair> {
  readonly #plan: FormPlan;
  readonly #formNames: FormNames;
  readonly #names = new Map<string, NameState<P>>();
  readonly #fields = new Map<string, FieldState<P>>();
  #openFields: FieldState<P>[] = [];
  #firstName: NameState<P> | undefined;

  constructor(plan: FormPlan, names: FormNames) {
    this.#plan = plan;
    this.#formNames = names;
  }

  addPairs(pairs: readonly P[]): void {
    this.#reset();
    for (const pair of pairs) this.#addPair(this.#findName(pair.name), pair);
  }

  /** Takes the pairs of a urlencoded form, split as `splitQuery` does it. */
  addText(this: FormReader<TextPair>, text: string): void {
    this.#reset();
    let last: NameState<TextPair> | undefined;
    let equals = text.indexOf("=");
    for (let start = 0; start < text.length;) {
      let name = expectedName(text, start, last === undefined ? this.#firstName : last.next);
      let split: number;
      let end: number;
      if (name !== undefined) {
        split = start + name.text.length;
        end = endOfPair(text, split);
      } else {
        end = endOfPair(text, start);
        if (equals !== -1 && equals < start) equals = text.indexOf("=", start);
        split = equals === -1 || equals > end ? end : equals;
        if (end > start) {
          name = this.#findName(text.slice(start, split));
          if (last === undefined) this.#firstName = name;
          else last.next = name;
        }
      }
      if (end > start && name !== undefined) {
        this.#addPair(name, { name: name.name, value: text.slice(split + 1, end) });
        last = name;
      }
      start = end + 1;
    }
  }

  /** Passes on the fields, in the order of their first pairs, and resets the reader. */
  visitFields(visit: VisitField<P>): void {
    for (const field of this.#openFields) {
      const { first, entries } = field;
      visit(field, entries === undefined ? first : undefined, entries ?? NO_ENTRIES);
    }
    this.#reset();
    if (this.#names.size > MAX_CACHED_NAMES) {
      this.#names.clear();
      this.#fields.clear();
      this.#firstName = undefined;
    }
  }

  /** Resets all fields, also after a form whose decoding failed halfway. */
  #reset(): void {
    for (const field of this.#openFields) field.first = field.entries = undefined;
    this.#openFields = [];
  }

  #addPair({ field, path }: NameState<P>, pair: P): void {
    if (field === undefined) return;
    const { first, entries } = field;
    if (entries !== undefined) entries.push({ path, pair });
    else if (first !== undefined) field.entries = [{ path: [], pair: first }, { path, pair }];
    else {
      this.#openFields.push(field);
      if (path.length === 0) field.first = pair;
      else field.entries = [{ path, pair }];
    }
  }

  #findName(text: string): NameState<P> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#readName(this.#formNames.parse(text));
      this.#names.set(name.text, name);
    }
    return name;
  }

  #readName(formName: FormName): NameState<P> {
    const { encoding, declared, exploded } = this.#plan;
    const { name, path } = fieldName(formName, encoding, declared);
    let field = this.#fields.get(name);
    if (field === undefined && !exploded.includes(name)) {
      const shape = encoding.shape.property(name);
      const plan = findFieldPlan(encoding, name);
      field = { name, shape, plan, first: undefined, entries: undefined };
      this.#fields.set(name, field);
    }
    return { text: formName.text, name: formName.name, field, path, next: undefined };
  }
}

/** Names are tried in the order of the previous form, several because clients leave out fields. */
const MAX_TRIED_NAMES = 4;

function expectedName<P extends Pair>(
  text: string,
  start: number,
  first: NameState<P> | undefined,
): NameState<P> | undefined {
  let name = first;
  for (let tried = 0; tried < MAX_TRIED_NAMES && name !== undefined; tried++, name = name.next) {
    const end = start + name.text.length;
    if (text.charCodeAt(end) === EQUALS && text.startsWith(name.text, start)) return name;
  }
  return undefined;
}

function endOfPair(text: string, start: number): number {
  const ampersand = text.indexOf("&", start);
  return ampersand === -1 ? text.length : ampersand;
}

function decodeField<P extends Pair>(
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

function decodeFields<P extends Pair>(
  reader: FormReader<P>,
  readers: FieldReaders<P>,
  members: Member[] = [],
): Decoded {
  reader.visitFields((field, only, entries) => {
    const decoded = decodeField(field, only, entries, readers);
    if (decoded !== undefined) members.push([field.name, decoded]);
  });
  return decodedObject(members, undefined);
}

function fieldValues(reader: FormReader<TextPair>): Record<string, Json> {
  const value: Record<string, Json> = {};
  reader.visitFields((field, only, entries) => {
    const { name, shape: { types }, plan } = field;
    if (only !== undefined && plan.kind === "plain" && (types & (ARRAY | OBJECT)) === 0) {
      setOwn(value, name, readText(decodeFormText(only.value), types)); // A plain scalar is always read like this.
      return;
    }
    const decoded = decodeField(field, only, entries, URLENCODED_READERS);
    if (decoded !== undefined) setOwn(value, name, decoded.value);
  });
  return value;
}

interface FormPlan {
  readonly encoding: FormEncoding;
  readonly declared: ReadonlySet<string>;
  /** The properties whose own properties are fields of the form (exploded objects of `style: form`). */
  readonly exploded: readonly string[];
  /** The names of all declared properties, including those of spread objects. */
  readonly claimed: ReadonlySet<string>;
}

function decodePairs<P extends Pair>(
  pairs: readonly P[],
  { encoding, declared, claimed, exploded }: FormPlan,
  reader: FormReader<P>,
  readers: FieldReaders<P>,
): Decoded {
  const members: Member[] = [];
  let remaining = pairs;
  for (const name of exploded) {
    const target = { name, shape: encoding.shape.property(name), claimed };
    const decoded = decodeExploded(pairs, target, readers.text);
    if (decoded !== undefined) {
      members.push([name, decoded]);
      if (jsonType(decoded.value) !== OBJECT) continue;
      remaining = remaining.filter(({ name }) => declared.has(name) || !isMember(name, target));
    }
  }
  reader.addPairs(remaining);
  return decodeFields(reader, readers, members);
}

export interface FormDecoder {
  decode(fields: FormFields): Decoded;
  /** Decodes the value without its texts, which is faster. */
  decodeValue(fields: FormFields): Json;
}

const ESCAPED_NAMES = new FormNames(decodeFormText);
const PLAIN_NAMES = new FormNames((name) => name);

/** Compiles a decoder of form bodies to objects (semantics, section 3), by the shapes of properties and `encoding`. */
export function compileFormBody(encoding: FormEncoding): FormDecoder {
  const { shape, properties } = encoding;
  const declared = shape.propertyNames;
  const exploded = Object.keys(properties).filter((name) =>
    findFieldPlan(encoding, name).kind === "exploded" && (shape.property(name).types & OBJECT) !== 0
  );
  const explodedNames = exploded.flatMap((name) => [...shape.property(name).propertyNames]);
  const claimed = new Set([...declared, ...explodedNames]);
  const plan: FormPlan = { encoding, declared, exploded, claimed };
  const names = exploded.length > 0 ? PLAIN_NAMES : ESCAPED_NAMES;
  const urlencoded = new FormReader<TextPair>(plan, names);
  const multipart = new FormReader<Part>(plan, PLAIN_NAMES);
  const decode = (fields: FormFields): Decoded => {
    if (fields.kind === "multipart") {
      return decodePairs(fields.pairs, plan, multipart, MULTIPART_READERS);
    }
    if (exploded.length > 0) return decodePairs(fields.pairs, plan, urlencoded, URLENCODED_READERS);
    urlencoded.addText(fields.text);
    return decodeFields(urlencoded, URLENCODED_READERS);
  };
  const decodeValue = (fields: FormFields): Json => {
    if (fields.kind === "multipart" || exploded.length > 0) return decode(fields).value;
    urlencoded.addText(fields.text);
    return fieldValues(urlencoded);
  };
  return { decode, decodeValue };
}

/** Compiles a decoder for one `in: formData` parameter (Swagger 2.0), which returns undefined if the form lacks it. */
export function compileFormField(
  { name, shape, formats }: Pick<CollectionEncoding, "name" | "shape" | "formats">,
): (fields: FormFields) => Decoded | undefined {
  const layout = collectionLayout(formats, true);
  return (fields) =>
    fields.kind === "urlencoded"
      ? decodeCollection(pairsNamed(fields.pairs, name), shape, layout, URLENCODED_READERS.text)
      : decodeCollection(pairsNamed(fields.pairs, name), shape, layout, MULTIPART_READERS.text);
}
