import { message } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import {
  DEFAULT_FORMAT,
  formatList,
  type Reporter,
  REPORTERS,
  type ReportFormat,
} from "../../report/reporters.ts";
import { unknownChoice } from "./unknown_choice.ts";

/** A format with the path of its file, undefined if the command line names none. */
export interface OutputChoice<Format extends string = ReportFormat> {
  readonly format: Format;
  readonly path: string | undefined;
}

/** The part of a reporter by which `--format` names it. */
type NamedReporter<Format extends string> =
  & Pick<Reporter, "aliases" | "extensions">
  & { readonly name: Format };

/** The value of `--format`: `json` or `json=coverage.json`. */
export function outputValue(): ValueParser<"sync", OutputChoice> {
  return outputValueOf<ReportFormat>(REPORTERS, DEFAULT_FORMAT);
}

/** The value of `--format` with the formats of some reporters, and the default one. */
export function outputValueOf<Format extends string>(
  reporters: readonly NamedReporter<Format>[],
  byDefault: Format,
): ValueParser<"sync", OutputChoice<Format>> {
  const names = reporters.map(({ name }) => name);
  return {
    mode: "sync",
    metavar: "NAME[=PATH]",
    placeholder: { format: byDefault, path: undefined },
    parse(input) {
      const equals = input.indexOf("=");
      const name = equals < 0 ? input : input.slice(0, equals);
      const path = equals < 0 ? undefined : input.slice(equals + 1);
      const format = names.find((known) => known === name.toLowerCase());
      if (format === undefined) {
        const error = unknownChoice("format", name, names, meaningsOf(reporters));
        return { success: false, error };
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
      for (const format of names) {
        if (format.startsWith(prefix)) yield { kind: "literal", text: format };
      }
    },
  };
}

/** Other names that people try for a format, with the format: aliases and file name extensions. */
function meaningsOf(reporters: readonly NamedReporter<string>[]): Record<string, string> {
  return Object.fromEntries(
    reporters.flatMap(({ name, aliases, extensions }) => [
      ...aliases.map((alias) => [alias, name] as const),
      ...extensions.map((extension) => {
        const known = reporters.filter(({ extensions }) => extensions.includes(extension));
        return [extension, formatList(known.map(({ name }) => name))] as const;
      }),
    ]),
  );
}
