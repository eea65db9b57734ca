/**
 * The fields of rows that travel in the page as one flat list of numbers: the writer adds rows and the reader gets
 * numbers by the names of these fields, so neither knows their positions.
 *
 * @example
 * ```ts
 * import { Rows } from "./rows.ts";
 * import assert from "node:assert/strict";
 *
 * const points = new Rows(["x", "y"]);
 * const list: number[] = [];
 * points.add(list, { x: 1, y: 2 });
 * points.add(list, { x: 3, y: 4 });
 * assert.deepEqual(list, [1, 2, 3, 4]);
 * assert.equal(points.get(list, 1, "y"), 4);
 * ```
 */
export class Rows<Field extends string> {
  readonly #fields: readonly Field[];
  readonly #offsets: Readonly<Record<Field, number>>;

  /** Takes the names of the fields, in the order in which their numbers are written. */
  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    this.#offsets = Object.fromEntries(
      fields.map((field, offset) => [field, offset]),
    ) as Record<Field, number>;
  }

  /** Appends a row to a list. */
  add(list: number[], row: Readonly<Record<Field, number>>): void {
    for (const field of this.#fields) list.push(row[field]);
  }

  /** The number of rows in a list. */
  count(list: readonly number[]): number {
    return list.length / this.#fields.length;
  }

  /** A field of a row, counted from 0; 0 if the list has no such row. */
  get(list: readonly number[], row: number, field: Field): number {
    return list[row * this.#fields.length + this.#offsets[field]] ?? 0;
  }

  /** Every row of a list as an object. */
  all(list: readonly number[]): Record<Field, number>[] {
    return Array.from({ length: this.count(list) }, (_, row) =>
      Object.fromEntries(
        this.#fields.map((field) => [field, this.get(list, row, field)]),
      ) as Record<Field, number>);
  }
}
