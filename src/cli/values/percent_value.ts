import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { readPercent } from "./read_percent.ts";

/** A percentage from 0 to 100: `80`, `99.5`, `80%`. */
export function percentValue(): ValueParser<"sync", number> {
  return {
    mode: "sync",
    metavar: "PERCENT",
    placeholder: 0,
    parse(input) {
      const value = readPercent(input);
      return value !== undefined ? { success: true, value } : {
        success: false,
        error: message`Expected a percentage from 0 to 100, but got ${input}.`,
      };
    },
    format: String,
  };
}
