import type { Json } from "../../values/json.ts";
import type { Position } from "../../values/position.ts";
import type { Demand, Wish } from "./demand.ts";
import type { Facts } from "./facts.ts";

/** A value that was made. */
export interface Made {
  readonly value: Json;
  /** The number of variants that show different things. */
  readonly width: number;
  /** The demands that it was made of. */
  readonly facts: Facts;
}

/** Makes the parts of arrays and objects. */
export interface PartMaker {
  /** True if a value meets all demands. */
  isValid(demands: readonly Demand[], value: Json): boolean;
  /** The first value that meets all demands; undefined if none was found. */
  valid(demands: readonly Demand[], position: Position, wish?: Wish): Made | undefined;
  /** True if a part that could be left out may be made: it isn't part of itself, and there is room. */
  mayAdd(demands: readonly Demand[]): boolean;
}
