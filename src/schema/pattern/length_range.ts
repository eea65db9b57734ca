import type { PatternNode } from "./parse.ts";

export interface LengthRange {
  readonly min: number;
  readonly max: number;
}

/** The length of what a part of an expression matches, and whether that reaches to the ends of the text. */
interface PartRange extends LengthRange {
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

const EMPTY: PartRange = { min: 0, max: 0, fromStart: false, toEnd: false };

/** The number of characters of the texts that match; no upper limit unless anchored at both ends. */
export function lengthRange(root: PatternNode, unicode: boolean): LengthRange {
  const { min, max, fromStart, toEnd } = rangeOf(root);
  return { min: unicode ? min : Math.ceil(min / 2), max: fromStart && toEnd ? max : Infinity };
}

function rangeOf(node: PatternNode): PartRange {
  switch (node.kind) {
    case "atom":
      return { ...EMPTY, min: 1, max: 1 };
    case "edge":
      return { ...EMPTY, fromStart: node.edge === "start", toEnd: node.edge === "end" };
    case "look":
      return EMPTY;
    case "backreference":
      return { ...EMPTY, max: Infinity };
    case "group":
      return rangeOf(node.body);
    case "repeat": {
      const { min, max, fromStart, toEnd } = rangeOf(node.body);
      const isThere = node.min > 0;
      return {
        min: min * node.min,
        max: max === 0 || node.max === 0 ? 0 : max * node.max,
        fromStart: fromStart && isThere,
        toEnd: toEnd && isThere,
      };
    }
    case "sequence": {
      const parts = node.items.map(rangeOf);
      return {
        min: parts.reduce((sum, { min }) => sum + min, 0),
        max: parts.reduce((sum, { max }) => sum + max, 0),
        fromStart: parts[0]?.fromStart ?? false,
        toEnd: parts.at(-1)?.toEnd ?? false,
      };
    }
    case "choice": {
      const parts = node.items.map(rangeOf);
      return {
        min: Math.min(...parts.map(({ min }) => min)),
        max: Math.max(...parts.map(({ max }) => max)),
        fromStart: parts.every(({ fromStart }) => fromStart),
        toEnd: parts.every(({ toEnd }) => toEnd),
      };
    }
  }
}
