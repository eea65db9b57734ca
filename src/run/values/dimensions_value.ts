import type { ValueParser } from "@optique/core/valueparser";
import { type Dimension, DIMENSIONS } from "../../map/results.ts";
import { unknownChoice } from "./unknown_choice.ts";

/** Other words that people use for what a dimension counts. */
const MEANINGS: Readonly<Record<string, Dimension>> = {
  bodies: "parameters",
  codes: "responses",
  endpoints: "operations",
  methods: "operations",
  paths: "operations",
  properties: "keywords",
  routes: "operations",
  schema: "keywords",
  schemas: "keywords",
  status: "responses",
  statuses: "responses",
};

/** A list of dimensions with commas between them, or `all`. */
export function dimensionsValue(): ValueParser<"sync", readonly Dimension[]> {
  return {
    mode: "sync",
    metavar: "DIMENSIONS",
    placeholder: [],
    parse(input) {
      const chosen: Dimension[] = [];
      for (const part of input.split(",")) {
        const name = part.trim().toLowerCase();
        const dimension = DIMENSIONS.find((known) => known === name);
        if (name === "all") chosen.push(...DIMENSIONS);
        else if (dimension !== undefined) chosen.push(dimension);
        else {
          return {
            success: false,
            error: unknownChoice("dimension", part, [...DIMENSIONS, "all"], MEANINGS),
          };
        }
      }
      return { success: true, value: chosen };
    },
    format: (value) => value.join(","),
    *suggest(prefix) {
      const comma = prefix.lastIndexOf(",") + 1;
      for (const name of [...DIMENSIONS, "all"]) {
        if (name.startsWith(prefix.slice(comma))) {
          yield { kind: "literal", text: prefix.slice(0, comma) + name };
        }
      }
    },
  };
}
