import { decideComponents, type ReachedVertex } from "./components.ts";
import type { SchemaGraph, SchemaNode } from "./schema_node.ts";

/** Names that a schema has, by itself or through others. */
type NameSet =
  | ReadonlySet<string>
  /** Those that it adds to others, where a set of all would be too large to hold. */
  | { readonly own: ReadonlySet<string>; readonly others: readonly NameSet[] };

const NONE: ReadonlySet<string> = new Set();

/**
 * The names that schemas have by themselves and through all schemas that they lead to.
 *
 * Each schema is asked once, however many lead to it, and shares the set of one that it leads to where it adds nothing to
 * it. Where every schema of a chain adds a name, the sets together have the square of its length: beyond
 * {@linkcode SchemaGraph.namesToHold} names, a set holds what it adds to others alone, and all of them are collected each
 * time it is asked for. So memory stays in proportion to the description; each of these questions takes as many steps as
 * the chain is long.
 */
export class ReachableNames {
  readonly #namesOf: (node: SchemaNode) => Iterable<string>;
  readonly #partsOf: (node: SchemaNode) => readonly SchemaNode[];
  readonly #known = new WeakMap<SchemaNode, NameSet>();

  /** Takes what gives a schema's own names, and the schemas that it leads to. */
  constructor(
    namesOf: (node: SchemaNode) => Iterable<string>,
    partsOf: (node: SchemaNode) => readonly SchemaNode[],
  ) {
    this.#namesOf = namesOf;
    this.#partsOf = partsOf;
  }

  /** The names of a schema and of all that it leads to. */
  of(node: SchemaNode): ReadonlySet<string> {
    decideComponents(node, {
      next: this.#partsOf,
      isDecided: (node) => this.#known.has(node),
      decide: (members) => this.#decide(members, node.graph),
    });
    return collected(this.#known.get(node) ?? NONE);
  }

  #decide(members: readonly ReachedVertex<SchemaNode>[], graph: SchemaGraph): void {
    const own = new Set<string>();
    const others = new Set<NameSet>();
    for (const { vertex, next } of members) {
      for (const name of this.#namesOf(vertex)) own.add(name);
      for (const part of next) {
        const names = this.#known.get(part); // undefined within the component
        if (names !== undefined && names !== NONE) others.add(names);
      }
    }
    const names = joined(own, [...others], graph);
    for (const { vertex } of members) this.#known.set(vertex, names);
  }
}

function joined(own: ReadonlySet<string>, others: readonly NameSet[], graph: SchemaGraph): NameSet {
  const [only] = others;
  if (only === undefined) return own.size === 0 ? NONE : own;
  if (own.size === 0 && others.length === 1) return only;
  const apart = { own, others };
  if (!others.every(isHeld)) return apart;
  const sets = [own, ...others].sort((one, other) => other.size - one.size);
  const [largest = own, ...smaller] = sets;
  if (smaller.every((names) => isWithin(names, largest))) return largest;
  const most = sets.reduce((sum, { size }) => sum + size, 0);
  if (most > graph.namesToHold) return apart;
  const all = new Set(largest);
  for (const names of smaller) for (const name of names) all.add(name);
  graph.namesToHold -= all.size;
  return all;
}

function isHeld(names: NameSet): names is ReadonlySet<string> {
  return names instanceof Set;
}

function isWithin(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const name of names) if (!others.has(name)) return false;
  return true;
}

/** The names as one set. */
function collected(names: NameSet): ReadonlySet<string> {
  if (isHeld(names)) return names;
  const found = new Set<string>();
  const open = new Set<NameSet>([names]);
  for (const names of open) { // those that are added meanwhile too
    const { own, others } = isHeld(names) ? { own: names, others: [] } : names;
    for (const name of own) found.add(name);
    for (const other of others) open.add(other);
  }
  return found;
}
