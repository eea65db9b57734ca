import { quantileSorted } from "d3-array";

/** A number with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Dense ranks from 0: equal values share a rank, without gaps. */
export function denseRanks(values: readonly number[]): Uint16Array {
  const order = [...new Set(values)].sort((one, other) => one - other);
  const places = new Map(order.map((value, place) => [value, place]));
  return Uint16Array.from(values, (value) => places.get(value)!);
}

/**
 * Kendall's τ-b of pairs of dense ranks at some indexes, which may repeat; null if one side is constant. Counts with a
 * Fenwick tree, because bootstrap samples call it a million times.
 */
export function tauB(
  left: Uint16Array,
  right: Uint16Array,
  at: readonly number[] = [...left.keys()],
): number | null {
  const size = at.length;
  const order = at.toSorted((one, other) => left[one]! - left[other]!);
  const [lefts, rights] = [new Float64Array(left.length), new Float64Array(right.length)];
  const tree = new Float64Array(right.length + 1);
  const below = (rank: number) => {
    let sum = 0;
    for (let node = rank; node > 0; node -= node & -node) sum += tree[node]!;
    return sum;
  };
  let agree = 0;
  for (let from = 0, to = 0; from < size; from = to) {
    while (to < size && left[order[to]!] === left[order[from]!]) to++;
    for (let place = from; place < to; place++) {
      const rank = right[order[place]!]!;
      // All pairs with those that are lower on the left: lower on the right as well, or higher.
      agree += below(rank) - (from - below(rank + 1));
    }
    for (let place = from; place < to; place++) {
      const rank = right[order[place]!]!;
      rights[rank]!++;
      for (let node = rank + 1; node < tree.length; node += node & -node) tree[node]!++;
    }
    lefts[left[order[from]!]!] = to - from;
  }
  const untied = (counts: Float64Array) =>
    (size * size - counts.reduce((sum, count) => sum + count * count, 0)) / 2;
  const scale = Math.sqrt(untied(lefts) * untied(rights));
  return scale === 0 ? null : agree / scale;
}

/** Ranks from 1; equal values share the mean of their ranks. */
export function ranks(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index }))
    .sort((one, other) => one.value - other.value);
  const found = new Array<number>(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && order[to]!.value === order[from]!.value) to++;
    for (let place = from; place < to; place++) found[order[place]!.index] = (from + to + 1) / 2;
    from = to;
  }
  return found;
}

/** A value with the interval of its bootstrap samples; samples without a number are left out. */
export function estimate(value: number, samples: readonly (number | null)[]): Estimate {
  const found = samples.filter((one) => one !== null).sort((one, other) => one - other);
  const at = (part: number) => quantileSorted(found, part) ?? value;
  return { value, low: at(0.025), high: at(0.975) };
}

/** A linear regression on standardized values: the coefficients, and the explained part of the variance. */
export interface Regression {
  readonly coefficients: readonly number[];
  readonly explained: number;
}

/** Pearson's correlations of columns; 0 for a constant column. */
export function correlations(columns: readonly (readonly number[])[]): number[][] {
  const scaled = columns.map(standardize);
  return scaled.map((one) =>
    scaled.map((other) => {
      let sum = 0;
      for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
      return sum / one.length;
    })
  );
}

/**
 * Regresses the last column on some of the others, given all correlations. The others may depend on each other: a ridge
 * of a thousandth keeps the result stable, and divides what two equal columns explain between them.
 */
export function regress(known: readonly (readonly number[])[], on: readonly number[]): Regression {
  const target = known.length - 1;
  const coefficients = solve(on.map((row) => [
    ...on.map((column) => known[row]![column]! + (row === column ? 1e-3 : 0)),
    known[row]![target]!,
  ]));
  let left = 1;
  coefficients.forEach((own, at) => {
    left -= 2 * own * known[on[at]!]![target]!;
    coefficients.forEach((other, to) => left += own * other * known[on[at]!]![on[to]!]!);
  });
  return { coefficients, explained: 1 - left };
}

function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
  );
  return values.map((value) => spread === 0 ? 0 : (value - mean) / spread);
}

/** Solves linear equations whose right side is the last column (Gauss-Jordan elimination with pivots). */
function solve(rows: number[][]): number[] {
  rows.forEach((_, at) => {
    const best = rows.slice(at).reduce(
      (best, row, index) => Math.abs(row[at]!) > Math.abs(rows[best]![at]!) ? at + index : best,
      at,
    );
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]!;
    const scale = pivot[at]!;
    for (let column = 0; column < pivot.length; column++) pivot[column]! /= scale;
    rows.forEach((row, index) => {
      const factor = row[at]!;
      if (index === at || factor === 0) return;
      for (let column = 0; column < row.length; column++) row[column]! -= factor * pivot[column]!;
    });
  });
  return rows.map((row) => row.at(-1)!);
}
