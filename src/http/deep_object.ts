import { ARRAY, NULL, OBJECT } from "../values/json_type.ts";
import {
  type Decoded,
  decodedArray,
  decodedObject,
  decodeOccurrences,
  type Member,
  type Pair,
  type PairReader,
} from "./decoded.ts";
import type { Shape } from "./shape.ts";

/** A pair with the bracketed keys of its name: `["b", ""]` for `a[b][]`. */
export interface DeepEntry<P extends Pair> {
  readonly path: readonly string[];
  readonly pair: P;
}

/** Deeper brackets, and deeper lists of lists, are ignored, so that no request can exhaust the stack. */
const MAX_DEPTH = 100;

const INDEX = /^(?:0|[1-9]\d*)$/;

/** True for `""` (as in `a[]`) and for indexes. */
export function isItemKey(key: string): boolean {
  return key === "" || INDEX.test(key);
}

/** Returns the bracketed keys after `root` characters (`["b", ""]` for `a[b][]` and 1); undefined if malformed. */
export function bracketPath(name: string, root: number): readonly string[] | undefined {
  const path: string[] = [];
  for (let start = root; start < name.length;) {
    const end = name.indexOf("]", start);
    if (name.charCodeAt(start) !== 91 || end === -1) return undefined;
    path.push(name.slice(start + 1, end));
    start = end + 1;
  }
  return path;
}

export function deepEntries<P extends Pair>(pairs: readonly P[], name: string): DeepEntry<P>[] {
  const entries: DeepEntry<P>[] = [];
  for (const pair of pairs) {
    if (pair.name.startsWith(name)) {
      const path = bracketPath(pair.name, name.length);
      if (path !== undefined) entries.push({ path, pair });
    }
  }
  return entries;
}

const MAX_SEARCHED_NAMES = 8;

class Node<P> {
  pairs: [P, ...P[]] | undefined = undefined;
  /** The names of the children, in the order of their first pairs; most nodes have none, or few. */
  names: string[] | undefined = undefined;
  children: Node<P>[] | undefined = undefined;
  appended: Node<P>[] | undefined = undefined;
  #table: Map<string, Node<P>> | undefined = undefined;

  find(name: string): Node<P> | undefined {
    const { names } = this;
    if (names === undefined) return undefined;
    const children = this.children ?? [];
    if (names.length <= MAX_SEARCHED_NAMES) {
      const index = names.indexOf(name);
      return index < 0 ? undefined : children[index];
    }
    this.#table ??= new Map(names.map((known, index) => [known, children[index] as Node<P>])); // Each name has a child.
    return this.#table.get(name);
  }

  add(name: string): Node<P> {
    const child = new Node<P>();
    if (this.names === undefined) {
      this.names = [name];
      this.children = [child];
    } else {
      this.names.push(name);
      this.children?.push(child);
      this.#table?.set(name, child);
    }
    return child;
  }
}

/** True if the path already has a value: then `a[][x]=` begins a new item (as Rails reads it). */
function hasValue<P>(node: Node<P>, path: readonly string[], from: number): boolean {
  let current: Node<P> | undefined = node;
  for (let index = from; index < path.length && current !== undefined; index++) {
    const key = path[index];
    if (key === undefined || key === "") return false;
    current = current.find(key);
  }
  return current !== undefined;
}

function findChild<P>(node: Node<P>, path: readonly string[], index: number): Node<P> {
  const key = path[index] ?? "";
  if (key === "") {
    const appended = node.appended ??= [];
    const last = appended.at(-1);
    if (last?.names !== undefined && !hasValue(last, path, index + 1)) return last;
    const child = new Node<P>();
    appended.push(child);
    return child;
  }
  return node.find(key) ?? node.add(key);
}

function insert<P extends Pair>(root: Node<P>, { path, pair }: DeepEntry<P>): void {
  let node = root;
  for (let index = 0; index < path.length; index++) node = findChild(node, path, index);
  if (node.pairs === undefined) node.pairs = [pair];
  else node.pairs.push(pair);
}

/** Returns the items in the order of their indexes, with gaps closed, then the appended items. */
function itemNodes<P>({ names, children, appended }: Node<P>): readonly Node<P>[] {
  if (names === undefined || children === undefined) return appended ?? [];
  let indexed = children;
  if (names.some((name, index) => name !== String(index))) {
    const order = names.flatMap((name, index) => INDEX.test(name) ? [{ name, index }] : []);
    order.sort((a, b) => Number(a.name) - Number(b.name));
    indexed = order.map(({ index }) => children[index] as Node<P>); // Each name has a child.
  }
  return appended === undefined ? indexed : [...indexed, ...appended];
}

function buildArray<P extends Pair>(
  nodes: readonly Node<P>[],
  shape: Shape,
  reader: PairReader<P>,
): Decoded {
  const items: Decoded[] = [];
  for (const node of nodes) {
    const item = build(node, shape.item(items.length), reader);
    if (item !== undefined) items.push(item);
  }
  return decodedArray(items, undefined);
}

function buildObject<P extends Pair>(node: Node<P>, shape: Shape, reader: PairReader<P>): Decoded {
  const members: Member[] = [];
  const { names = [], children = [], appended = [] } = node;
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string; // Each child has a name.
    const member = build(children[index] as Node<P>, shape.property(name), reader);
    if (member !== undefined) members.push([name, member]);
  }
  for (const child of appended) {
    const member = build(child, shape.property(""), reader);
    if (member !== undefined) members.push(["", member]);
  }
  return decodedObject(members, undefined);
}

/** True if a pair without brackets is a value: objects always have brackets, and null is never written. */
function readsText<P extends Pair>(types: number, reader: PairReader<P>): boolean {
  return (types & ~NULL) !== OBJECT || reader.readsObjects;
}

function build<P extends Pair>(
  node: Node<P>,
  shape: Shape,
  reader: PairReader<P>,
  depth = 0,
): Decoded | undefined {
  const { types } = shape;
  if (node.names !== undefined || node.appended !== undefined) {
    const allowsObject = types === 0 || (types & OBJECT) !== 0;
    if (types === 0 || (types & ARRAY) !== 0) {
      const items = itemNodes(node);
      const total = (node.names?.length ?? 0) + (node.appended?.length ?? 0);
      if (items.length === total || (!allowsObject && items.length > 0)) {
        return buildArray(items, shape, reader);
      }
    }
    if (allowsObject) return buildObject(node, shape, reader);
  }
  if (node.pairs === undefined || !readsText(types, reader)) return undefined;
  if ((types & ARRAY) === 0) return reader.read(node.pairs[0], shape); // Avoids creating the closure below.
  const buildItem = (pair: P, item: Shape): Decoded | undefined => {
    const single = new Node<P>();
    single.pairs = [pair];
    return depth < MAX_DEPTH ? build(single, item, reader, depth + 1) : undefined;
  };
  return decodeOccurrences(node.pairs, shape, reader, buildItem);
}

/** Decodes pairs with bracketed keys, as deep as the types allow; undefined if the types allow none of the pairs. */
export function decodeDeep<P extends Pair>(
  entries: readonly DeepEntry<P>[],
  shape: Shape,
  reader: PairReader<P>,
): Decoded | undefined {
  const [only] = entries;
  if (entries.length === 1 && only?.path.length === 0 && (shape.types & ARRAY) === 0) {
    // Shortcut: the tree would give the same result.
    return readsText(shape.types, reader) ? reader.read(only.pair, shape) : undefined;
  }
  const root = new Node<P>();
  for (const entry of entries) {
    if (entry.path.length <= MAX_DEPTH) insert(root, entry);
  }
  return build(root, shape, reader);
}
