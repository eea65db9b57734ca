import { appendTo, compareText, getOrAdd } from "../values/collections.ts";
import { matchTemplates, type PathTemplate } from "./path_template.ts";
import { decodedSegment, rawOffsets, type SplitPath } from "./request_target.ts";

/** A path segment with text around its templates, and the subtree after it. */
interface PartialTemplate<T> {
  /** The texts around the templates; one more than there are templates. */
  readonly texts: readonly string[];
  /** The number of characters outside templates; a larger number is more specific. */
  readonly weight: number;
  readonly key: string;
  readonly node: T;
}

/** Up to this many edges are tried one by one; beyond, an index finds those with the segment's first and last text. */
const MAX_UNINDEXED = 8;

/** Compares edges only by their contents, so that neither other routes nor their order affect a match. */
function compareEdges<T>(a: PartialTemplate<T>, b: PartialTemplate<T>): number {
  return b.weight - a.weight || textAt(b, 0).length - textAt(a, 0).length ||
    compareText(a.key, b.key);
}

function textAt<T>(edge: PartialTemplate<T>, index: number): string {
  return edge.texts.at(index) ?? "";
}

interface EdgeIndex<T> {
  /** The distinct pairs of lengths of the first and the last text. */
  readonly lengths: readonly (readonly [first: number, last: number])[];
  /** Edges by first and last text, each with its position in the sorted list. */
  readonly edges: ReadonlyMap<
    string,
    readonly (readonly [order: number, edge: PartialTemplate<T>])[]
  >;
}

class PartialTemplates<T> {
  readonly #byKey = new Map<string, PartialTemplate<T>>();
  #sorted: readonly PartialTemplate<T>[] | undefined;
  #index: EdgeIndex<T> | undefined;

  /** Returns the node after a segment with these texts; creates it if necessary. */
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

  /** Returns the edges that a segment may match, most specific first. */
  candidates(segment: string): readonly PartialTemplate<T>[] {
    const sorted = this.#sorted ??= [...this.#byKey.values()].sort(compareEdges);
    if (sorted.length <= MAX_UNINDEXED) return sorted;
    const { lengths, edges } = this.#index ??= indexEdges(sorted);
    const matches: (readonly [number, PartialTemplate<T>])[] = [];
    for (const [first, last] of lengths) {
      if (first + last >= segment.length) continue; // a template matches at least one character
      const ends = edgeKey(segment.slice(0, first), segment.slice(segment.length - last));
      for (const candidate of edges.get(ends) ?? []) matches.push(candidate);
    }
    return matches.sort(([left], [right]) => left - right).map(([, edge]) => edge);
  }
}

function edgeKey(first: string, last: string): string {
  return `${first.length} ${first}${last}`;
}

function indexEdges<T>(sorted: readonly PartialTemplate<T>[]): EdgeIndex<T> {
  const lengths = new Map<string, readonly [number, number]>();
  const edges = new Map<string, [number, PartialTemplate<T>][]>();
  for (const [order, edge] of sorted.entries()) {
    const [first, last] = [textAt(edge, 0), textAt(edge, -1)];
    lengths.set(`${first.length} ${last.length}`, [first.length, last.length]);
    const key = edgeKey(first, last);
    appendTo(edges, key, [order, edge]);
  }
  return { lengths: [...lengths.values()], edges };
}

/** A route that ends at a node. There are few per node, so a linked list is faster than a map. */
interface Leaf {
  readonly method: string;
  readonly route: number;
  next: Leaf | null;
}

export interface RouteTrie {
  /** The literal segment that was added first. Most nodes have only one, so they need no map. */
  text: string;
  literal: RouteTrie | null;
  literals: Map<string, RouteTrie> | null;
  mixed: PartialTemplates<RouteTrie> | null;
  template: RouteTrie | null;
  /** The first route that ends here without a trailing slash; `slashed` is with one. */
  unslashed: Leaf | null;
  slashed: Leaf | null;
}

export function emptyTrie(): RouteTrie {
  return {
    text: "",
    literal: null,
    literals: null,
    mixed: null,
    template: null,
    unslashed: null,
    slashed: null,
  };
}

function literalChild(node: RouteTrie, text: string): RouteTrie {
  if (node.literal === null) {
    node.text = text;
    return node.literal = emptyTrie();
  }
  if (node.text === text) return node.literal;
  node.literals ??= new Map();
  return getOrAdd(node.literals, text, emptyTrie);
}

/** Adds a route. Returns the first route with the same method and path, which represents all others. */
export function addRoute(
  trie: RouteTrie,
  template: PathTemplate,
  method: string,
  route: number,
): number {
  let node = trie;
  for (const segment of template.segments) {
    if (segment.kind === "literal") node = literalChild(node, segment.text);
    else if (segment.kind === "mixed") {
      node = (node.mixed ??= new PartialTemplates()).follow(segment.texts, emptyTrie);
    } else node = node.template ??= emptyTrie();
  }
  const added: Leaf = { method, route, next: null };
  let leaf = template.trailingSlash ? node.slashed : node.unslashed;
  if (leaf === null) {
    if (template.trailingSlash) node.slashed = added;
    else node.unslashed = added;
    return route;
  }
  while (leaf.method !== method && leaf.next !== null) leaf = leaf.next;
  if (leaf.method === method) return leaf.route;
  leaf.next = added;
  return route;
}

/** Chooses among the routes that a route represents; -1 if the request matches none of them. */
export type ChooseRoute = (route: number) => number;

function pickRoute(first: Leaf | null, method: string | null, choose: ChooseRoute | null): number {
  for (let leaf = first; leaf !== null; leaf = leaf.next) {
    if (method === null || leaf.method === method) {
      return choose === null ? leaf.route : choose(leaf.route);
    }
  }
  return -1;
}

function routeAtEnd(
  node: RouteTrie,
  trailingSlash: boolean,
  method: string | null,
  choose: ChooseRoute | null,
): number {
  const exact = pickRoute(trailingSlash ? node.slashed : node.unslashed, method, choose);
  return exact >= 0
    ? exact
    : pickRoute(trailingSlash ? node.unslashed : node.slashed, method, choose);
}

function pushCaptures(
  raw: string,
  decoded: string,
  bounds: readonly number[],
  captures: (string | undefined)[],
): void {
  const offsets = raw === decoded ? null : rawOffsets(raw, decoded);
  for (let index = 0; index < bounds.length; index += 2) {
    const from = bounds[index] ?? 0;
    const to = bounds[index + 1] ?? 0;
    captures.push(offsets === null ? raw.slice(from, to) : raw.slice(offsets[from], offsets[to]));
  }
}

/**
 * Finds the route of a path from the segment at `depth` on. Decided left to right: a literal segment precedes one with
 * text around templates (most text first, then most text before the first template), which precedes a single template.
 * Then a matching trailing slash precedes a missing or extra one. Only routes with `method` count (null for any), and
 * of these the ones that `choose` returns. Returns the route's index or -1, and pushes the texts of the templates to
 * `captures`, as written in the URL.
 */
export function findRoute(
  node: RouteTrie,
  path: SplitPath,
  depth: number,
  method: string | null,
  captures: (string | undefined)[],
  choose: ChooseRoute | null,
): number {
  if (depth === path.raw.length) return routeAtEnd(node, path.trailingSlash, method, choose);
  const raw = path.raw[depth] ?? "";
  if (node.literal !== null) {
    const decoded = decodedSegment(path, depth);
    const literal = node.text === decoded ? node.literal : node.literals?.get(decoded);
    if (literal !== undefined) {
      const route = findRoute(literal, path, depth + 1, method, captures, choose);
      if (route >= 0) return route;
    }
  }
  if (raw === "") return -1;
  const captureCount = captures.length;
  if (node.mixed !== null) {
    const decoded = decodedSegment(path, depth);
    for (const edge of node.mixed.candidates(decoded)) {
      const bounds = matchTemplates(edge.texts, decoded);
      if (bounds === null) continue;
      pushCaptures(raw, decoded, bounds, captures);
      const route = findRoute(edge.node, path, depth + 1, method, captures, choose);
      if (route >= 0) return route;
      captures.length = captureCount;
    }
  }
  if (node.template !== null) {
    captures.push(raw);
    const route = findRoute(node.template, path, depth + 1, method, captures, choose);
    if (route >= 0) return route;
    captures.length = captureCount;
  }
  return -1;
}
