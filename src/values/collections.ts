/** Appends any number of items. As arguments of `push`, all of them would have to fit on the stack. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

export function appendTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Replaces `Map.groupBy()`, which Node.js 20 lacks: projects whose test runners use Node.js 20 load this code. */
export function groupItems<Key, Item>(
  items: Iterable<Item>,
  key: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) appendTo(groups, key(item), item);
  return groups;
}

export function sortByName<Value>(table: ReadonlyMap<string, Value>): (readonly [string, Value])[] {
  return [...table].sort(([a], [b]) => compareText(a, b));
}

/** Takes up to `count` items, and requests no more from the iterator. */
export function takeFirst<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count <= 0) return taken;
  for (const item of items) if (taken.push(item) === count) break;
  return taken;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export function findBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first = 0] = wanted;
  let start = bytes.indexOf(first, from);
  while (start !== -1 && wanted.some((byte, offset) => bytes[start + offset] !== byte)) {
    start = bytes.indexOf(first, start + 1);
  }
  return start;
}

export function getOrAdd<Key, Value>(
  values: {
    get(key: Key): Value | undefined;
    set(key: Key, value: Value): unknown;
  },
  key: Key,
  make: () => Value,
): Value {
  let value = values.get(key);
  if (value === undefined) values.set(key, value = make());
  return value;
}

/** Pairs items, in their order, by several keys in turn, the most exact first; each item is in at most one pair. */
export function pairByKeys<First, Second>(
  first: readonly First[],
  second: readonly Second[],
  keys: readonly (readonly [key: (item: First) => string, otherKey: (item: Second) => string])[],
): Map<First, Second> {
  const pairs = new Map<First, Second>();
  let [firsts, seconds] = [first, second];
  for (const [key, otherKey] of keys) {
    if (firsts.length === 0 || seconds.length === 0) break;
    const unpaired = groupItems(seconds.toReversed(), otherKey);
    for (const item of firsts) {
      const other = unpaired.get(key(item))?.pop();
      if (other !== undefined) pairs.set(item, other);
    }
    const paired = new Set(pairs.values());
    firsts = firsts.filter((item) => !pairs.has(item));
    seconds = seconds.filter((item) => !paired.has(item));
  }
  return pairs;
}

/** Sets an own property of any name: assigning to `__proto__` would change the prototype. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

/** Compares texts by UTF-16 units, so that the order is the same on every platform and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares objects by the first of the named members that differs; texts by UTF-16 units, the same in every locale. */
export function byMembers<Entry>(
  names: readonly (keyof Entry)[],
): (one: Entry, other: Entry) => number {
  return (one, other) => {
    for (const name of names) {
      if (one[name] !== other[name]) return one[name] < other[name] ? -1 : 1;
    }
    return 0;
  };
}

/** The approximate number of UTF-16 units that are written at a time. */
const CHUNK_LENGTH = 1 << 20;

/** Splits long texts and joins short ones, because each write has a cost; never splits a surrogate pair. */
export function* rechunk(parts: Iterable<string>): Generator<string> {
  let pending = "";
  for (const part of parts) {
    if (pending.length + part.length <= CHUNK_LENGTH) {
      pending += part;
      continue;
    }
    if (pending !== "") yield pending;
    pending = "";
    let start = 0;
    while (part.length - start > CHUNK_LENGTH) {
      const last = part.charCodeAt(start + CHUNK_LENGTH - 1);
      const end = start + CHUNK_LENGTH - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
      yield part.slice(start, end);
      start = end;
    }
    pending = part.slice(start);
  }
  if (pending !== "") yield pending;
}
