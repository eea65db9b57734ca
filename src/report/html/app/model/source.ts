import type { LinePosition, SourceFileName, SourceRegion } from "../../description_view.ts";
import { MISSED, type PageSource, POSITIONS } from "../../page_source.ts";

/** The description's text with the place of everything that counts. */
export class Source {
  readonly #data: PageSource;
  readonly #positions = new Map<string, LinePosition>();
  readonly #missed = new Map<string, readonly number[]>();

  /** Takes what the page's block holds. */
  constructor(data: PageSource) {
    this.#data = data;
    data.paths.forEach((path, index) => {
      const position = this.#at(index);
      if (position !== null) this.#positions.set(path, position);
    });
    for (const { operation, parameter, list } of MISSED.all(data.missed)) {
      this.#missed.set(`${operation} ${parameter}`, data.lists[list] ?? []);
    }
  }

  /** The files of the description. */
  get files(): readonly SourceFileName[] {
    return this.#data.files;
  }

  /** The position of a schema path; null if unknown. */
  positionOf(schema_path: string): LinePosition | null {
    return this.#positions.get(schema_path) ?? null;
  }

  /** The position of an operation and of its responses in their order. */
  positionsOfOperation(operation: number): readonly (LinePosition | null)[] {
    return (this.#data.operations[operation] ?? []).map((index) => this.#at(index));
  }

  /** The positions of the missing keywords and examples of a parameter that was never sent. */
  missed(operation: number, parameter: number): LinePosition[] {
    return (this.#missed.get(`${operation} ${parameter}`) ?? []).flatMap((index) =>
      this.#at(index) ?? []
    );
  }

  /** The numbers of the paths that a parameter misses that was never sent; the same list for all that share it. */
  missedList(operation: number, parameter: number): readonly number[] | undefined {
    return this.#missed.get(`${operation} ${parameter}`);
  }

  /** A schema path by its number. */
  path(number: number): string | undefined {
    return this.#data.paths[number];
  }

  /** The number of the region that holds a line; -1 where none does. */
  regionAt({ file, line }: LinePosition): number {
    const { regions } = this.#data;
    let [low, high] = [0, regions.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const region = regions[middle];
      const before = region !== undefined &&
        (region.file < file || (region.file === file && region.line <= line));
      if (before) low = middle;
      else high = middle - 1;
    }
    const found = regions[low];
    const inside = found !== undefined && found.file === file && found.line <= line;
    return inside ? low : -1;
  }

  /** A region by its number. */
  region(number: number): SourceRegion | undefined {
    return this.#data.regions[number];
  }

  #at(index: number): LinePosition | null {
    const { at } = this.#data;
    if (index < 0 || index >= POSITIONS.count(at)) return null;
    return { file: POSITIONS.get(at, index, "file"), line: POSITIONS.get(at, index, "line") };
  }
}
