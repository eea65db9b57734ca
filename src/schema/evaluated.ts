/** The properties and items that were evaluated at one instance (JSON Schema 2020-12, sections 11.2 and 11.3). */
export class Evaluated {
  /** True where every property was. */
  allProperties = false;
  /** True where every item was. */
  allItems = false;
  /** Items before this index were. */
  itemsBefore = 0;
  #properties: Set<string> | undefined;
  #items: Set<number> | undefined;

  /** Marks a property. */
  addProperty(name: string): void {
    (this.#properties ??= new Set()).add(name);
  }

  /** Marks an item. */
  addItem(index: number): void {
    (this.#items ??= new Set()).add(index);
  }

  /** Whether a property is marked. */
  hasProperty(name: string): boolean {
    return this.allProperties || this.#properties?.has(name) === true;
  }

  /** Whether an item is marked. */
  hasItem(index: number): boolean {
    return this.allItems || index < this.itemsBefore || this.#items?.has(index) === true;
  }

  /** Takes over what a subschema that applies in place has marked. */
  merge(other: Evaluated): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
    if (other.#properties !== undefined) {
      for (const name of other.#properties) this.addProperty(name);
    }
    if (other.#items !== undefined) {
      for (const index of other.#items) this.addItem(index);
    }
  }
}
