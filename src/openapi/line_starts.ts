import type { SourceText } from "./document_set.ts";
import { lineStarts } from "./locate_printed.ts";

const known = new WeakMap<SourceText, readonly number[]>();

/** The offset of each line of a text; looked for once, since diagnostics and reports both ask for lines. */
export function lineStartsOf(source: SourceText): readonly number[] {
  let starts = known.get(source);
  if (starts === undefined) known.set(source, starts = lineStarts(source.text));
  return starts;
}
