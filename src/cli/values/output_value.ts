import { message, text } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { REPORT_FORMATS, type ReportFormat } from "../../report/formats.ts";

/** A format with the path of its file, undefined where the command line names none. */
export interface OutputChoice {
  readonly format: ReportFormat;
  readonly path: string | undefined;
}

const FORMATS = `${REPORT_FORMATS.slice(0, -1).join(", ")} and ${REPORT_FORMATS.at(-1)}`;

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
        return {
          success: false,
          error: message`${name} is no report format. There are ${text(FORMATS)}.`,
        };
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
