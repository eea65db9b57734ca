import { CounterStore } from "../schema/run.ts";

/** A store that tells which of its counters were counted. */
export class TouchStore extends CounterStore {
  /** The indexes that were counted since this was emptied last. */
  readonly touched: number[] = [];

  /** Has every counter noted, whether it was counted before or not. */
  override begin(): void {
    this.now = 0;
    this.fresh = Infinity;
  }

  /** Notes that a counter is counted. */
  override note(index: number): void {
    this.touched.push(index);
  }
}
