import { escapeToken, findMember, pointerTokens } from "../../values/json_pointer.ts";

/** The place where a part of a description is written. */
export interface Origin {
  /** The label of its file: empty for the description itself. */
  readonly label: string;
  readonly pointer: string;
}

/**
 * Where the entries of a description are written after overlays changed it. Only entries that aren't where their object
 * or list is are noted; all others follow from these.
 */
export class Origins {
  readonly #moved = new Map<object, Map<string, Origin>>();

  /** The origin of an entry of an object or list that is written at `own`. */
  entry(container: object, key: string | number, own: Origin): Origin {
    return this.#moved.get(container)?.get(String(key)) ??
      { label: own.label, pointer: `${own.pointer}/${escapeToken(String(key))}` };
  }

  set(container: object, key: string | number, origin: Origin): void {
    let entries = this.#moved.get(container);
    if (entries === undefined) this.#moved.set(container, entries = new Map());
    entries.set(String(key), origin);
  }

  /** Takes over where the entries of an object or list are written for a copy of it. */
  copy(from: object, to: object): void {
    const entries = this.#moved.get(from);
    if (entries !== undefined) this.#moved.set(to, new Map(entries));
  }

  /** Has items follow their places in a list that loses some; to be called before they go. */
  removeItems(list: readonly unknown[], removed: ReadonlySet<string>, own: Origin): void {
    const kept = list.flatMap((_, index) =>
      removed.has(String(index)) ? [] : [this.entry(list, index, own)]
    );
    this.#moved.set(list, new Map(kept.map((origin, index) => [String(index), origin])));
  }

  removeMember(object: object, key: string): void {
    this.#moved.get(object)?.delete(key);
  }

  /** Where what a pointer leads to in the changed description is written. */
  locate(root: unknown, tokens: readonly (string | number)[]): Origin {
    let value = root;
    let origin: Origin = { label: "", pointer: "" };
    for (const token of tokens) {
      origin = typeof value === "object" && value !== null
        ? this.entry(value, token, origin)
        : { label: origin.label, pointer: `${origin.pointer}/${escapeToken(String(token))}` };
      value = findMember(value, String(token));
    }
    return origin;
  }

  locatePointer(root: unknown, pointer: string): Origin {
    return this.locate(root, pointerTokens(pointer));
  }
}
