/** The kinds of things within an operation that an address can point to. */
export type SpotKind =
  | "operation"
  | "parameter"
  | "keyword"
  | "example"
  | "response"
  | "line"
  | "request";

/** A place within the view of an operation. */
export interface Spot {
  readonly kind: SpotKind;
  /** The index of the parameter, response or request, or of the file of a line; counted from 0. */
  readonly index: number;
  /** The index of the keyword or example of the parameter, counted from 0, or the line, counted from 1. */
  readonly row: number;
}

const LETTERS: Readonly<Record<SpotKind, string>> = {
  operation: "o",
  parameter: "p",
  keyword: "k",
  example: "e",
  response: "r",
  line: "l",
  request: "q",
};

const KINDS = new Map(
  (Object.keys(LETTERS) as SpotKind[]).map((kind) => [LETTERS[kind], kind] as const),
);

/**
 * The name of a place in an address and as the `id` of its element.
 *
 * @example
 * ```ts
 * import { spotName } from "./spot.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(spotName("keyword", 2, 14), "k2.14");
 * ```
 */
export function spotName(kind: SpotKind, index: number, row?: number): string {
  return `${LETTERS[kind]}${index}${row === undefined ? "" : `.${row}`}`;
}

/** Reads a name; null where it names nothing. */
export function parseSpot(name: string | null): Spot | null {
  const parts = /^([opkerlq])(\d+)(?:\.(\d+))?$/.exec(name ?? "");
  const kind = KINDS.get(parts?.[1] ?? "");
  if (parts === null || kind === undefined) return null;
  return { kind, index: Number(parts[2]), row: Number(parts[3] ?? 0) };
}

/** The parameter that a place is in; null if it isn't in one. */
export function parameterOfSpot(spot: Spot | null): number | null {
  const inside = spot?.kind === "parameter" || spot?.kind === "keyword" || spot?.kind === "example";
  return inside ? spot.index : null;
}
