import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { REPORT_FORMATS, type ReportFormat } from "../../report/formats.ts";
import { unknownChoice } from "./unknown_choice.ts";

/** A format with the path of its file, undefined where the command line names none. */
export interface OutputChoice {
  readonly format: ReportFormat;
  readonly path: string | undefined;
}

/** What else people call a format, often the end of a file's name. */
const MEANINGS: Readonly<Record<string, string>> = {
  console: "text",
  coverage: "html",
  htm: "html",
  info: "lcov",
  md: "markdown",
  page: "html",
  stdout: "text",
  svg: "badge",
  terminal: "text",
  txt: "text",
  xml: "cobertura or junit",
};

/** What `--format` takes: `json`, or `json=coverage.json`. */
export function outputValue(): ValueParser<"sync", OutputChoice> {
  return {
    mode: "sync",
    metavar: "NAME[=PATH]",
    placeholder: { format: "html", path: undefined },
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
