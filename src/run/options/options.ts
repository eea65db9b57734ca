import {
  DEFAULT_FORMAT,
  defaultFileName,
  formatList,
  REPORT_FORMATS,
} from "../../report/reporters.ts";
import { FORMATS, formatTitles } from "../../traffic/formats/formats.ts";
import { FAIL_ON_KINDS } from "../fail_on.ts";
import { COMMAND_GROUPS } from "./command_options.ts";
import {
  argument,
  group,
  many,
  negatable,
  one,
  type Option,
  type OptionGroup,
  rest,
  toggle,
} from "./option.ts";
import { integer, path, text } from "./option_kind.ts";
import {
  BASE_PATH,
  DIMENSION_LIST,
  FAIL_ON,
  GROUPING,
  LOG_FORMAT,
  OUTPUT,
  PERCENTAGE,
  SCOPE,
  SHOWN_LIST,
  SORTING,
  TEST_FORMAT,
  TOP,
} from "./option_kinds.ts";

const DESCRIPTION_FILES = [".json", ".yaml", ".yml"];
const FAIL_ON_USAGE = FAIL_ON_KINDS.filter(({ isFinding }) => isFinding !== true)
  .map(({ name, argument }) => argument === undefined ? name : `${name}[=${argument.metavar}]`)
  .join(", ");

const COLOR = negatable(
  "Turn colour on or off (default: from NO_COLOR, FORCE_COLOR, then the terminal).",
);

const RESPONSE_BODIES = negatable(
  "Record the bodies of responses, or only their headers (default: with bodies).",
  { keyHelp: "Record the bodies of responses (default: true)." },
);

/**
 * All options, in groups by their heading in help. A command takes some groups (`src/cli/command_groups.ts`), test
 * runners take {@linkcode RUNNER_GROUPS}. Arguments, help, completion, the config file with its JSON Schema, the options
 * of test runners and their documentation derive from these entries.
 */
export const GROUPS = {
  schema: group(undefined, {
    schema: argument(
      { ...path("SCHEMA", DESCRIPTION_FILES), path: "unless_url" },
      "OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL.",
      {
        runnerHelp:
          "OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL. Required, here or in the config file.",
      },
    ),
  }),
  description: group("API description", {
    basePath: one(
      BASE_PATH,
      "Path prefix (default: from `servers`), such as /api/v1. With a full URL, requests must match its host too.",
      { perApi: true },
    ),
    allowRemoteRefs: toggle(
      "Fetch http: and https: references (default: don't fetch; accept any value there).",
      { perApi: true },
    ),
    allowRefsOutside: many(
      path("DIR"),
      "Allow references to files in this folder, outside the description's own. Can be repeated.",
      { perApi: true },
    ),
    overlay: many(
      { ...path("FILE", DESCRIPTION_FILES), path: "unless_url" },
      "OpenAPI Overlay (1.0 or 1.1) to apply to the description first: a file or an http(s) URL. Can be repeated.",
      { perApi: true },
    ),
    values: negatable(
      "Count the classes of valid values (members of enums, limits, empty texts and lists, …), or leave them out (default: count).",
      { keyHelp: "Count the classes of valid values (default: true)." },
    ),
  }),
  title: group("API description", {
    title: one(text("TEXT"), "Report title (default: the description's title).", { perApi: true }),
  }),
  settings: group("Settings", {
    config: one(
      path("PATH", DESCRIPTION_FILES),
      "Config file (default: covtool.yaml or covtool.json in this folder or above it).",
      { key: false },
    ),
    noConfig: toggle("Ignore config files.", { key: false }),
    ca: many(
      path("PATH", [".pem", ".crt"]),
      "File with certificate authorities to trust as well, in PEM format, for every HTTPS connection that covtool opens. Can be repeated.",
    ),
  }),
  scope: group("Scope", {
    include: many(
      SCOPE,
      'Measure only what matches: "GET /books/*", "/books/**", tag:NAME, operation:ID, deprecated, response:5XX, parameter:NAME or keyword:NAME. Can be repeated.',
    ),
    exclude: many(
      SCOPE,
      "Leave what matches out of every number, and list it in the reports. Can be repeated; wins over --include.",
    ),
  }),
  recordings: group(undefined, {
    traffic: rest(
      path("TRAFFIC"),
      `Recordings and hits: files, folders, globs, or - for standard input. Formats (detected, gzip too): ${
        formatTitles(FORMATS, "and")
      }.`,
    ),
  }),
  recordingOptions: group("Recordings", {
    env: many(
      path("FILE", [".json"]),
      "Postman environment or globals (exported as JSON) for variables in collections. Can be repeated; later values win.",
    ),
    logFormat: one(
      LOG_FORMAT,
      'Format of access logs as in the configuration of nginx ($remote_addr … "$request" $status) or Apache (%h … "%r" %>s). Common formats are detected without it.',
    ),
  }),
  hits: group("Hits", {
    carry: toggle(
      "Accept hits of an earlier description: keep the counts of what is the same in both, and list the rest.",
    ),
  }),
  reports: group("Reports", {
    formats: many(
      OUTPUT,
      `${
        formatList(REPORT_FORMATS).replace(DEFAULT_FORMAT, `${DEFAULT_FORMAT} (default)`)
      }, optionally with a path. Can be repeated. Without a path, HTML goes to ${
        defaultFileName(DEFAULT_FORMAT)
      }, hits to ${defaultFileName("hits")}, others to standard output.`,
      {
        key: "format",
        // Test runners print the text report anyway, and write reports without a path to files.
        runnerHelp: `Reports to write, in addition to the text that is printed (default: none): ${
          formatList(REPORT_FORMATS.filter((name) => name !== "text").map((name) => `\`${name}\``))
        }, each optionally with a path: \`json=reports/api.json\`.`,
      },
    ),
    output: one(path("PATH"), "File for a single report; - for standard output.", {
      short: "-o",
      runnerHelp: "File of a single report.", // standard output belongs to the runner
    }),
  }),
  reportLayout: group("Reports", {
    baseline: one(
      path("PATH", [".json", ".hits"]),
      "Earlier JSON report or hits file, such as the main branch's. Reports show what changed since.",
      { alias: "baseReport", perApi: true, judges: true },
    ),
    badgeDimensions: many(
      DIMENSION_LIST,
      "Comma-separated dimensions for the badge (default: operations,keywords).",
    ),
  }),
  responseBodies: group("Recording", { responseBodies: RESPONSE_BODIES }),
  probedBodies: group("Probing", { responseBodies: RESPONSE_BODIES }),
  thresholds: group("Thresholds", {
    failUnder: threshold(
      "Exit with 1 if any dimension is below this percentage. Skips dimensions with nothing to cover, and responses if none was recorded.",
    ),
    failUnderOperations: threshold("Threshold for operations called (default: --fail-under)."),
    failUnderParameters: threshold("Threshold for parameters sent (default: --fail-under)."),
    failUnderKeywords: threshold(
      "Threshold for schema keywords seen passing or failing (default: --fail-under).",
    ),
    failUnderExamples: threshold("Threshold for documented examples used (default: --fail-under)."),
    failUnderResponses: threshold(
      "Threshold for documented responses received (default: --fail-under). If set, a run without responses fails.",
    ),
    failUnderKeywordsFull: threshold(
      "Threshold for schema keywords seen passing and failing. Without it, they are not checked.",
    ),
    failUnderSucceeded: threshold(
      "Threshold for operations answered with 2xx or 3xx. If set, a run without responses fails.",
    ),
    failUnderEnforcement: threshold(
      "Threshold for rules that the API has proven to enforce. If set, a run without responses fails.",
    ),
    failUnderResponseKeywords: threshold(
      "Threshold for schema keywords of responses seen. If set, a run without response bodies fails.",
    ),
    failUnderNoticed: threshold(
      "Threshold for parts of responses whose changes tests notice (covtool mutate). If set, a run without changes fails.",
    ),
    failUnderAccess: threshold(
      "Threshold for expectations of who may do what that were tried (identities in the config file). If set, a run that shows no identity fails.",
    ),
    failUnderValues: threshold(
      "Threshold for classes of valid values sent. Without it, they are not checked. If set, a run that does not count values fails.",
    ),
    minTcl: judging(one(integer("N", 0, 7), "Threshold for the test coverage level, from 0 to 7.")),
    failOn: judging(many(
      FAIL_ON,
      `Exit with 1 on comma-separated conditions: ${FAIL_ON_USAGE} findings, or a kind, such as server_error. Can be repeated.`,
    )),
  }),
  textReports: group("Text reports", {
    skipCovered: toggle("Hide fully covered operations. Totals don't change."),
    skipEmpty: toggle("Hide operations without traffic. Totals don't change."),
    showMissing: many(
      DIMENSION_LIST,
      "List what isn't covered in these comma-separated dimensions: operations, parameters, keywords, examples, responses, or all.",
    ),
    show: many(
      SHOWN_LIST,
      "List what reports leave out otherwise: undocumented-properties (properties of responses that the description doesn't declare). Recording looks for them only with this.",
    ),
    tcl: toggle("Show test coverage levels (TCL 0 to 7). Markdown shows that of the API."),
    suggestions: negatable(
      "Suggest requests that close gaps, in HTML and Markdown too, or leave them out (default: suggest).",
      {
        keyHelp: "HTML, text and Markdown: suggest requests that close gaps (default: true).",
      },
    ),
    testFormat: one(
      TEST_FORMAT,
      "Tests that the page copies suggested requests as: vitest, jest, node-test, deno-test, playwright, supertest, pytest, junit, go-test, hurl, k6 (default: none).",
      { keyHelp: "Tests that the page copies suggested requests as (default: none)." },
    ),
    groupBy: one(
      GROUPING,
      "Group operations by tag (their first one) or path (its first segment).",
    ),
    sort: one(
      SORTING,
      "Sort operations by gaps, hits (most first), coverage (lowest first) or path (default: the description's order).",
    ),
    top: one(
      TOP,
      "Show only the first N operations, or N of each group. With all, --show-missing and the findings list everything, however long. Totals don't change.",
    ),
  }),
  color: group("Text reports", { color: COLOR }),
  plainColor: group(undefined, { color: COLOR }),
  print: group(undefined, {
    print: negatable(
      "Test runners: print the text report when the tests are done (default: true). If false, a summary is printed.",
      {
        runnerHelp:
          "Print the text report when the tests are done (default: true). If false, a summary is printed.",
        isRunnerOnly: true,
      },
    ),
  }),
  watching: group("Watching", {
    watch: toggle(
      "Measure again when an input changes, show what changed, and serve the report as a page that reloads itself. Ends on Ctrl+C.",
      { key: false },
    ),
  }),
  performance: group("Performance", {
    jobs: one(integer("N", 1, 64), "CPU cores (default: up to 4 for large recordings)."),
  }),
  ...COMMAND_GROUPS,
} as const;

/** Marks a requirement of a run: each of several APIs can have its own, and a run that only counts ignores it. */
function judging<Value>(option: Option<Value>): Option<Value> {
  return { ...option, perApi: true, judges: true };
}

function threshold(help: string): Option<number | undefined> {
  return judging(one(PERCENTAGE, help));
}

export const RUNNER_GROUPS = [
  "schema",
  "description",
  "title",
  "scope",
  "reports",
  "print",
  "responseBodies",
  "reportLayout",
  "textReports",
  "color",
  "thresholds",
] as const;

export type GroupName = keyof typeof GROUPS;

type OptionsIn<Name extends GroupName> = Name extends GroupName ? (typeof GROUPS)[Name]["options"]
  : never;
type NamesIn<Options> = Options extends unknown ? keyof Options : never;
type ValueIn<Options, Name extends PropertyKey> = Options extends
  { readonly [Own in Name]: Option<infer Value> } ? Value : never;

export type OptionValues<Name extends GroupName> = {
  readonly [Own in NamesIn<OptionsIn<Name>>]: ValueIn<OptionsIn<Name>, Own>;
};

export type GivenValues<Name extends GroupName> = {
  readonly [Own in keyof OptionValues<Name>]?: OptionValues<Name>[Own] | undefined;
};

export interface NamedOption {
  readonly name: string;
  readonly option: Option;
  readonly group: OptionGroup;
}

export function optionsIn(groups: readonly GroupName[]): readonly NamedOption[] {
  return groups.flatMap((groupName) => {
    const group: OptionGroup = GROUPS[groupName];
    return Object.entries(group.options).map(([name, option]) => ({ name, option, group }));
  });
}
