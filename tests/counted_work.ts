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
 * How many steps something takes, on any machine alike: the calls of what looks things up in tables, and the items that
 * lists are searched for, gone through or copied for.
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

/** {@linkcode countedWork} of what takes turns with other work; nothing else may run meanwhile. */
export async function countedAsyncWork(work: () => Promise<void>): Promise<number> {
  const end = startCounting();
  try {
    await work();
  } finally {
    end();
  }
  return end();
}

/** Begins to count; gives what ends it and tells the steps. */
function startCounting(): () => number {
  let steps = 0;
  const undo: (() => void)[] = [];
  for (const [owner, names] of WATCHED) {
    const methods = owner as Methods;
    for (const name of names) {
      const original = methods[name] as (...args: unknown[]) => unknown; // those named above are there
      methods[name] = function (this: unknown, ...args: unknown[]): unknown {
        // What is before the place of a splice isn't touched.
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

/** How many times the work of one size is that of a size half as large, at three sizes: 2 where it grows with the size. */
export function workGrowth(prepare: (size: number) => () => void, least = 250): readonly number[] {
  const [small = 0, middle = 0, large = 0] = [least, 2 * least, 4 * least].map((size) =>
    countedWork(prepare(size))
  );
  return [middle / small, large / middle];
}
