import assert from "node:assert/strict";
import type { Ended } from "../scripts/run.ts";

/** The last line of standard error of a command that ends with an error. */
export const ERROR_EXIT = "covtool: exit 1: error\n";

type Said = Pick<Ended, "code" | "err"> & Partial<Pick<Ended, "out">>;

/** Asserts that a command exits with 0. */
export async function succeeds<E extends Said>(running: Promise<E>): Promise<E> {
  const ended = await running;
  assert.equal(ended.code, 0, `${ended.out ?? ""}${ended.err}`);
  return ended;
}

/**
 * Asserts that a command exits with 1.
 *
 * @param said The message of its error, or an expression that standard error matches.
 */
export async function fails<E extends Said>(
  running: Promise<E>,
  said: string | RegExp = "",
): Promise<E> {
  const ended = await running;
  assert.equal(ended.code, 1, `${ended.out ?? ""}${ended.err}`);
  if (said instanceof RegExp) assert.match(ended.err, said);
  else if (said !== "") assert.equal(ended.err, `Error: ${said}\n${ERROR_EXIT}`);
  return ended;
}
