import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";

/** A file argument: any text but an empty one. Shells complete it from the file system. */
export function fileValue(
  metavar: "SCHEMA" | "TRAFFIC" | "HITS" | "PATH" | "FILE" | "DIR" | "TESTS" | "LOGS",
  extensions?: readonly string[],
): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar,
    placeholder: "",
    parse: (input) =>
      input === ""
        ? { success: false, error: message`Expected a path, but got an empty text.` }
        : { success: true, value: input },
    format: (value) => value,
    *suggest(prefix) {
      yield {
        kind: "file",
        type: "file",
        pattern: prefix,
        ...(extensions === undefined ? {} : { extensions }),
      };
    },
  };
}
