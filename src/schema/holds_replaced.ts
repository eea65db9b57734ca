import type { Json } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import type { Run } from "./run.ts";

/** Values are looked at to this depth. */
const DEEPEST = 100;

/**
 * True if a value is or holds a text that a recorder put in the place of another, so that its value is unknown.
 * Searches all of it: meant for the moment when a comparison failed.
 */
export function holdsReplaced(value: Json, run: Run, depth = 0): boolean {
  if (typeof value === "string") return isReplacedText(value) && run.leavesOut(value);
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((member) => holdsReplaced(member, run, depth + 1));
}
