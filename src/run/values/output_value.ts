import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import {
  DEFAULT_FORMAT,
  formatList,
  formatsOfExtension,
  REPORT_FORMATS,
  REPORTERS,
  type ReportFormat,
} from "../../report/reporters.ts";
import { unknownChoice } from "./unknown_choice.ts";

/** A format with the path of its file, undefined if the command line names none. */
export interface OutputChoice {
  readonly format: ReportFormat;
  readonly path: string | undefined;
}

/** Other names that people try for a format, with the format: aliases and file name extensions. */
const MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  REPORTERS.flatMap(({ name, aliases, extensions }) => [
    ...aliases.map((alias) => [alias, name] as const),
    ...extensions.map((extension) =>
      [extension, formatList(formatsOfExtension(extension))] as const
    ),
  ]),
);

/** The value of `--format`: `json` or `json=coverage.json`. */
export function outputValue(): ValueParser<"sync", OutputChoice> {
  return {
    mode: "sync",
    metavar: "NAME[=PATH]",
    placeholder: { format: DEFAULT_FORMAT, path: undefined },
    parse(input) {
      const equals = input.indexOf("=");
      const name = equals < 0 ? input : input.slice(0, equals);
      const path = equals < 0 ? undefined : input.slice(equals + 1);
      const format = REPORT_FORMATS.find((known) => known === name.toLowerCase());
      if (format === undefined) {
        return { success: false, error: unknownChoice("format", name, REPORT_FORMATS, MEANINGS) };
      }
      if (path === "") {
        return {
          success: false,
          error: message`The path behind ${`${name}=`} is empty.`,
        };
      }
      return { success: true, value: { format, path } };
    },
    format: ({ format, path }) => path === undefined ? format : `${format}=${path}`,
    *suggest(prefix) {
      const [name] = prefix.split("=", 1);
      if (name !== undefined && prefix.includes("=")) {
        yield { kind: "file", type: "file", pattern: prefix, prefix: `${name}=` };
        return;
      }
      for (const format of REPORT_FORMATS) {
        if (format.startsWith(prefix)) yield { kind: "literal", text: format };
      }
    },
  };
}
