import { parseBasePath } from "../map/base_path.ts";
import { REPORTERS } from "../report/reporters.ts";
import { NO_THRESHOLDS } from "../run/publish_options.ts";
import type { RunCommand } from "./command.ts";
import { configPath } from "./config_path.ts";
import { report } from "./report.ts";
import type { GivenReportOptions } from "./report_options.ts";
import { readPercent } from "./values/read_percent.ts";

/** What an argument says. */
type Given = Partial<GivenReportOptions>;

const NONE_GIVEN: GivenReportOptions = {
  schema: undefined,
  traffic: [],
  config: undefined,
  noConfig: false,
  switchedOff: [],
  watch: false,
  formats: [],
  output: undefined,
  baseline: undefined,
  badgeDimensions: [],
  basePath: undefined,
  allowRemoteRefs: false,
  allowRefsOutside: [],
  title: undefined,
  include: [],
  exclude: [],
  env: [],
  logFormat: undefined,
  carry: false,
  ...NO_THRESHOLDS,
  failOn: [],
  skipCovered: false,
  skipEmpty: false,
  showMissing: [],
  show: [],
  tcl: false,
  suggestions: undefined,
  groupBy: undefined,
  sort: undefined,
  top: undefined,
  color: undefined,
  jobs: undefined,
};

const SWITCHES: ReadonlyMap<string, Given> = new Map<string, Given>([
  ["--no-config", { noConfig: true }],
  ["--skip-covered", { skipCovered: true }],
  ["--no-suggestions", { suggestions: false }],
  ["--color", { color: true }],
  ["--no-color", { color: false }],
]);

/** Reads the value of an option; undefined if it may be wrong. */
type ReadValue = (text: string) => Given | undefined;

const VALUES: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ["-o", (output) => ({ output })],
  ["--output", (output) => ({ output })],
  ["--config", (config) => ({ config })],
  ["--title", (title) => ({ title })],
  ["--base-path", readBasePath],
  ["--format", readFormat],
  ["--fail-under", (text) => {
    const failUnder = readPercent(text);
    return failUnder === undefined ? undefined : { failUnder };
  }],
]);

function readFormat(text: string): Given | undefined {
  const [name = "", ...path] = text.split("=");
  const reporter = REPORTERS.find((known) => known.name === name);
  if (reporter === undefined || path.length > 1 || path[0] === "") return undefined;
  return { formats: [{ format: reporter.name, path: path[0] }] };
}

function readBasePath(basePath: string): Given | undefined {
  try {
    parseBasePath(basePath);
    return { basePath };
  } catch {
    return undefined;
  }
}

/**
 * Reads the arguments of a plain `covtool report`: a description, recordings and the options that most runs have. The
 * library for options takes longer to load and read these than small recordings take to be measured.
 *
 * @returns the function that runs the command; undefined for anything else, wrong arguments included.
 */
export function readPlainReport(args: readonly string[]): RunCommand | undefined {
  const given = plainReportOptions(args);
  if (given === undefined) return undefined;
  const { schema } = given;
  return async (host) => {
    if (schema !== undefined && configPath(given) === undefined) {
      return await report({ ...given, schema }, host);
    }
    const { configuredReport } = await import("./configured.ts");
    return await report(configuredReport(given), host);
  };
}

/**
 * The options of a plain `covtool report`, as the library for options reads them; undefined for anything else.
 *
 * @example
 * ```ts
 * import { plainReportOptions } from "./plain_report.ts";
 * import assert from "node:assert/strict";
 *
 * const given = plainReportOptions(["report", "api.yaml", "a.har", "b.har", "--format=text"]);
 * assert.deepEqual(given?.traffic, ["a.har", "b.har"]);
 * assert.equal(plainReportOptions(["report", "api.yaml", "a.har", "--help"]), undefined);
 * ```
 */
export function plainReportOptions(args: readonly string[]): GivenReportOptions | undefined {
  const [command, ...rest] = args;
  if (command !== "report") return undefined;
  const paths: string[] = [];
  let given: Given = {};
  while (rest.length > 0) {
    const arg = rest.shift() as string; // there is one
    if (isText(arg)) paths.push(arg);
    else {
      const said = readOption(arg, rest);
      if (said === undefined || isSaidAgain(said, given)) return undefined;
      given = { ...given, ...said, formats: [...given.formats ?? [], ...said.formats ?? []] };
    }
  }
  const [schema, ...traffic] = paths;
  // A config file may say the rest.
  return traffic.length === 0 ? undefined : { ...NONE_GIVEN, ...given, schema, traffic };
}

/** Reads an option, and takes its value from the arguments behind it if need be; undefined if it may be wrong. */
function readOption(arg: string, behind: string[]): Given | undefined {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  if (equals < 0 && SWITCHES.has(arg)) return SWITCHES.get(arg);
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const read = VALUES.get(name);
  if (read === undefined) return undefined;
  const text = equals < 0 ? behind.shift() : arg.slice(equals + 1);
  return text !== undefined && isText(text) ? read(text) : undefined;
}

/** True if an option was given before that can only be given once. */
function isSaidAgain(said: Given, before: Given): boolean {
  return Object.keys(said).some((name) => name !== "formats" && Object.hasOwn(before, name));
}

/** True for what can't be meant as an option, nor be missing. */
function isText(arg: string): boolean {
  return arg !== "" && (arg === "-" || !arg.startsWith("-"));
}
