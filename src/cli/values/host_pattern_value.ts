import { message, text } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { parseHostPattern } from "../../proxy/host_pattern.ts";

/** A pattern for hosts: `api.example`, `*.example`, `localhost:8080`. */
export function hostPatternValue(): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar: "HOST",
    placeholder: "localhost",
    parse(input) {
      try {
        parseHostPattern(input);
        return { success: true, value: input };
      } catch (error) {
        return {
          success: false,
          error: message`${text(error instanceof Error ? error.message : "")}`,
        };
      }
    },
    format: (value) => value,
  };
}
