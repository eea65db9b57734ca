import { compareText } from "./smallest.ts";

/** A segment of path templates that has text around its templates, and what follows it. */
export interface MixedEdge<T> {
  /** The texts around the templates; one more than there are templates. */
  readonly texts: readonly string[];
  /** Characters outside the templates: the more, the more specific. */
  readonly weight: number;
  /** The texts as one, to tell edges apart. */
  readonly key: string;
  /** The node that follows. */
  readonly node: T;
}

/** Up to this many edges are tried one by one; of more, only those that begin and end like the segment are looked up. */
const FEW = 8;

/** Compares edges by their contents, so that other routes and their order cannot change a match. */
function compareEdges<T>(a: MixedEdge<T>, b: MixedEdge<T>): number {
  return b.weight - a.weight || textAt(b, 0).length - textAt(a, 0).length ||
    compareText(a.key, b.key);
}

function textAt<T>(edge: MixedEdge<T>, index: number): string {
  return edge.texts.at(index) ?? "";
}

/** The edges by how they begin and end. */
interface EdgeIndex<T> {
  /** The lengths of the first and the last text, as they come together. */
  readonly lengths: readonly (readonly [first: number, last: number])[];
  /** The edges of a first and a last text, each with its place in the order. */
  readonly edges: ReadonlyMap<string, readonly (readonly [order: number, edge: MixedEdge<T>])[]>;
}

/** The segments with text around templates that are possible at one place of paths, the most specific first. */
export class MixedEdges<T> {
  readonly #byKey = new Map<string, MixedEdge<T>>();
  #sorted: readonly MixedEdge<T>[] | undefined;
  #index: EdgeIndex<T> | undefined;

  /** The node for a segment with these texts; created if missing. */
  follow(texts: readonly string[], make: () => T): T {
    const key = JSON.stringify(texts);
    let edge = this.#byKey.get(key);
    if (edge === undefined) {
      let weight = 0;
      for (const text of texts) weight += text.length;
      edge = { texts, weight, key, node: make() };
      this.#byKey.set(key, edge);
      this.#sorted = this.#index = undefined;
    }
    return edge.node;
  }

  /** The edges that a segment may fit, the most specific first. */
  candidates(segment: string): readonly MixedEdge<T>[] {
    const sorted = this.#sorted ??= [...this.#byKey.values()].sort(compareEdges);
    if (sorted.length <= FEW) return sorted;
    const { lengths, edges } = this.#index ??= indexOf(sorted);
    const found: (readonly [number, MixedEdge<T>])[] = [];
    for (const [first, last] of lengths) {
      if (first + last >= segment.length) continue; // a template takes one character or more
      const ends = keyOf(segment.slice(0, first), segment.slice(segment.length - last));
      for (const fitting of edges.get(ends) ?? []) found.push(fitting);
    }
    return found.sort(([left], [right]) => left - right).map(([, edge]) => edge);
  }
}

function keyOf(first: string, last: string): string {
  return `${first.length} ${first}${last}`;
}

function indexOf<T>(sorted: readonly MixedEdge<T>[]): EdgeIndex<T> {
  const lengths = new Map<string, readonly [number, number]>();
  const edges = new Map<string, [number, MixedEdge<T>][]>();
  for (const [order, edge] of sorted.entries()) {
    const [first, last] = [textAt(edge, 0), textAt(edge, -1)];
    lengths.set(`${first.length} ${last.length}`, [first.length, last.length]);
    const key = keyOf(first, last);
    const same = edges.get(key);
    if (same === undefined) edges.set(key, [[order, edge]]);
    else same.push([order, edge]);
  }
  return { lengths: [...lengths.values()], edges };
}
