import { MixedEdges } from "./mixed_edges.ts";
import { matchTemplates, type PathTemplate } from "./path_template.ts";
import { decodedSegment, rawOffsets, type SplitPath } from "./split_path.ts";

/** A route that ends at a place; they are few, so that going through them is faster than hashing. */
interface Leaf {
  readonly method: string;
  readonly route: number;
  /** The one that was added there after it. */
  next: Leaf | null;
}

/** A tree of path segments; the routes are at its leaves. */
export interface RouteTrie {
  /** The literal segment that was added first: the only one of most nodes, which then need not hash. */
  text: string;
  literal: RouteTrie | null;
  /** The others. */
  literals: Map<string, RouteTrie> | null;
  /** Those with text around templates. */
  mixed: MixedEdges<RouteTrie> | null;
  template: RouteTrie | null;
  /** The first route that ends here without a slash. */
  bare: Leaf | null;
  /** The first route that ends here with a slash. */
  slashed: Leaf | null;
}

/** A tree without routes. */
export function emptyTrie(): RouteTrie {
  return {
    text: "",
    literal: null,
    literals: null,
    mixed: null,
    template: null,
    bare: null,
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
  let child = node.literals.get(text);
  if (child === undefined) node.literals.set(text, child = emptyTrie());
  return child;
}

/** Adds a route; of two with the same method that match the same paths, the first one stays. */
export function addRoute(
  trie: RouteTrie,
  template: PathTemplate,
  method: string,
  route: number,
): void {
  let node = trie;
  for (const segment of template.segments) {
    if (segment.kind === "literal") node = literalChild(node, segment.text);
    else if (segment.kind === "mixed") {
      node = (node.mixed ??= new MixedEdges()).follow(segment.texts, emptyTrie);
    } else node = node.template ??= emptyTrie();
  }
  const added: Leaf = { method, route, next: null };
  let leaf = template.trailingSlash ? node.slashed : node.bare;
  if (leaf === null) {
    if (template.trailingSlash) node.slashed = added;
    else node.bare = added;
    return;
  }
  while (leaf.method !== method && leaf.next !== null) leaf = leaf.next;
  if (leaf.method !== method) leaf.next = added;
}

function routeOf(first: Leaf | null, method: string | null): number {
  for (let leaf = first; leaf !== null; leaf = leaf.next) {
    if (method === null || leaf.method === method) return leaf.route;
  }
  return -1;
}

function end(node: RouteTrie, trailingSlash: boolean, method: string | null): number {
  const exact = routeOf(trailingSlash ? node.slashed : node.bare, method);
  return exact >= 0 ? exact : routeOf(trailingSlash ? node.bare : node.slashed, method);
}

function capture(
  raw: string,
  decoded: string,
  bounds: readonly number[],
  captures: string[],
): void {
  const offsets = raw === decoded ? null : rawOffsets(raw, decoded);
  for (let index = 0; index < bounds.length; index += 2) {
    const from = bounds[index] ?? 0;
    const to = bounds[index + 1] ?? 0;
    captures.push(offsets === null ? raw.slice(from, to) : raw.slice(offsets[from], offsets[to]));
  }
}

/**
 * Finds the route of a path from the segment at `depth` on: a literal segment beats one with templates
 * inside text (of these the one with the most text, then with the most before its first template), which beats a template alone, decided left to right; then
 * an exact trailing slash beats a missing or added one. Only routes with the method count (any, where it
 * is null). Gives the route's number, or -1; what the templates matched is pushed to `captures`, as
 * written in the URL.
 */
export function findRoute(
  node: RouteTrie,
  path: SplitPath,
  depth: number,
  method: string | null,
  captures: string[],
): number {
  if (depth === path.raw.length) return end(node, path.trailingSlash, method);
  const raw = path.raw[depth] ?? "";
  if (node.literal !== null) {
    const decoded = decodedSegment(path, depth);
    const literal = node.text === decoded ? node.literal : node.literals?.get(decoded);
    if (literal !== undefined) {
      const route = findRoute(literal, path, depth + 1, method, captures);
      if (route >= 0) return route;
    }
  }
  if (raw === "") return -1;
  const kept = captures.length;
  if (node.mixed !== null) {
    const decoded = decodedSegment(path, depth);
    for (const edge of node.mixed.candidates(decoded)) {
      const bounds = matchTemplates(edge.texts, decoded);
      if (bounds === null) continue;
      capture(raw, decoded, bounds, captures);
      const route = findRoute(edge.node, path, depth + 1, method, captures);
      if (route >= 0) return route;
      captures.length = kept;
    }
  }
  if (node.template !== null) {
    captures.push(raw);
    const route = findRoute(node.template, path, depth + 1, method, captures);
    if (route >= 0) return route;
    captures.length = kept;
  }
  return -1;
}
