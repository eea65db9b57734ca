import type { JsonValue } from "./json_value.ts";

/**
 * The text that a decoded value was read from, in the structure of the value: examples compare with
 * either (semantics, section 6).
 */
export interface RawText {
  /**
   * The decoded text of this value: of a scalar, of a whole delimited list, of a value sent as JSON.
   * Absent where no single text stands for the value (repeated keys, objects of several fields).
   */
  readonly text: string | undefined;
  /**
   * The texts of the items or properties, beside those of the value; look properties up with
   * `Object.hasOwn`. Absent for scalars and below JSON.
   */
  readonly parts: readonly RawText[] | Readonly<Record<string, RawText>> | undefined;
}

/** A value with the text that it was read from. */
export interface Decoded {
  /** What the keywords are evaluated on. */
  readonly value: JsonValue;
  /** What examples compare with besides. */
  readonly raw: RawText;
}

/**
 * Sets an own property whatever its name is: assigning to `__proto__` would change the prototype instead.
 */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

/** The texts of an object's properties or an array's items: put together when asked for, as few have examples. */
class TextOfParts implements RawText {
  readonly text: string | undefined;
  readonly #build: () => RawText["parts"];
  #parts: RawText["parts"];

  constructor(text: string | undefined, build: () => RawText["parts"]) {
    this.text = text;
    this.#build = build;
  }

  get parts(): RawText["parts"] {
    return this.#parts ??= this.#build();
  }
}

/** Builds an object with the texts of its properties; a name that comes twice keeps its first value. */
export function decodedObject(
  members: Iterable<readonly [string, Decoded]>,
  text: string | undefined,
): Decoded {
  const value: Record<string, JsonValue> = {};
  const kept: (readonly [string, Decoded])[] = [];
  for (const member of members) {
    const [name, decoded] = member;
    if (Object.hasOwn(value, name)) continue;
    setOwn(value, name, decoded.value);
    kept.push(member);
  }
  const raw = new TextOfParts(text, () => {
    const parts: Record<string, RawText> = {};
    for (const [name, decoded] of kept) setOwn(parts, name, decoded.raw);
    return parts;
  });
  return { value, raw };
}

/** Builds an array with the texts of its items. */
export function decodedArray(items: readonly Decoded[], text: string | undefined): Decoded {
  return {
    value: items.map((item) => item.value),
    raw: new TextOfParts(text, () => items.map((item) => item.raw)),
  };
}
