import { REPORT_FORMATS } from "../../report/reporters.ts";
import { GROUPINGS, SORTINGS } from "../../report/text/arrange_operations.ts";
import { groupingValue, sortingValue } from "../values/arrangement_values.ts";
import { basePathValue } from "../values/base_path_value.ts";
import { FAIL_ON_KINDS, usualConditions } from "../fail_on.ts";
import { failOnValue } from "../values/fail_on_value.ts";
import { DIMENSIONS } from "../../map/results.ts";
import { dimensionsValue } from "../values/dimensions_value.ts";
import { compareFailOnValue } from "../values/compare_fail_on_value.ts";
import { outputValue, outputValueOf } from "../values/output_value.ts";
import { USAGE_REPORTERS } from "../../report/usage/usage_reporters.ts";
import { logFormatValue } from "../values/log_format_value.ts";
import { scopePatternValue } from "../values/scope_pattern_value.ts";
import { SHOWN_LISTS, showValue } from "../values/show_value.ts";
import { sizeValue } from "../values/size_value.ts";
import {
  integerFrom,
  listOf,
  LOCATION,
  type OptionKind,
  PATH,
  PERCENTAGE,
  sizeOf,
  SWITCH,
  TEXT,
  textOf,
} from "./option_kind.ts";

/** An option of commands, test runners and the config file. To add one, add its line to the tables below. */
export interface Option {
  /** Its values. */
  readonly kind: OptionKind;
  /** Its name on the command line (default: `--` and its own in kebab case); an argument by its metavar. */
  readonly flag?: string;
  /** The property that holds it in the options that commands read (default: its name). */
  readonly property?: string;
  /** The text about its key, where that of the command line does not fit it. */
  readonly description?: string;
}

const DIMENSION_LIST: OptionKind = {
  ...listOf(textOf(dimensionsValue)),
  schema: { enum: [...DIMENSIONS, "all"] },
};

const SHOW_LIST: OptionKind = {
  ...listOf(textOf(showValue)),
  schema: { enum: SHOWN_LISTS },
};

const FAIL_ON_LIST: OptionKind = {
  ...listOf(textOf(failOnValue)),
  schema: { enum: FAIL_ON_KINDS.flatMap(usualConditions) },
};

const SCOPE_LIST: OptionKind = {
  ...listOf(textOf(scopePatternValue)),
  what: "a pattern, { pattern, reason, until }, or a list of these",
  isRight: isScopeEntry,
  schema: {
    anyOf: [{ type: "string", minLength: 1 }, {
      type: "object",
      required: ["pattern"],
      additionalProperties: false,
      properties: {
        pattern: { type: "string", minLength: 1 },
        reason: { type: "string" },
        until: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" },
      },
    }],
  },
};

/** A pattern, alone or with a reason and a date; what they say is checked when they are read. */
function isScopeEntry(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "pattern") &&
    Object.entries(value).every(([name, text]) =>
      typeof text === "string" && ["pattern", "reason", "until", "source"].includes(name)
    );
}

const FORMAT_LIST: OptionKind = {
  ...listOf(textOf(outputValue)),
  schema: {
    anyOf: [
      { enum: REPORT_FORMATS },
      { type: "string", pattern: `^(${REPORT_FORMATS.join("|")})=.+$` },
    ],
  },
  path: "after_equals",
};

const TOP: OptionKind = {
  what: 'a number of operations, or "all"',
  isRight: (value) => value === "all" || Number.isInteger(value) && Number(value) >= 0,
  schema: { anyOf: [{ type: "integer", minimum: 0 }, { const: "all" }] },
};

/** Options of commands and test runners. */
export const RUN_OPTIONS = {
  schema: { kind: LOCATION, flag: "SCHEMA" },
  basePath: { kind: textOf(basePathValue) },
  allowRemoteRefs: { kind: SWITCH },
  allowRefsOutside: { kind: listOf(PATH) },
  title: { kind: TEXT },
  include: { kind: SCOPE_LIST },
  exclude: { kind: SCOPE_LIST },
  format: { kind: FORMAT_LIST, property: "formats" },
  output: { kind: PATH },
  print: {
    kind: SWITCH,
    description:
      "Test runners: print the text report when the tests are done (default: true). If false, a summary is printed.",
  },
  responseBodies: {
    kind: SWITCH,
    description: "Record the bodies of responses (default: true).",
  },
  baseline: { kind: PATH },
  baseReport: { kind: PATH, property: "baseline", description: "Another name of baseline." },
  badgeDimensions: { kind: DIMENSION_LIST },
  skipCovered: { kind: SWITCH },
  skipEmpty: { kind: SWITCH },
  showMissing: { kind: DIMENSION_LIST },
  show: { kind: SHOW_LIST },
  tcl: { kind: SWITCH },
  suggestions: {
    kind: SWITCH,
    description: "HTML, text and Markdown: suggest requests that close gaps (default: true).",
  },
  groupBy: { kind: { ...textOf(groupingValue), schema: { enum: GROUPINGS } } },
  sort: { kind: { ...textOf(sortingValue), schema: { enum: SORTINGS } } },
  top: { kind: TOP },
  color: { kind: SWITCH },
  failUnder: { kind: PERCENTAGE },
  failUnderOperations: { kind: PERCENTAGE },
  failUnderParameters: { kind: PERCENTAGE },
  failUnderKeywords: { kind: PERCENTAGE },
  failUnderExamples: { kind: PERCENTAGE },
  failUnderResponses: { kind: PERCENTAGE },
  failUnderKeywordsFull: { kind: PERCENTAGE },
  failUnderSucceeded: { kind: PERCENTAGE },
  failUnderEnforcement: { kind: PERCENTAGE },
  failUnderResponseKeywords: { kind: PERCENTAGE },
  minTcl: { kind: integerFrom(0, 7) },
  failOn: { kind: FAIL_ON_LIST },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of commands alone. */
export const COMMAND_OPTIONS = {
  traffic: { kind: listOf(PATH), flag: "TRAFFIC" },
  env: { kind: listOf(PATH) },
  logFormat: { kind: textOf(logFormatValue) },
  carry: { kind: SWITCH },
  jobs: { kind: integerFrom(1, 64) },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of `covtool proxy` alone, which a config file has under `proxy`. */
export const PROXY_OPTIONS = {
  port: { kind: integerFrom(0, 65_535) },
  host: { kind: TEXT },
  reverse: { kind: TEXT },
  upstreamProxy: { kind: TEXT },
  insecure: { kind: SWITCH },
  intercept: { kind: listOf(TEXT) },
  passThrough: { kind: listOf(TEXT) },
  exportCa: { kind: PATH },
  verbose: { kind: SWITCH },
  saveTraffic: { kind: PATH },
  redact: {
    kind: SWITCH,
    flag: "--no-redact",
    property: "noRedact",
    description:
      "Mask passwords, tokens, keys and cookies in the saveTraffic file (default: true).",
  },
  bodyLimit: { kind: sizeOf(sizeValue) },
} as const satisfies Readonly<Record<string, Option>>;

const COMPARE_FORMAT_LIST: OptionKind = {
  ...listOf(textOf(() => outputValueOf(USAGE_REPORTERS, "html"))),
  schema: {
    anyOf: [
      { enum: USAGE_REPORTERS.map(({ name }) => name) },
      { type: "string", pattern: `^(${USAGE_REPORTERS.map(({ name }) => name).join("|")})=.+$` },
    ],
  },
  path: "after_equals",
};

/** Options of `covtool compare` alone, which a config file has under `compare`. */
export const COMPARE_OPTIONS = {
  tests: { kind: listOf(PATH) },
  production: { kind: listOf(PATH) },
  productionBasePath: { kind: textOf(basePathValue) },
  format: {
    kind: COMPARE_FORMAT_LIST,
    property: "compareFormats",
    description: "Report to write: html (default), json, text or markdown, optionally with a path.",
  },
  output: {
    kind: PATH,
    property: "compareOutput",
    description: "File for a single report; - for standard output.",
  },
  failOn: {
    kind: listOf(textOf(compareFailOnValue)),
    property: "compareFailOn",
    description:
      "Exit with 1 on these conditions: `untested-used`, with `=N%` only for what makes up N% of production's requests or more, and `no-traffic`.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** Options that only the command line has, with the reason. */
export const COMMAND_LINE_ONLY: Readonly<Record<string, string>> = {
  "COMMAND": "It is what differs from run to run.",
  "HITS": "They are what differs from run to run.",
  "--print-ca-help": "It prints and exits.",
  "--config": "It names the file.",
  "--no-config": "It passes the file over.",
  "--watch": "It is another way to run, for a person at a terminal.",
};

/** The name of an option on the command line: `failUnder` as `--fail-under`. */
export function flagOf(name: string, { flag }: Option): string {
  return flag ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
