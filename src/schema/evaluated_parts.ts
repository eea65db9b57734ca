/** The properties and items that were evaluated at one instance (JSON Schema 2020-12, sections 11.2 and 11.3). */
export class EvaluatedParts {
  allProperties = false;
  allItems = false;
  /** All items before this index were evaluated. */
  itemsBefore = 0;
  #properties: Set<string> | undefined;
  #items: Set<number> | undefined;
  /** Merged objects whose properties and items have not been added to the sets yet. */
  #merged: EvaluatedParts[] | undefined;

  addProperty(name: string): void {
    (this.#properties ??= new Set()).add(name);
  }

  addItem(index: number): void {
    (this.#items ??= new Set()).add(index);
  }

  hasProperty(name: string): boolean {
    if (this.allProperties) return true;
    if (this.#merged !== undefined) this.#addMerged(this.#merged);
    return this.#properties?.has(name) === true;
  }

  hasItem(index: number): boolean {
    if (this.allItems || index < this.itemsBefore) return true;
    if (this.#merged !== undefined) this.#addMerged(this.#merged);
    return this.#items?.has(index) === true;
  }

  /** Adds the marks of a subschema that applies in place, which must not change any more. */
  merge(other: EvaluatedParts): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    this.itemsBefore = Math.max(this.itemsBefore, other.itemsBefore);
    (this.#merged ??= []).push(other);
  }

  #addMerged(merged: readonly EvaluatedParts[]): void {
    this.#merged = undefined;
    const visited = new Set<EvaluatedParts>();
    const open = [...merged];
    for (let other = open.pop(); other !== undefined; other = open.pop()) {
      if (visited.has(other)) continue;
      visited.add(other);
      for (const name of other.#properties ?? []) this.addProperty(name);
      for (const index of other.#items ?? []) this.addItem(index);
      open.push(...other.#merged ?? []);
    }
  }
}
