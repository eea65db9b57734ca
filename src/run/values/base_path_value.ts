import { message, text } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { parseBasePath } from "../../map/base_path.ts";

/** A base path: a path such as `/v1`, or a full URL. */
export function basePathValue(): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar: "URL_OR_PATH",
    placeholder: "/",
    parse(input) {
      try {
        parseBasePath(input);
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
