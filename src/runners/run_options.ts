import { resolve } from "node:path";
import process from "node:process";
import { OutputGuard, OverwriteError } from "../files/output_guard.ts";
import type { Dimension } from "../map/results.ts";
import type { ScopeEntry } from "../map/scope_pattern.ts";
import { DEFAULT_FORMAT, defaultFileName } from "../report/reporters.ts";
import { CommandError } from "../run/command_error.ts";
import { findConfig } from "../run/config/find_config.ts";
import { type Config, readConfig } from "../run/config/read_config.ts";
import { checkConditions } from "../run/fail_on.ts";
import { type Option, optionKeys, unknownChoice } from "../run/options/option.ts";
import { optionProblem } from "../run/options/option_kind.ts";
import type { OutputChoice } from "../run/options/option_kinds.ts";
import { type GivenValues, GROUPS, optionsIn, RUNNER_GROUPS } from "../run/options/options.ts";
import { readOption, resolveApis, resolveOptions } from "../run/options/resolve_options.ts";
import { chooseOutputs, guardedReports, hitsPath, type Output } from "../run/outputs.ts";
import { checkBaseline, type PublishOptions, suggestArguments } from "../run/publish_options.ts";

/** Options of a test run: those of `covtool report`, under the same names. */
export interface RunOptions {
  /**
   * Config file, with options that are not given here (default: `covtool.yaml` or `covtool.json` in the root folder of
   * the runner, or above it); false for none.
   */
  readonly config?: string | false | undefined;
  // Written by scripts/config_schema.ts from src/run/options/options.ts.
  /** OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL. Required, here or in the config file. */
  readonly schema?: string | undefined;
  /** Path prefix (default: from `servers`), such as /api/v1. With a full URL, requests must match its host too. */
  readonly basePath?: string | undefined;
  /** Fetch http: and https: references (default: don't fetch; accept any value there). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Allow references to files in this folder, outside the description's own. */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** OpenAPI Overlay (1.0 or 1.1) to apply to the description first: a file or an http(s) URL. */
  readonly overlay?: string | readonly string[] | undefined;
  /**
   * Count the classes of valid values (members of enums, limits, empty texts and lists, …), or leave them out (default:
   * count).
   */
  readonly values?: boolean | undefined;
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
   * `cobertura`, `sarif`, `junit`, `badge`, `overlay` or `hits`, each optionally with a path: `json=reports/api.json`.
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
  readonly badgeDimensions?: "all" | Dimension | readonly ("all" | Dimension)[] | undefined;
  /** Hide fully covered operations. Totals don't change. */
  readonly skipCovered?: boolean | undefined;
  /** Hide operations without traffic. Totals don't change. */
  readonly skipEmpty?: boolean | undefined;
  /** List what isn't covered in these dimensions: operations, parameters, keywords, examples, responses, or all. */
  readonly showMissing?: "all" | Dimension | readonly ("all" | Dimension)[] | undefined;
  /**
   * List what reports leave out otherwise: undocumented-properties (properties of responses that the description
   * doesn't declare). Recording looks for them only with this.
   */
  readonly show?: "undocumented-properties" | readonly "undocumented-properties"[] | undefined;
  /** Show test coverage levels (TCL 0 to 7). Markdown shows that of the API. */
  readonly tcl?: boolean | undefined;
  /** Suggest requests that close gaps, in HTML and Markdown too, or leave them out (default: suggest). */
  readonly suggestions?: boolean | undefined;
  /**
   * Tests that the page copies suggested requests as: vitest, jest, node-test, deno-test, playwright, supertest,
   * pytest, junit, go-test, hurl, k6 (default: none).
   */
  readonly testFormat?:
    | "vitest"
    | "jest"
    | "node-test"
    | "deno-test"
    | "playwright"
    | "supertest"
    | "pytest"
    | "junit"
    | "go-test"
    | "hurl"
    | "k6"
    | undefined;
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
  /**
   * Threshold for parts of responses whose changes tests notice (covtool mutate). If set, a run without changes fails.
   */
  readonly failUnderNoticed?: number | undefined;
  /**
   * Threshold for expectations of who may do what that were tried (identities in the config file). If set, a run that
   * shows no identity fails.
   */
  readonly failUnderAccess?: number | undefined;
  /**
   * Threshold for classes of valid values sent. Without it, they are not checked. If set, a run that does not count
   * values fails.
   */
  readonly failUnderValues?: number | undefined;
  /** Threshold for the test coverage level, from 0 to 7. */
  readonly minTcl?: number | undefined;
  /**
   * Fail the run on conditions: no-traffic, stale-exclusions, new-gaps, uncovered-additions, decrease[=DIMENSION],
   * unnoticed-bodies, new-findings, all findings, or a kind, such as server_error.
   */
  readonly failOn?: string | readonly string[] | undefined;
  // End of what is written.
}

const OPTIONS = optionsIn(RUNNER_GROUPS);

const BY_KEY: ReadonlyMap<string, Option> = new Map([
  ...OPTIONS.flatMap(({ name, option }) =>
    optionKeys(name, option).map((key): [string, Option] => [key, option])
  ),
  ["config", GROUPS.settings.options.config],
]);

export interface ReadOptions {
  readonly options: PublishOptions;
  readonly outputs: readonly Output[];
  readonly guard: OutputGuard;
  readonly responseBodies: boolean;
}

/** The options may come from a file or from plain JavaScript. Adds those of the config file. */
export function readRunOptions(given: RunOptions, place: string, root?: string): ReadOptions {
  const raw: Readonly<Record<string, unknown>> = { ...given };
  const problem = findProblem(raw);
  if (problem !== undefined) throw new CommandError(`${place}: ${problem}`);
  const own = givenValues(raw, place, root);
  const config = readChosenConfig(given.config, root);
  const apis = config === undefined || own.schema !== undefined || config.apis.length === 0
    ? undefined
    : resolveApis(RUNNER_GROUPS, own, config, "basePath");
  const { print = true, responseBodies = true, schema = apis && config?.path, ...shared } =
    resolveOptions(RUNNER_GROUPS, own, config);
  if (schema === undefined) {
    throw new CommandError(`${place}: schema is missing. Set it to an OpenAPI file or URL.`);
  }
  const outputs = runOutputs(shared.formats, shared.output, print, place).map((
    { format, path },
  ) => ({ format, path: path === undefined ? undefined : pathIn(root, path) }));
  const kept = [hitsPath(outputs) ?? []].flat();
  const settings = given.config === false ? { noConfig: true } : { config: given.config };
  const inputsFor = (schema: string, given: object) =>
    suggestArguments(kept, [schema, ...kept], { ...given, ...settings });
  const options: PublishOptions = {
    ...shared,
    schema,
    config: config?.path,
    inputs: inputsFor(schema, own),
    apis: apis?.map((api) => ({ ...api, inputs: inputsFor(api.schema, api.own) })),
  };
  return { options, outputs, guard: makeGuard(options, outputs, place), responseBodies };
}

function givenValues(
  raw: Readonly<Record<string, unknown>>,
  place: string,
  root: string | undefined,
): GivenValues<(typeof RUNNER_GROUPS)[number]> {
  const values: Record<string, unknown> = {};
  for (const { name, option } of OPTIONS) {
    const key = optionKeys(name, option).find((key) => raw[key] !== undefined);
    if (key === undefined) continue;
    const value = readOption(option, raw[key]);
    const { path } = option.kind;
    if (path === undefined || path === "after_equals") values[name] = value;
    else if (Array.isArray(value)) values[name] = value.map((item) => pathIn(root, String(item)));
    else values[name] = pathIn(root, String(value));
  }
  for (const name of ["include", "exclude"]) {
    values[name] = ([values[name] ?? []].flat() as (string | ScopeEntry)[]).map((entry) => ({
      source: place,
      ...(typeof entry === "string" ? { pattern: entry } : entry),
    }));
  }
  return values; // the table of options gives the type of each value
}

/** Paths are shown to users, so a path that already is relative to the working directory stays as it is. */
function pathIn(root: string | undefined, path: string): string {
  const isHere = root === undefined || resolve(root) === process.cwd();
  return isHere || path === "-" || /^(?:https?|file):/i.test(path) ? path : resolve(root, path);
}

function findProblem(given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(given)) {
    const option = BY_KEY.get(key);
    if (option === undefined) return unknownChoice("option", key, [...BY_KEY.keys()]);
    if (value === undefined || key === "config" && value === false) continue;
    const problem = optionProblem(key, option, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function configNamesSchema(given: Pick<RunOptions, "config">, root?: string): boolean {
  try {
    const config = readChosenConfig(given.config, root);
    return config !== undefined && (config.options["schema"] ?? config.apis[0]) !== undefined;
  } catch {
    return true; // the run reports the mistake
  }
}

function readChosenConfig(
  config: RunOptions["config"],
  root: string | undefined,
): Config | undefined {
  if (config === false) return undefined;
  const path = config === undefined ? findConfig(root) : resolve(root ?? ".", config);
  return path === undefined ? undefined : readConfig(path, root);
}

/** Checks conditions, baseline and report files before the tests run, so that a mistake doesn't cost a run. */
function makeGuard(
  options: PublishOptions,
  outputs: readonly Output[],
  place: string,
): OutputGuard {
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

/** Only the text report goes to standard output, which belongs to the runner; all others are files. */
function runOutputs(
  formats: readonly OutputChoice[],
  output: string | undefined,
  print: boolean,
  place: string,
): Output[] {
  const files = formats.filter(({ format, path }) => format !== "text" || path !== undefined);
  const choices = output === undefined || files.length > 0 ? files : formats.length > 0
    ? formats // only the text report, in a file too
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
