import { type Message, message, text } from "@optique/core/message";
import { findSimilar } from "@optique/core/suggestion";
import { sentenceList } from "../../report/wording/amounts.ts";

/** As many letters of a name have to be right for the rest of it to be guessed. */
const FEWEST_LETTERS = 3;

/**
 * The error for a value that isn't one of the choices, with the one that was probably meant.
 *
 * @param noun What the value should have named: `format`.
 * @param choices The names, in the order in which they are shown.
 * @param meanings Other words that people use, with the names that they mean.
 *
 * @example
 * ```ts
 * import { formatMessage } from "@optique/core/message";
 * import { unknownChoice } from "./unknown_choice.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   formatMessage(unknownChoice("format", "txt", ["json", "text"], { txt: "text" })),
 *   'Unknown format "txt". Did you mean text? Choose json or text.',
 * );
 * ```
 */
export function unknownChoice(
  noun: string,
  input: string,
  choices: readonly string[],
  meanings: Readonly<Record<string, string>> = {},
): Message {
  const meant = nearest(input.trim().toLowerCase(), choices, meanings);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const names = sentenceList(choices, "or");
  return message`${text(`Unknown ${noun} "${input}".${hint} Choose ${names}.`)}`;
}

function nearest(
  input: string,
  choices: readonly string[],
  meanings: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.hasOwn(meanings, input)) return meanings[input];
  // Short names are half alike by chance: "yaml" and "html". People get the first letter right, or all others.
  const similar = findSimilar(input, choices, { maxSuggestions: choices.length })
    .toSorted((one, other) => Number(isAnagram(input, other)) - Number(isAnagram(input, one)))
    .find((name) => name[0] === input[0] || isOneEdit(input, name));
  if (similar !== undefined) return similar;
  // "params" for "parameters": the beginning of the name, perhaps with an s for many.
  const stem = input.replace(/s$/, "");
  return stem.length < FEWEST_LETTERS ? undefined : choices.find((name) => name.startsWith(stem));
}

/** Letters in the wrong order are the most frequent slip. */
function isAnagram(input: string, name: string): boolean {
  return [...input].sort().join("") === [...name].sort().join("");
}

function isOneEdit(input: string, name: string): boolean {
  return findSimilar(input, [name], { maxDistance: 1 }).length > 0;
}
