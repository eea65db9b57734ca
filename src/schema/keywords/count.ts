import type { Run } from "../run.ts";

/** Adds one to a keyword's `valid` counter, or to the `invalid` one behind it. */
export function count(run: Run, index: number, valid: boolean): void {
  const counts = run.store.counts;
  const at = valid ? index : index + 1;
  counts[at] = (counts[at] as number) + 1;
}
