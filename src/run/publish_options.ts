import type { ScopeEntry } from "../map/scope_pattern.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { Description } from "./load_apis.ts";
import { optionFlags } from "./options/option.ts";
import type { OutputChoice } from "./options/option_kinds.ts";
import { optionsIn, type OptionValues } from "./options/options.ts";

/** Options for reports that the command line and test runners share. */
export interface PublishOptions
  extends
    Description,
    Omit<OptionValues<"title" | "reportLayout" | "thresholds" | "textReports" | "color">, "show"> {
  /** The formats, in the given order. */
  readonly formats: readonly OutputChoice[];
  readonly output: string | undefined;
  /** The ids of the gaps that text reports list; undefined or empty for all. */
  readonly gap?: readonly string[] | undefined;
  /** The arguments that have another command read the same; undefined where nothing was read that it could read. */
  readonly inputs?: readonly string[] | undefined;
  /** The config file whose thresholds and conditions are left to `covtool merge`; undefined if there is none. */
  readonly unjudged?: string | undefined;
  /** Several APIs, each with its own options, instead of {@linkcode PublishOptions.schema}. */
  readonly apis?: readonly ReportOptions[] | undefined;
}

export type ReportOptions = Omit<PublishOptions, "apis" | "formats" | "output">;

/** The thresholds of options: `failUnder` is that of all dimensions, `failUnderKeywords` that of one. */
export function chosenThresholds(options: OptionValues<"thresholds">): Thresholds {
  const { minTcl: tcl, failUnder: base } = options;
  const named = Object.entries(options).flatMap(([option, value]) => {
    const [, first, rest] = /^failUnder(\w)(\w+)$/.exec(option) ?? [];
    return first === undefined ? [] : [[first.toLowerCase() + rest, value] as const];
  });
  return { base, ...Object.fromEntries(named), tcl };
}

/** The options of `covtool suggest` that decide what is read and counted. */
const READING = ["settings", "description", "scope", "recordingOptions", "hits"] as const;

type Text = string | ScopeEntry;

/** The arguments with which `covtool suggest` reads what was measured. */
export function suggestArguments(
  files: readonly string[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const options = optionsIn(READING).flatMap(({ name, option }) => {
    const { on, off } = optionFlags(name, option);
    const value = given[name] as undefined | boolean | Text | readonly Text[]; // by the table
    if (typeof value === "boolean") return (value ? on : off).slice(0, 1);
    return [value ?? []].flat().flatMap((text) => [
      ...on.slice(0, 1),
      typeof text === "string" ? text : text.pattern,
    ]);
  });
  return [...files, ...options];
}
