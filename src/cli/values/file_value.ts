import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";

/** An argument that names a file: any text but the empty one; shells complete it from the file system. */
export function fileValue(
  metavar: "SCHEMA" | "TRAFFIC" | "PATH" | "FILE" | "DIR",
  extensions?: readonly string[],
): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar,
    placeholder: "",
    parse: (input) =>
      input === ""
        ? { success: false, error: message`A path is needed, but it is empty.` }
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
