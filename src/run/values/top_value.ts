import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";

/** A number of operations, or `all`. */
export function topValue(): ValueParser<"sync", number | "all"> {
  return {
    mode: "sync",
    metavar: "N",
    placeholder: "all",
    parse(input) {
      const text = input.trim().toLowerCase();
      if (text === "all") return { success: true, value: "all" };
      return /^\d{1,9}$/.test(text) ? { success: true, value: Number(text) } : {
        success: false,
        error: message`Expected a number of operations or all, but got ${input}.`,
      };
    },
    format: String,
    *suggest(prefix) {
      if ("all".startsWith(prefix)) yield { kind: "literal", text: "all" };
    },
  };
}
