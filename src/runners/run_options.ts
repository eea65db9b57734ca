import { resolve } from "node:path";
import process from "node:process";
import { formatMessage } from "@optique/core/message";
import { checkBaseline } from "../run/check_baseline.ts";
import { checkConditions } from "../run/fail_on.ts";
import { CommandError } from "../run/command_error.ts";
import { OutputGuard, OverwriteError } from "../files/output_guard.ts";
import { chooseOutputs, guardedReports, type Output } from "../run/outputs.ts";
import {
  type ApiPublishOptions,
  NO_THRESHOLDS,
  type PublishOptions,
} from "../run/publish_options.ts";
import type { OutputChoice } from "../run/values/output_value.ts";
import { type Option, RUN_OPTIONS } from "../run/options/options.ts";
import { optionProblem, PATH, readOption } from "../run/options/option_kind.ts";
import { unknownChoice } from "../run/values/unknown_choice.ts";
import { withConfig } from "./with_config.ts";
import type { Dimension } from "../map/results.ts";
import type { ScopeEntry } from "../map/scope_entry.ts";
import { DEFAULT_FORMAT, defaultFileName } from "../report/reporters.ts";

/** Options of a test run: those of `covtool report`, under the same names. */
export interface RunOptions {
  /** OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL. Required, here or in the config file. */
  readonly schema?: string | undefined;
  /**
   * Config file, with options that are not given here (default: `covtool.yaml` or `covtool.json` in the root folder of
   * the runner, or above it); false for none.
   */
  readonly config?: string | false | undefined;
  /** Path prefix (default: from `servers`), such as /api/v1. With a full URL, requests must match its host too. */
  readonly basePath?: string | undefined;
  /** Fetch http: and https: references (default: don't fetch; accept any value there). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Allow references to files in this folder, outside the description's own. */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** Report title (default: the description's title). */
  readonly title?: string | undefined;
  /**
   * Measure only what matches: "GET /books/*", "/books/**", tag:NAME, operation:ID, deprecated, response:5XX,
   * parameter:NAME or keyword:NAME.
   */
  readonly include?: string | ScopeEntry | readonly (string | ScopeEntry)[] | undefined;
  /** Leave what matches out of every number, and list it in the reports. Wins over `include`. */
  readonly exclude?: string | ScopeEntry | readonly (string | ScopeEntry)[] | undefined;
  /**
   * Reports to write, in addition to the text that is printed (default: none): `html`, `json`, `markdown`, `lcov`,
   * `cobertura`, `sarif`, `junit`, `badge` or `hits`, each optionally with a path: `json=reports/api.json`.
   */
  readonly format?: string | readonly string[] | undefined;
  /** File of a single report. */
  readonly output?: string | undefined;
  /** Print the text report when the tests are done (default: true). If false, a summary is printed. */
  readonly print?: boolean | undefined;
  /** Record the bodies of responses, or only their headers (default: with bodies). */
  readonly responseBodies?: boolean | undefined;
  /** Earlier JSON report or hits file, such as the main branch's. Reports show what changed since. */
  readonly baseline?: string | undefined;
  /** Another name of `baseline`. */
  readonly baseReport?: string | undefined;
  /** Dimensions for the badge (default: operations,keywords). */
  readonly badgeDimensions?: readonly Dimension[] | undefined;
  /** Hide fully covered operations. Totals don't change. */
  readonly skipCovered?: boolean | undefined;
  /** Hide operations without traffic. Totals don't change. */
  readonly skipEmpty?: boolean | undefined;
  /** List what isn't covered in these dimensions: operations, parameters, keywords, examples, responses, or all. */
  readonly showMissing?: "all" | readonly Dimension[] | undefined;
  /**
   * List what reports leave out otherwise: undocumented-properties (properties of responses that the description
   * doesn't declare). Recording looks for them only with this.
   */
  readonly show?: "undocumented-properties" | readonly "undocumented-properties"[] | undefined;
  /** Show test coverage levels (TCL 0 to 7). Markdown shows that of the API. */
  readonly tcl?: boolean | undefined;
  /** Suggest requests that close gaps, in HTML and Markdown too, or leave them out (default: suggest). */
  readonly suggestions?: boolean | undefined;
  /** Group operations by tag (their first one) or path (its first segment). */
  readonly groupBy?: "tag" | "path" | undefined;
  /** Sort operations by gaps, hits (most first), coverage (lowest first) or path (default: the description's order). */
  readonly sort?: "gaps" | "hits" | "coverage" | "path" | undefined;
  /**
   * Show only the first N operations, or N of each group. With all, `showMissing` and the findings list everything,
   * however long. Totals don't change.
   */
  readonly top?: number | "all" | undefined;
  /** Turn colour on or off (default: from NO_COLOR, FORCE_COLOR, then the terminal). */
  readonly color?: boolean | undefined;
  /**
   * Fail the run if any dimension is below this percentage. Skips dimensions with nothing to cover, and responses if
   * none was recorded.
   */
  readonly failUnder?: number | undefined;
  /** Threshold for operations called (default: `failUnder`). */
  readonly failUnderOperations?: number | undefined;
  /** Threshold for parameters sent (default: `failUnder`). */
  readonly failUnderParameters?: number | undefined;
  /** Threshold for schema keywords seen passing or failing (default: `failUnder`). */
  readonly failUnderKeywords?: number | undefined;
  /** Threshold for documented examples used (default: `failUnder`). */
  readonly failUnderExamples?: number | undefined;
  /** Threshold for documented responses received (default: `failUnder`). If set, a run without responses fails. */
  readonly failUnderResponses?: number | undefined;
  /** Threshold for schema keywords seen passing and failing. Without it, they are not checked. */
  readonly failUnderKeywordsFull?: number | undefined;
  /** Threshold for operations answered with 2xx or 3xx. If set, a run without responses fails. */
  readonly failUnderSucceeded?: number | undefined;
  /** Threshold for rules that the API has proven to enforce. If set, a run without responses fails. */
  readonly failUnderEnforcement?: number | undefined;
  /** Threshold for schema keywords of responses seen. If set, a run without response bodies fails. */
  readonly failUnderResponseKeywords?: number | undefined;
  /** Threshold for the test coverage level, from 0 to 7. */
  readonly minTcl?: number | undefined;
  /**
   * Fail the run on these conditions: no-traffic, stale-exclusions, new-gaps, uncovered-additions,
   * decrease[=DIMENSION], new-findings, all findings, or a kind of these, such as server_error.
   */
  readonly failOn?: string | readonly string[] | undefined;
}

type Name = Exclude<keyof RunOptions, "config">;

/** The entry of each option in the table that commands and the config file share. */
const ENTRIES: Readonly<Record<Name, Option>> = RUN_OPTIONS;
const NAMES: readonly string[] = [...Object.keys(RUN_OPTIONS), "config"];

/** Options that commands always have; undefined if not given. */
const ABSENT = {
  basePath: undefined,
  title: undefined,
  baseline: undefined,
  top: undefined,
  color: undefined,
  ...NO_THRESHOLDS,
};

/** The options of a run, checked. */
export interface ReadOptions {
  readonly options: PublishOptions;
  readonly outputs: readonly Output[];
  /** Guards the outputs. */
  readonly guard: OutputGuard;
  /** False if the processes of tests leave out the bodies of responses. */
  readonly responseBodies: boolean;
}

/**
 * Checks the options of a run, which may come from a file or from plain JavaScript, and adds those of the config file.
 *
 * @param place The source of the options in error messages.
 * @param root The folder that paths are relative to (default: the working directory).
 * @throws {CommandError} if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * import { readRunOptions } from "./run_options.ts";
 * import assert from "node:assert/strict";
 *
 * const { outputs } = readRunOptions({ schema: "openapi.yaml", format: "json" }, "covtool.json");
 * assert.deepEqual(outputs, [
 *   { format: "json", path: "coverage.json" },
 *   { format: "text", path: undefined },
 * ]);
 * ```
 */
export function readRunOptions(given: RunOptions, place: string, root?: string): ReadOptions {
  const problem = problemOf(given as Readonly<Record<string, unknown>>);
  if (problem !== undefined) throw new CommandError(`${place}: ${problem}`);
  const { options: all, apis } = withConfig(given, root);
  const options: PublishOptions = {
    ...publishOptions(all, place, root),
    apis: apis?.map(({ options, name, hosts, source }): ApiPublishOptions => ({
      ...publishOptions(options, place, root),
      name,
      hosts,
      source,
    })),
  };
  const { print = true, responseBodies = true, output } = all;
  const outputs = outputsOf(options.formats, output, print, place).map(({ format, path }) => ({
    format,
    path: path === undefined ? undefined : pathIn(root, path),
  }));
  return { options, outputs, guard: guardOf(options, outputs, place), responseBodies };
}

/** The options of a run, or of one of several APIs, as reports take them. */
function publishOptions(
  all: RunOptions,
  place: string,
  root: string | undefined,
): PublishOptions {
  const listOf = <T>(name: Name): readonly T[] =>
    // The table says how each option is read.
    readOption(ENTRIES[name].kind, all[name] ?? []) as readonly T[];
  const valueOf = <T>(name: Name): T | undefined =>
    all[name] === undefined ? undefined : readOption(ENTRIES[name].kind, all[name]) as T;
  const scopeOf = (name: "include" | "exclude") =>
    listOf<string | ScopeEntry>(name).map((entry): ScopeEntry => ({
      source: place,
      ...(typeof entry === "string" ? { pattern: entry } : entry),
    }));
  const {
    format: _format,
    config: _config,
    print: _print,
    responseBodies: _responseBodies,
    schema,
    output,
    baseReport,
    ...others
  } = all;
  const { baseline = baseReport } = others;
  if (schema === undefined) {
    throw new CommandError(`${place}: schema is missing. Set it to an OpenAPI file or URL.`);
  }
  return {
    ...ABSENT,
    ...others,
    schema: /^(?:https?|file):/i.test(schema) ? schema : pathIn(root, schema),
    baseline: baseline === undefined ? undefined : pathIn(root, baseline),
    formats: listOf<OutputChoice>("format"),
    output,
    include: scopeOf("include"),
    exclude: scopeOf("exclude"),
    failOn: listOf("failOn"),
    badgeDimensions: listOf("badgeDimensions"),
    show: listOf("show"),
    showMissing: listOf("showMissing"),
    allowRemoteRefs: others.allowRemoteRefs === true,
    allowRefsOutside: listOf<string>("allowRefsOutside").map((path) => pathIn(root, path)),
    skipCovered: others.skipCovered === true,
    skipEmpty: others.skipEmpty === true,
    tcl: others.tcl === true,
    groupBy: valueOf("groupBy"),
    sort: valueOf("sort"),
  };
}

/** Guards the reports, and checks conditions and baseline, from the start of the run, so that a mistake costs no run of the tests. */
function guardOf(options: PublishOptions, outputs: readonly Output[], place: string): OutputGuard {
  try {
    for (const api of options.apis ?? [options]) {
      checkConditions(api.failOn.flat(), api);
      checkBaseline(api.baseline);
    }
    return new OutputGuard(guardedReports(outputs));
  } catch (error) {
    throw error instanceof OverwriteError || error instanceof CommandError
      ? new CommandError(`${place}: ${error.message}`)
      : error;
  }
}

/** The path as it is where it is relative to the working directory, since it is shown. */
function pathIn(root: string | undefined, path: string): string {
  return root === undefined || resolve(root) === process.cwd() ? path : resolve(root, path);
}

function problemOf(given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (!NAMES.includes(name)) {
      return formatMessage(unknownChoice("option", name, NAMES), { quotes: false });
    }
    if (value === undefined) continue;
    if (name === "config" && value === false) continue;
    const { kind } = name === "config" ? { kind: PATH } : ENTRIES[name as Name];
    const problem = optionProblem(name, kind, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The text alone goes to standard output, which belongs to the runner; the others go to files. */
function outputsOf(
  formats: readonly OutputChoice[],
  output: string | undefined,
  print: boolean,
  place: string,
): Output[] {
  const files = formats.filter(({ format, path }) => format !== "text" || path !== undefined);
  const choices = output === undefined || files.length > 0 ? files : formats.length > 0
    ? formats // the text alone, in a file too
    : [{ format: DEFAULT_FORMAT, path: undefined }];
  if (output !== undefined && (choices.length > 1 || choices[0]?.path !== undefined)) {
    const each = choices.map(({ format, path }) =>
      `"${format}=${path ?? defaultFileName(format)}"`
    );
    throw new CommandError(
      `${place}: output works with a single report. Use format: [${each.join(", ")}] instead.`,
    );
  }
  const named = choices.map(({ format, path }) => ({
    format,
    path: path ?? (output === undefined ? defaultFileName(format) : undefined),
  }));
  const written = named.length === 0 ? [] : chooseOutputs(named, output);
  return print ? [...written, { format: "text", path: undefined }] : [...written];
}
