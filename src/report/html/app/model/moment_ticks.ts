import { formatAmount } from "../../../wording/amounts.ts";

/** A labelled time on the axis of a chart, in seconds from its start. */
export interface MomentTick {
  readonly moment: number;
  readonly label: string;
}

/** Units of time with the multiples to use for ticks. `length` is in milliseconds. */
const UNITS: readonly {
  readonly length: number;
  readonly steps: readonly number[];
  label(count: number): string;
}[] = [
  { length: 1, steps: [1, 2, 5, 10, 20, 50, 100], label: (count) => `${count} ms` },
  { length: 1, steps: [200, 500], label: (count) => `${count / 1000} s` },
  { length: 1000, steps: [1, 2, 5, 10, 15, 30], label: (count) => `${count} s` },
  { length: 60_000, steps: [1, 2, 5, 10, 15, 30], label: (count) => `${count} min` },
  { length: 3_600_000, steps: [1, 2, 6, 12], label: (count) => `${count} h` },
  {
    length: 86_400_000,
    steps: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
    label: (count) => formatAmount(count, "day"),
  },
];

/** The ticks of a chart that ends after `last` seconds: 0 and at most `most` others, all in one unit. */
export function momentTicks(last: number, most: number): readonly MomentTick[] {
  // Times are differences of dates, so their fractions aren't exact.
  const end = Math.round(last * 1000);
  const ticks = [{ moment: 0, label: "0" }];
  for (const { length, steps, label } of UNITS) {
    const step = steps.find((one) => end / (length * one) <= most);
    if (step === undefined) continue;
    for (let count = step; count * length <= end; count += step) {
      ticks.push({ moment: count * length / 1000, label: label(count) });
    }
    break;
  }
  return ticks;
}
