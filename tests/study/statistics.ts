import { quantileSorted } from "d3-array";

/** A number with its interval of 95 %. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Kendall's τ-b of pairs; null where one side is the same everywhere. */
export function tauB(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  let [agree, untiedLeft, untiedRight] = [0, 0, 0];
  for (let one = 1; one < left.length; one++) {
    const [ownLeft, ownRight] = [left[one]!, right[one]!];
    for (let other = 0; other < one; other++) {
      const first = ownLeft - left[other]!;
      const second = ownRight - right[other]!;
      if (first !== 0) untiedLeft++;
      if (second !== 0) untiedRight++;
      if (first !== 0 && second !== 0) agree += first > 0 === second > 0 ? 1 : -1;
    }
  }
  const scale = Math.sqrt(untiedLeft * untiedRight);
  return scale === 0 ? null : agree / scale;
}

/** Places in order from 1, the mean of them for equal values. */
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

/** A value with the interval of what was found for it in bootstrap samples; samples without a number are left out. */
export function intervalOf(value: number, samples: readonly (number | null)[]): Estimate {
  const found = samples.filter((one) => one !== null).sort((one, other) => one - other);
  const at = (part: number) => quantileSorted(found, part) ?? value;
  return { value, low: at(0.025), high: at(0.975) };
}

/** A linear regression on standardized values: the coefficients, and the part of the variance that it explains. */
export interface Regression {
  readonly coefficients: readonly number[];
  readonly explained: number;
}

/**
 * Regresses on columns that may depend on each other: a ridge of a thousandth keeps the result stable, and divides what
 * two equal columns explain between them.
 */
export function regress(
  columns: readonly (readonly number[])[],
  target: readonly number[],
): Regression {
  const scaled = columns.map(standardize);
  const wanted = standardize(target);
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, index) => sum + value * other[index]!, 0) / target.length;
  const rows = scaled.map((one, row) => [
    ...scaled.map((other, column) => dot(one, other) + (row === column ? 1e-3 : 0)),
    dot(one, wanted),
  ]);
  const coefficients = solve(rows);
  const error = wanted.reduce((sum, value, index) => {
    const guess = scaled.reduce((part, column, at) => part + column[index]! * coefficients[at]!, 0);
    return sum + (value - guess) ** 2;
  }, 0);
  return { coefficients, explained: 1 - error / target.length };
}

function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length,
  );
  return values.map((value) => spread === 0 ? 0 : (value - mean) / spread);
}

/** Solves linear equations, the right side of which is the last column (Gauss and Jordan, with pivots). */
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
