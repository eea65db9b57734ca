import { resolve } from "node:path";
import process from "node:process";
import { formatMessage } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { CommandError } from "../run/command_error.ts";
import { OutputGuard, OverwriteError } from "../files/output_guard.ts";
import { chooseOutputs, guardedReports, type Output } from "../run/outputs.ts";
import type { PublishOptions } from "../run/publish_options.ts";
import { basePathValue } from "../run/values/base_path_value.ts";
import { dimensionsValue } from "../run/values/dimensions_value.ts";
import { type OutputChoice, outputValue } from "../run/values/output_value.ts";
import { unknownChoice } from "../run/values/unknown_choice.ts";
import type { Dimension } from "../map/results.ts";
import { DEFAULT_FORMAT, defaultFileName } from "../report/reporters.ts";

/** Options of a test run: those of `covtool report`, under the same names. */
export interface RunOptions {
  /** The OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL. */
  readonly schema: string;
  /** Path prefix, or a full URL to match the host too (default: from `servers`). */
  readonly basePath?: string | undefined;
  /** Fetch `http:` and `https:` references in the description (default: false). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own that it may refer to (default: none). */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** Report title (default: the description's title). */
  readonly title?: string | undefined;
  /**
   * Reports to write, in addition to the text that is printed (default: none): `html`, `json`, `markdown`, `lcov`,
   * `cobertura`, `sarif`, `junit` or `badge`, each optionally with a path: `json=reports/api.json`.
   */
  readonly format?: string | readonly string[] | undefined;
  /** File of a single report. */
  readonly output?: string | undefined;
  /** Print the text report when the tests are done (default: true). If false, a summary is printed. */
  readonly print?: boolean | undefined;
  /** An earlier JSON report: Markdown then shows the change against it. */
  readonly baseReport?: string | undefined;
  /** Dimensions of the badge (default: operations and keywords). */
  readonly badgeDimensions?: readonly Dimension[] | undefined;
  /** Text: hide fully covered operations. Totals don't change. */
  readonly skipCovered?: boolean | undefined;
  /** Text: hide operations without traffic. Totals don't change. */
  readonly skipEmpty?: boolean | undefined;
  /** Text: list what isn't covered in these dimensions. */
  readonly showMissing?: "all" | readonly Dimension[] | undefined;
  /** Text: turn colour on or off (default: from the environment). */
  readonly color?: boolean | undefined;
  /** Fail the run if any dimension is below this percentage. */
  readonly failUnder?: number | undefined;
  /** Threshold for operations called (default: `failUnder`). */
  readonly failUnderOperations?: number | undefined;
  /** Threshold for parameters sent (default: `failUnder`). */
  readonly failUnderParameters?: number | undefined;
  /** Threshold for schema keywords seen passing or failing (default: `failUnder`). */
  readonly failUnderKeywords?: number | undefined;
  /** Threshold for documented examples used (default: `failUnder`). */
  readonly failUnderExamples?: number | undefined;
  /** Threshold for documented responses received (default: `failUnder`). */
  readonly failUnderResponses?: number | undefined;
}

type Kind = readonly [what: string, isRight: (value: unknown) => boolean];

const TEXT: Kind = [
  "a non-empty string",
  (value) => typeof value === "string" && value !== "",
];
const SWITCH: Kind = ["true or false", (value) => typeof value === "boolean"];
const PERCENTAGE: Kind = [
  "a percentage from 0 to 100",
  (value) => typeof value === "number" && value >= 0 && value <= 100,
];
const LIST: Kind = [
  "a string or a list of strings",
  (value) => [value].flat().every((item) => typeof item === "string"),
];

const KINDS: Readonly<Record<keyof RunOptions, Kind>> = {
  schema: TEXT,
  basePath: TEXT,
  allowRemoteRefs: SWITCH,
  allowRefsOutside: LIST,
  title: TEXT,
  format: LIST,
  output: TEXT,
  print: SWITCH,
  baseReport: TEXT,
  badgeDimensions: LIST,
  skipCovered: SWITCH,
  skipEmpty: SWITCH,
  showMissing: LIST,
  color: SWITCH,
  failUnder: PERCENTAGE,
  failUnderOperations: PERCENTAGE,
  failUnderParameters: PERCENTAGE,
  failUnderKeywords: PERCENTAGE,
  failUnderExamples: PERCENTAGE,
  failUnderResponses: PERCENTAGE,
};
const NAMES: readonly string[] = Object.keys(KINDS);

/** Options that commands always have; undefined if not given. */
const ABSENT = {
  basePath: undefined,
  title: undefined,
  baseReport: undefined,
  color: undefined,
  failUnder: undefined,
  failUnderOperations: undefined,
  failUnderParameters: undefined,
  failUnderKeywords: undefined,
  failUnderExamples: undefined,
  failUnderResponses: undefined,
};

/** The options of a run, checked. */
export interface ReadOptions {
  readonly options: PublishOptions;
  readonly outputs: readonly Output[];
  /** Guards the outputs. */
  readonly guard: OutputGuard;
}

/**
 * Checks the options of a run, which may come from a file or from plain JavaScript.
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
  const problem = problemOf(given as unknown as Readonly<Record<string, unknown>>);
  if (problem !== undefined) throw new CommandError(`${place}: ${problem}`);
  const parse = <T>(name: keyof RunOptions, parser: ValueParser<"sync", T>): T[] =>
    [given[name] ?? []].flat().map((item) => {
      const result = parser.parse(String(item));
      if (result.success) return result.value;
      const reason = formatMessage(result.error, { quotes: false }).replace(/\s*\n\s*/g, " ");
      throw new CommandError(`${place}: ${name}: ${reason}`);
    });
  parse("basePath", basePathValue());
  const { format: _format, print = true, output, ...others } = given;
  const formats = parse("format", outputValue());
  const options: PublishOptions = {
    ...ABSENT,
    ...others,
    schema: /^(?:https?|file):/i.test(others.schema) ? others.schema : pathIn(root, others.schema),
    baseReport: others.baseReport === undefined ? undefined : pathIn(root, others.baseReport),
    formats,
    output,
    badgeDimensions: parse("badgeDimensions", dimensionsValue()),
    showMissing: parse("showMissing", dimensionsValue()),
    allowRemoteRefs: others.allowRemoteRefs === true,
    allowRefsOutside: [others.allowRefsOutside ?? []].flat().map((path) => pathIn(root, path)),
    skipCovered: others.skipCovered === true,
    skipEmpty: others.skipEmpty === true,
  };
  const outputs = outputsOf(formats, output, print, place).map(({ format, path }) => ({
    format,
    path: path === undefined ? undefined : pathIn(root, path),
  }));
  return { options, outputs, guard: guardOf(outputs, place) };
}

/** Guards the reports from the start of the run, so that a mistake costs no run of the tests. */
function guardOf(outputs: readonly Output[], place: string): OutputGuard {
  try {
    return new OutputGuard(guardedReports(outputs));
  } catch (error) {
    throw error instanceof OverwriteError ? new CommandError(`${place}: ${error.message}`) : error;
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
    const [what, isRight] = KINDS[name as keyof RunOptions];
    if (!isRight(value)) return `${name} must be ${what}.`;
  }
  return given["schema"] === undefined
    ? "schema is missing. Set it to an OpenAPI file or URL."
    : undefined;
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
