import type { ValueParser } from "@optique/core/valueparser";
import { choiceValue } from "./choice_value.ts";

/** Lists that reports have only where they are asked for. */
export type ShownList = "undocumented-properties";

/** Their names. */
export const SHOWN_LISTS: readonly ShownList[] = ["undocumented-properties"];

/** The value of `--show`: the name of a list. */
export function showValue(): ValueParser<"sync", ShownList> {
  return choiceValue({
    noun: "list",
    metavar: "LIST",
    names: SHOWN_LISTS,
    meanings: {
      drift: "undocumented-properties",
      properties: "undocumented-properties",
      undeclared: "undocumented-properties",
      undocumented: "undocumented-properties",
      undocumented_properties: "undocumented-properties",
    },
  });
}
