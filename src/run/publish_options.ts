import { closeSync, openSync } from "node:fs";
import { fileErrorSentence } from "../files/files.ts";
import type { ScopeEntry } from "../map/scope_pattern.ts";
import type { Thresholds } from "../map/thresholds.ts";
import { CommandError } from "./command_error.ts";
import type { Description } from "./load_apis.ts";
import { optionFlags } from "./options/option.ts";
import type { OutputChoice } from "./options/option_kinds.ts";
import { optionsIn, type OptionValues } from "./options/options.ts";

export interface PublishOptions
  extends
    Description,
    Omit<OptionValues<"title" | "reportLayout" | "thresholds" | "textReports" | "color">, "show"> {
  readonly formats: readonly OutputChoice[];
  readonly output: string | undefined;
  /** The config file, which no report overwrites. */
  readonly config?: string | undefined;
  /** The ids of the gaps that text reports list; undefined or empty for all. */
  readonly gap?: readonly string[] | undefined;
  readonly inputs?: KeptInputs | undefined;
  /** The config file whose thresholds and conditions are left to `covtool merge`; undefined if there is none. */
  readonly unjudged?: string | undefined;
  /** Several APIs, each with its own options, instead of {@linkcode PublishOptions.schema}. */
  readonly apis?: readonly ReportOptions[] | undefined;
}

export type ReportOptions = Omit<PublishOptions, "apis" | "formats" | "output">;

/** Returns the thresholds in options: `failUnder` for all dimensions, `failUnderKeywords` and the like for one. */
export function chosenThresholds(options: OptionValues<"thresholds">): Thresholds {
  const { minTcl: tcl, failUnder: base } = options;
  const named = Object.entries(options).flatMap(([option, value]) => {
    const [, first, rest] = /^failUnder(\w)(\w+)$/.exec(option) ?? [];
    return first === undefined ? [] : [[first.toLowerCase() + rest, value] as const];
  });
  return { base, ...Object.fromEntries(named), tcl };
}

/** What another command reads to repeat a measurement. */
export interface KeptInputs {
  readonly words: readonly string[];
  /** False if no file keeps the traffic: the command reads only the description, with the same options. */
  readonly haveTraffic: boolean;
}

/** The groups of options of `covtool suggest` that affect what is read and counted. */
const READING_GROUPS = ["settings", "description", "scope", "recordingOptions", "hits"] as const;

type Text = string | ScopeEntry;

/**
 * Returns the arguments with which `covtool suggest` reads the inputs of this run.
 * @param kept The files that keep the traffic.
 * @param files The arguments before options.
 */
export function suggestArguments(
  kept: readonly string[],
  files: readonly string[],
  given: Readonly<Record<string, unknown>>,
): KeptInputs {
  const options = optionsIn(READING_GROUPS).flatMap(({ name, option }) => {
    const { on, off } = optionFlags(name, option);
    const value = given[name] as undefined | boolean | Text | readonly Text[]; // options in READING have these
    if (typeof value === "boolean") return (value ? on : off).slice(0, 1);
    return [value ?? []].flat().flatMap((text) => [
      ...on.slice(0, 1),
      typeof text === "string" ? text : text.pattern,
    ]);
  });
  return { words: [...files, ...options], haveTraffic: kept.length > 0 };
}

/** Checks that a baseline can be read, so that a wrong path is reported before the tests run. */
export function checkBaseline(path: string | undefined): void {
  if (path === undefined) return;
  try {
    // Opens the file because Deno's access() needs a permission to read the user's id.
    closeSync(openSync(path, "r"));
  } catch (error) {
    throw unreadableBaseline(path, error);
  }
}

export function unreadableBaseline(path: string, error: unknown): CommandError {
  const sentence = fileErrorSentence(error);
  const format = path.endsWith(".hits") ? "hits" : "json";
  const advice = sentence.startsWith("There is no such file")
    ? ` Make it with --format ${format}=${path}, in a run of the main branch for example.`
    : "";
  return new CommandError(`Cannot compare with ${path}: ${sentence}${advice}`, error);
}
