import type { Dimension, Gap } from "../../map/results.ts";
import { keywordPlace } from "../wording/keyword_place.ts";
import { plainText } from "./plain_text.ts";
import { cutText } from "./text_width.ts";

/** How much of an example's value is shown, in columns. */
const VALUE_WIDTH = 40;

/** What {@linkcode missingText} keys its answer by. */
export function operationKey(
  operation: { readonly method: string; readonly path: string },
): string {
  return `${operation.method} ${operation.path}`;
}

/**
 * Names what is missing of the given dimensions, operation by operation: the parameters never sent, the
 * keywords never seen passing (`valid`) or failing (`invalid`), the examples never used, the documented
 * responses that never came. An operation without gaps in them has no entry.
 *
 * @returns the text by {@linkcode operationKey}; with several dimensions each part begins with its name.
 */
export function missingText(
  gaps: readonly Gap[],
  dimensions: readonly Dimension[],
): ReadonlyMap<string, string> {
  const byOperation = new Map<string, Gap[]>();
  for (const gap of gaps) {
    const key = operationKey(gap);
    const list = byOperation.get(key);
    if (list === undefined) byOperation.set(key, [gap]);
    else list.push(gap);
  }
  const wanted = ORDER.filter((dimension) => dimensions.includes(dimension));
  const result = new Map<string, string>();
  for (const [key, list] of byOperation) {
    const parts: string[] = [];
    for (const dimension of wanted) {
      const text = DESCRIBE[dimension](list);
      if (text === "") continue;
      parts.push(
        dimension === "operations" || wanted.length === 1 ? text : `${dimension}: ${text}`,
      );
    }
    if (parts.length > 0) result.set(key, parts.join("; "));
  }
  return result;
}

const ORDER: readonly Dimension[] = [
  "operations",
  "parameters",
  "keywords",
  "examples",
  "responses",
];

const DESCRIBE: Readonly<Record<Dimension, (gaps: readonly Gap[]) => string>> = {
  operations: (gaps) =>
    gaps.some((gap) => gap.kind === "operation_uncovered") ? "never called" : "",
  parameters: (gaps) =>
    gaps.flatMap((gap) => gap.kind === "parameter_uncovered" ? [parameterName(gap)] : []).join(
      ", ",
    ),
  keywords: (gaps) => grouped(keywordParts(gaps)),
  examples: (gaps) =>
    grouped(gaps.flatMap((gap) => {
      if (gap.kind !== "example_uncovered") return [];
      const value = cutText(plainText(JSON.stringify(gap.value)), VALUE_WIDTH);
      return [[parameterName(gap), value] as const];
    })),
  responses: (gaps) =>
    gaps.flatMap((gap) => gap.kind === "response_uncovered" ? [plainText(gap.status_code)] : [])
      .join(", "),
};

function parameterName(gap: { readonly location: string; readonly parameter: string }): string {
  return `${gap.location} ${plainText(gap.parameter)}`;
}

/** Parameter and what it lacks; both kinds of one keyword become one part. */
function keywordParts(gaps: readonly Gap[]): (readonly [string, string])[] {
  const kinds = new Map<string, { name: string; place: string; states: string[] }>();
  for (const gap of gaps) {
    if (gap.kind !== "keyword_uncovered") continue;
    const name = parameterName(gap);
    const key = `${name}\n${gap.schema_path}`;
    const entry = kinds.get(key);
    if (entry !== undefined) entry.states.push(gap.state);
    else {kinds.set(key, {
        name,
        place: plainText(keywordPlace(gap.schema_path)),
        states: [gap.state],
      });}
  }
  return [...kinds.values()].map(({ name, place, states }) =>
    [name, `${place} (${states.join(", ")})`] as const
  );
}

function grouped(parts: readonly (readonly [string, string])[]): string {
  const byName = new Map<string, string[]>();
  for (const [name, text] of parts) {
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [text]);
    else list.push(text);
  }
  return [...byName].map(([name, texts]) => `${name}: ${texts.join(", ")}`).join("; ");
}
