type Methods = Record<string, (...args: unknown[]) => unknown>;

const WATCHED: readonly (readonly [object, readonly string[]])[] = [
  [Map.prototype, ["get", "set", "has"]],
  [Set.prototype, ["add", "has"]],
  [Array.prototype, ["includes", "indexOf", "find", "findIndex", "splice", "slice", "concat"]],
  [Array.prototype, ["some", "every", "filter", "map", "flatMap", "forEach", "reduce", "sort"]],
  [String.prototype, ["startsWith", "endsWith", "slice", "split", "charCodeAt", "codePointAt"]],
  [RegExp.prototype, ["exec"]],
];

/**
 * Counts the steps of some work, the same on any machine: calls of functions that look up in tables, and items
 * of lists that are searched, iterated or copied.
 */
export function countedWork(work: () => void): number {
  const end = startCounting();
  try {
    work();
  } finally {
    end();
  }
  return end();
}

/** {@linkcode countedWork} for asynchronous work; no other work may run in the meantime. */
export async function countedAsyncWork(work: () => Promise<void>): Promise<number> {
  const end = startCounting();
  try {
    await work();
  } finally {
    end();
  }
  return end();
}

/** Starts counting. Returns a function that stops and returns the steps. */
function startCounting(): () => number {
  let steps = 0;
  const undo: (() => void)[] = [];
  for (const [owner, names] of WATCHED) {
    const methods = owner as Methods;
    for (const name of names) {
      const original = methods[name] as (...args: unknown[]) => unknown; // the names above exist
      methods[name] = function (this: unknown, ...args: unknown[]): unknown {
        // A splice only touches items after its start.
        const from = name === "splice" && typeof args[0] === "number" ? Math.max(0, args[0]) : 0;
        steps += Array.isArray(this) ? Math.max(0, this.length - from) : 1;
        return Reflect.apply(original, this, args);
      };
      undo.push(() => methods[name] = original);
    }
  }
  let counted: number | undefined;
  return () => {
    counted ??= steps; // restoring takes steps too
    for (const restore of undo) restore();
    return counted;
  };
}

/** Ratios of the work for one size to that for half the size, at three sizes: 2 for linear growth. */
export function workGrowth(prepare: (size: number) => () => void, least = 250): readonly number[] {
  const [small = 0, middle = 0, large = 0] = [least, 2 * least, 4 * least].map((size) =>
    countedWork(prepare(size))
  );
  return [middle / small, large / middle];
}
