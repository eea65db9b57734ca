import type { SchemaGraph, SchemaNode } from "./schema_node.ts";

type NameSet =
  | ReadonlySet<string>
  /** A schema's own names, and sets shared with others, where a joint set would take too much memory. */
  | { readonly own: ReadonlySet<string>; readonly shared: readonly NameSet[] };

const NONE: ReadonlySet<string> = new Set();

/** Finds the names of a schema and of all that it leads to; sets are shared along chains, so memory stays linear. */
export class ReachableNames {
  readonly #ownNames: (node: SchemaNode) => Iterable<string>;
  readonly #next: (node: SchemaNode) => readonly SchemaNode[];
  readonly #nameSets = new WeakMap<SchemaNode, NameSet>();

  constructor(
    ownNames: (node: SchemaNode) => Iterable<string>,
    next: (node: SchemaNode) => readonly SchemaNode[],
  ) {
    this.#ownNames = ownNames;
    this.#next = next;
  }

  find(node: SchemaNode): ReadonlySet<string> {
    decideComponents(node, {
      next: this.#next,
      isDecided: (node) => this.#nameSets.has(node),
      decide: (members) => this.#decide(members, node.graph),
    });
    return collectNames(this.#nameSets.get(node) ?? NONE);
  }

  #decide(members: readonly ReachedVertex<SchemaNode>[], graph: SchemaGraph): void {
    const own = new Set<string>();
    const shared = new Set<NameSet>();
    for (const { vertex, next } of members) {
      for (const name of this.#ownNames(vertex)) own.add(name);
      for (const part of next) {
        const names = this.#nameSets.get(part); // undefined within the component
        if (names !== undefined && names !== NONE) shared.add(names);
      }
    }
    const names = unite(own, [...shared], graph);
    for (const { vertex } of members) this.#nameSets.set(vertex, names);
  }
}

function unite(own: ReadonlySet<string>, shared: readonly NameSet[], graph: SchemaGraph): NameSet {
  const [only] = shared;
  if (only === undefined) return own.size === 0 ? NONE : own;
  if (own.size === 0 && shared.length === 1) return only;
  const separate: NameSet = { own, shared };
  if (!shared.every(isFlat)) return separate;
  const sets = [own, ...shared].sort((one, other) => other.size - one.size);
  const [largest = own, ...smaller] = sets;
  if (smaller.every((names) => isSubset(names, largest))) return largest;
  const total = sets.reduce((sum, { size }) => sum + size, 0);
  if (total > graph.nameBudget) return separate;
  const union = new Set(largest);
  for (const names of smaller) for (const name of names) union.add(name);
  graph.nameBudget -= union.size;
  return union;
}

function isFlat(names: NameSet): names is ReadonlySet<string> {
  return names instanceof Set;
}

function isSubset(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const name of names) if (!others.has(name)) return false;
  return true;
}

function collectNames(names: NameSet): ReadonlySet<string> {
  if (isFlat(names)) return names;
  const found = new Set<string>();
  const open = new Set<NameSet>([names]);
  for (const names of open) { // Includes sets that are added meanwhile.
    const { own, shared } = isFlat(names) ? { own: names, shared: [] } : names;
    for (const name of own) found.add(name);
    for (const other of shared) open.add(other);
  }
  return found;
}

export interface ReachedVertex<Vertex> {
  readonly vertex: Vertex;
  readonly next: readonly Vertex[];
}

export interface DecidableGraph<Vertex> {
  /** Returns the vertices that the edges of a vertex lead to; called once for each vertex. */
  next(vertex: Vertex): readonly Vertex[];
  isDecided(vertex: Vertex): boolean;
  /** Decides the vertices of a strongly connected component; all others that it leads to are decided already. */
  decide(members: readonly ReachedVertex<Vertex>[], isCycle: boolean): void;
}

interface Visit<Vertex> extends ReachedVertex<Vertex> {
  readonly order: number;
  readonly index: number;
  /** The lowest order among the vertices that it is known to lead back to. */
  lowLink: number;
  nextEdge: number;
}

/** Decides each strongly connected component after those that it leads to (Tarjan), without recursion. */
export function decideComponents<Vertex>(start: Vertex, graph: DecidableGraph<Vertex>): void {
  if (graph.isDecided(start)) return;
  const orders = new Map<Vertex, number>();
  /** Visited vertices whose component is not complete. */
  const candidates: Visit<Vertex>[] = [];
  const path: Visit<Vertex>[] = [];
  const enter = (vertex: Vertex): void => {
    const order = orders.size;
    orders.set(vertex, order);
    const index = candidates.length;
    const visit = { vertex, next: graph.next(vertex), order, index, lowLink: order, nextEdge: 0 };
    candidates.push(visit);
    path.push(visit);
  };
  enter(start);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    if (visit.nextEdge < visit.next.length) {
      const other = visit.next[visit.nextEdge++] as Vertex; // The index is below the length.
      if (graph.isDecided(other)) continue;
      const order = orders.get(other);
      if (order === undefined) enter(other);
      else visit.lowLink = Math.min(visit.lowLink, order);
      continue;
    }
    path.pop();
    const caller = path.at(-1);
    if (caller !== undefined) caller.lowLink = Math.min(caller.lowLink, visit.lowLink);
    if (visit.lowLink === visit.order) {
      const members = candidates.splice(visit.index);
      graph.decide(members, members.length > 1 || visit.next.includes(visit.vertex));
    }
  }
}
