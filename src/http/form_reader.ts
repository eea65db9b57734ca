import type { DeepEntry } from "./deep_object.ts";
import type { FormEncoding } from "./encoding.ts";
import type { FormNames } from "./form_names.ts";
import { fieldName, type FieldPlan, type FormName, planOf } from "./form_plan.ts";
import type { Named } from "./pair_reader.ts";
import type { TextPair } from "./query_string.ts";
import type { Shape } from "./shape.ts";

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly shape: Shape;
  readonly plan: FieldPlan;
}

/** The data shared by all names that lead to one field. */
interface ReadField<P extends Named> extends FormField {
  /** The first pair that carries it, where that has its plain name. */
  first: P | undefined;
  /** All pairs that carry it, where there are several, or one whose name has brackets. */
  entries: DeepEntry<P>[] | undefined;
}

/**
 * Takes a field that a form carries: the only pair of its plain name, else all its pairs. Of the two, one is there.
 */
export type TakeField<P extends Named> = (
  field: FormField,
  only: P | undefined,
  entries: readonly DeepEntry<P>[],
) => void;

/** A name in a form, with the field that it leads to. */
interface ReadName<P extends Named> {
  /** The name as it is sent. */
  readonly text: string;
  readonly name: string;
  /** Undefined if its field is made of pairs of other names, so that nothing under its own name carries it. */
  readonly field: ReadField<P> | undefined;
  readonly path: readonly string[];
  /** The name that followed it last time: clients repeat the order of their fields. */
  next: ReadName<P> | undefined;
}

/** The most names that are remembered; hostile traffic can make up any number. */
const NAMES_KEPT = 1000;
const EQUALS = 61;
const NO_ENTRIES: readonly never[] = [];

/** Sorts the pairs of forms by their fields. What names stand for is remembered: they come again with every request. */
export class FormReader<P extends Named> {
  readonly #encoding: FormEncoding;
  /** The names of the declared properties. */
  readonly #declared: ReadonlySet<string>;
  /** The properties whose own properties are fields of the form. */
  readonly #spread: readonly string[];
  readonly #known: FormNames;
  readonly #names = new Map<string, ReadName<P>>();
  readonly #fields = new Map<string, ReadField<P>>();
  /** The fields of the form, in the order of their first pairs. */
  #carried: ReadField<P>[] = [];
  #first: ReadName<P> | undefined;

  /** Prepares reading forms of one encoding. */
  constructor(
    encoding: FormEncoding,
    declared: ReadonlySet<string>,
    spread: readonly string[],
    names: FormNames,
  ) {
    this.#encoding = encoding;
    this.#declared = declared;
    this.#spread = spread;
    this.#known = names;
  }

  /** Takes the pairs of a form. */
  takePairs(pairs: readonly P[]): void {
    this.#forget();
    for (const pair of pairs) this.#take(this.#named(pair.name), pair);
  }

  /** Takes the pairs of an urlencoded form, as `splitQuery` would split it. */
  takeText(this: FormReader<TextPair>, text: string): void {
    this.#forget();
    let last: ReadName<TextPair> | undefined;
    let equals = text.indexOf("=");
    for (let start = 0; start < text.length;) {
      let name = expectedName(text, start, last === undefined ? this.#first : last.next);
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
          name = this.#named(text.slice(start, split));
          if (last === undefined) this.#first = name;
          else last.next = name;
        }
      }
      if (end > start && name !== undefined) {
        this.#take(name, { name: name.name, value: text.slice(split + 1, end) });
        last = name;
      }
      start = end + 1;
    }
  }

  /** Gives the fields that were taken, in the order of their first pairs, and keeps nothing of them. */
  giveFields(give: TakeField<P>): void {
    for (const field of this.#carried) {
      const { first, entries } = field;
      give(field, entries === undefined ? first : undefined, entries ?? NO_ENTRIES);
    }
    this.#forget();
    if (this.#names.size > NAMES_KEPT) {
      this.#names.clear();
      this.#fields.clear();
      this.#first = undefined;
    }
  }

  /** Forgets the form, also one that could not be decoded to its end. */
  #forget(): void {
    for (const field of this.#carried) field.first = field.entries = undefined;
    this.#carried = [];
  }

  #take({ field, path }: ReadName<P>, pair: P): void {
    if (field === undefined) return;
    const { first, entries } = field;
    if (entries !== undefined) entries.push({ path, pair });
    else if (first !== undefined) field.entries = [{ path: [], pair: first }, { path, pair }];
    else {
      this.#carried.push(field);
      if (path.length === 0) field.first = pair;
      else field.entries = [{ path, pair }];
    }
  }

  #named(text: string): ReadName<P> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#nameOf(this.#known.of(text));
      this.#names.set(name.text, name);
    }
    return name;
  }

  #nameOf(sent: FormName): ReadName<P> {
    const { name, path } = fieldName(sent, this.#encoding, this.#declared);
    let field = this.#fields.get(name);
    if (field === undefined && !this.#spread.includes(name)) {
      const shape = this.#encoding.shape.property(name);
      const plan = planOf(this.#encoding, name);
      field = { name, shape, plan, first: undefined, entries: undefined };
      this.#fields.set(name, field);
    }
    return { text: sent.text, name: sent.name, field, path, next: undefined };
  }
}

/** So many names are tried in the order in which they came before: clients leave out fields. */
const TRIED = 4;

/** The name that stands at a place, of those that followed each other before; undefined if it is another. */
function expectedName<P extends Named>(
  text: string,
  start: number,
  first: ReadName<P> | undefined,
): ReadName<P> | undefined {
  let name = first;
  for (let tried = 0; tried < TRIED && name !== undefined; tried++, name = name.next) {
    if (isNamed(text, start, name.text)) return name;
  }
  return undefined;
}

function isNamed(text: string, start: number, name: string): boolean {
  return text.charCodeAt(start + name.length) === EQUALS && text.startsWith(name, start);
}

function endOfPair(text: string, start: number): number {
  const ampersand = text.indexOf("&", start);
  return ampersand === -1 ? text.length : ampersand;
}
