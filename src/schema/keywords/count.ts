import type { Run } from "../run.ts";

/** Adds one to a keyword's `valid` counter, or to the `invalid` one after it. */
export function count(run: Run, index: number, valid: boolean): void {
  const store = run.store;
  const counts = store.counts;
  const at = valid ? index : index + 1;
  const before = counts[at] as number;
  counts[at] = before + 1;
  if (before < store.fresh) store.note(at);
}
