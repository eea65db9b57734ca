import { setOwn } from "../values/collections.ts";
import type { Json, RawText } from "../values/json.ts";
import { ANY_NUMBER, BOOLEAN } from "../values/json_type.ts";

export interface Decoded {
  readonly value: Json;
  /** The text that examples are compared with as well. */
  readonly raw: RawText;
}

export function decodedWhole(text: string, value: Json): Decoded {
  return { value, raw: { text, parts: undefined } };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads text as the value that the types suggest (semantics, section 3, "Text values"); no text is null. */
export function readText(text: string, types: number): Json {
  if ((types & ANY_NUMBER) !== 0 && JSON_NUMBER.test(text)) return Number(text);
  if ((types & BOOLEAN) !== 0) {
    if (text === "true") return true;
    if (text === "false") return false;
  }
  return text;
}

/** Reads text as {@linkcode readText} does and keeps the text beside the value. */
export function decodeText(text: string, types: number): Decoded {
  return decodedWhole(text, readText(text, types));
}

export type Member = readonly [name: string, decoded: Decoded];

/** The texts of an object's properties: put together when asked for, as few values are compared with examples. */
class ObjectText implements RawText {
  readonly text: string | undefined;
  readonly #members: readonly Member[];
  #parts: Readonly<Record<string, RawText>> | undefined;

  constructor(text: string | undefined, members: readonly Member[]) {
    this.text = text;
    this.#members = members;
  }

  get parts(): Readonly<Record<string, RawText>> {
    return this.#parts ??= this.#build();
  }

  #build(): Readonly<Record<string, RawText>> {
    const parts: Record<string, RawText> = {};
    for (const [name, decoded] of this.#members) {
      if (!Object.hasOwn(parts, name)) setOwn(parts, name, decoded.raw);
    }
    return parts;
  }
}

/** The texts of an array's items, likewise. */
class ArrayText implements RawText {
  readonly text: string | undefined;
  readonly #items: readonly Decoded[];
  #parts: readonly RawText[] | undefined;

  constructor(text: string | undefined, items: readonly Decoded[]) {
    this.text = text;
    this.#items = items;
  }

  get parts(): readonly RawText[] {
    return this.#parts ??= this.#items.map((item) => item.raw);
  }
}

/** Builds an object with the texts of its properties; a name that comes twice keeps its first value. */
export function decodedObject(members: readonly Member[], text: string | undefined): Decoded {
  const value: Record<string, Json> = {};
  for (const [name, decoded] of members) {
    if (!Object.hasOwn(value, name)) setOwn(value, name, decoded.value);
  }
  return { value, raw: new ObjectText(text, members) };
}

export function decodedArray(items: readonly Decoded[], text: string | undefined): Decoded {
  return { value: items.map((item) => item.value), raw: new ArrayText(text, items) };
}
