import { takeFirst } from "../values/collections.ts";
import { type Finding, type Gap, isDimensionGap } from "../map/results.ts";
import { operationName } from "../values/operation_name.ts";
import { resultIdentity } from "./comparison/comparison.ts";
import type { Report, ReportExclusion } from "./report.ts";
import { unnoticedParts, unnoticedText } from "./wording/noticed_wording.ts";
import type { ReportedApi } from "./reported_api.ts";
import type { SourceCoverage, SourcePosition } from "./source/source_coverage.ts";
import { namedGap } from "./text/gap_text.ts";
import { plainText } from "./text/plain_text.ts";
import { capitalized, formatAmount, sentenceList } from "./wording/amounts.ts";
import { findingGroups, type FindingKind, findingText } from "./wording/finding_wording.ts";
import {
  excludedAmounts,
  exclusionOrigin,
  lackResponseBodies,
  NO_RESPONSE_BODIES,
  notMeasuredText,
} from "./wording/summary_wording.ts";

/** The maximum number of results in a run: GitHub shows no more. */
export const MOST_RESULTS = 5000;

type SarifApi = ReportedApi<"source" | "view" | "failOnFindings">;

interface Rule {
  readonly id: Gap["kind"] | Finding["kind"] | "unnoticed";
  readonly level: "error" | "warning" | "note";
  readonly short: string;
  readonly full: string;
}

/** Most severe first: if there are too many results, the last ones are left out. */
const RULES: readonly Rule[] = [
  {
    id: "operation_uncovered",
    level: "warning",
    short: "Operation never called",
    full: "No recorded request matched this operation. Call it in a test.",
  },
  {
    id: "response_uncovered",
    level: "note",
    short: "Documented response never returned",
    full:
      "No recorded response has this status. Trigger it in a test, or remove it from the description.",
  },
  {
    id: "parameter_uncovered",
    level: "note",
    short: "Parameter never sent",
    full: "No recorded request carried this parameter. Send it in a test.",
  },
  {
    id: "keyword_uncovered",
    level: "note",
    short: "Keyword not fully covered",
    full:
      "No recorded value passed this keyword, or none failed it. Send valid and invalid values in tests.",
  },
  {
    id: "example_uncovered",
    level: "note",
    short: "Documented example never sent",
    full: "No recorded value equals this example. Send it in a test.",
  },
];

const SCHEMA =
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

function findingRule(
  { kind, title, description, isWarning }: FindingKind,
  failing: readonly Finding["kind"][],
): Rule {
  return {
    id: kind,
    level: failing.includes(kind) ? "error" : isWarning ? "note" : "warning",
    short: title,
    full: `${capitalized(description)}. Mend the API, or the description if that is wrong.`,
  };
}

/** The rule for unnoticed parts of responses. Only runs with changed responses have it. */
const UNNOTICED: Rule = {
  id: "unnoticed",
  level: "note",
  short: "No test notices a change",
  full:
    "All tests pass when this part of a response is changed on its way to them. Assert it in a test.",
};

interface Placed {
  readonly kind: Rule["id"];
  readonly message: string;
  readonly identity: string;
  readonly position: SourcePosition;
  readonly name: "gap/v1" | "finding/v1" | "unnoticed/v1";
  readonly state: { readonly baselineState?: "new" | "unchanged" };
}

/** Writes findings and gaps at their lines in SARIF 2.1.0, one run per API. Fingerprints don't depend on lines. */
export function generateSarifReport(apis: readonly SarifApi[]): Iterable<string> {
  // Not in the generator: `source()` determines the formatted copies, which callers need before writing starts.
  return sarifLog(apis.map((api) => sarifRun(api, api.input.source())));
}

function* sarifLog(runs: readonly Iterable<string>[]): Generator<string> {
  yield `{\n"$schema":${JSON.stringify(SCHEMA)},\n"version":"2.1.0",\n"runs":[`;
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield ",";
    yield* run;
  }
  yield "]\n}\n";
}

function* sarifRun(
  { name, report, input: { failOnFindings = [], view } }: SarifApi,
  source: SourceCoverage,
): Generator<string> {
  const groups = findingGroups(report.findings);
  const rules = [
    ...RULES,
    ...groups.map(({ kind }) => findingRule(kind, failOnFindings)),
    ...(report.noticed === undefined ? [] : [UNNOTICED]),
  ];
  const findPosition = findPositions(report, source);
  const { comparison } = report;
  const all = groups.flatMap(({ findings }) => findings);
  const findings = takeFirst(
    placedResults(all, comparison?.new_findings, findPosition, "finding/v1", findingText),
    MOST_RESULTS,
  );
  const others = [
    ...findings,
    ...takeFirst(placedUnnoticed(report, source), MOST_RESULTS - findings.length),
  ];
  const room = MOST_RESULTS - others.length;
  const open = report.gaps.filter(isDimensionGap);
  const keywordValue = view?.().keywordValue;
  const gaps = takeFirst(
    placedResults(
      gravest(open, room),
      comparison && [...comparison.new_gaps, ...comparison.uncovered_additions],
      findPosition,
      "gap/v1",
      (gap) => `${namedGap(gap, keywordValue)}.`,
    ),
    room,
  );
  const { tool } = report;
  const driver = { name: tool.name, semanticVersion: tool.version, rules: rules.map(ruleJson) };
  const omitted = {
    findings: all.length - findings.length,
    gaps: open.length - gaps.length,
  };
  const run = {
    tool: { driver },
    // GitHub's code scanning distinguishes the runs of a file by this id.
    ...(name !== undefined && { automationDetails: { id: `${tool.name}/${plainText(name)}/` } }),
    columnKind: "utf16CodeUnits",
    invocations: [invocation(omitted, report)],
    originalUriBaseIds: { SRCROOT: { description: { text: "Root of the checked-out sources." } } },
  };
  yield "{\n";
  for (const [key, value] of Object.entries(run)) {
    yield `${JSON.stringify(key)}:${JSON.stringify(value)},\n`;
  }
  yield '"results":[';
  let separator = "\n";
  for (const one of [...others, ...gaps]) {
    yield separator + JSON.stringify(result(one, rules));
    separator = ",\n";
  }
  yield "\n]\n}";
}

/** Gaps and rules are placed where they are written, even in components; other findings at their operation's method. */
function findPositions(
  report: Report,
  source: SourceCoverage,
): (result: Finding | Gap) => SourcePosition | undefined {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  return (result) => {
    const index = indexes.get(operationName(result)) ?? -1;
    const [operation, paths] = [report.operations[index], source.operations[index]];
    const at = (path: string | undefined) => source.positions.get(path ?? "");
    const atParameter = () =>
      "parameter" in result
        ? at(
          operation?.parameters.find(({ location, parameter }) =>
            location === result.location && parameter === result.parameter
          )?.schema_path,
        )
        : undefined;
    switch (result.kind) {
      case "keyword_uncovered":
      case "example_uncovered":
      case "value_uncovered":
        return at(result.schema_path);
      case "parameter_uncovered":
        return atParameter();
      case "response_uncovered": {
        const { responses = [] } = operation ?? {};
        const found = responses.findIndex(({ status_code }) => status_code === result.status_code);
        return at(paths?.responses[found]);
      }
      case "keyword_not_enforced":
        return at(result.schema_path) ?? atParameter() ?? at(paths?.schema_path);
      case "response_violates_schema":
        return at(result.schema_path) ?? at(paths?.schema_path);
      default:
        return at(paths?.schema_path);
    }
  };
}

/** `news` are the results that are new since the baseline. Undefined without one. */
function* placedResults<Result extends Finding | Gap>(
  results: readonly Result[],
  news: readonly Result[] | undefined,
  findPosition: ReturnType<typeof findPositions>,
  name: Placed["name"],
  sentence: (result: Result) => string,
): Generator<Placed> {
  const known = news && new Set(news.map(resultIdentity));
  for (const result of results) {
    const position = findPosition(result);
    if (position === undefined) continue;
    const identity = resultIdentity(result);
    const message = plainText(`${operationName(result)}: ${sentence(result)}`);
    // Closed gaps, which SARIF calls absent, are left out: GitHub ignores the state, and would show them as open.
    const state = known && { baselineState: known.has(identity) ? "new" : "unchanged" } as const;
    yield { kind: result.kind, message, identity, position, name, state: state ?? {} };
  }
}

function* placedUnnoticed(report: Report, { positions }: SourceCoverage): Generator<Placed> {
  for (const part of unnoticedParts(report)) {
    const position = positions.get(part.schema_path);
    if (position === undefined) continue;
    const name = `${operationName(part)} ${part.status_code}`;
    yield {
      kind: "unnoticed",
      message: plainText(`${name}: ${unnoticedText(part)}.`),
      identity: `unnoticed ${name} ${part.part} ${part.instance_path ?? part.name ?? ""}`,
      position,
      name: "unnoticed/v1",
      state: {},
    };
  }
}

function gravest(gaps: readonly Gap[], most: number): readonly Gap[] {
  if (gaps.length <= most) return gaps;
  return RULES.flatMap(({ id }) => gaps.filter(({ kind }) => kind === id));
}

function invocation(
  omitted: { readonly findings: number; readonly gaps: number },
  report: Report,
): object {
  const { exclusions = [] } = report;
  const leftOut = omitted.findings + omitted.gaps;
  const text = `${
    sentenceList([
      ...(omitted.findings === 0 ? [] : [formatAmount(omitted.findings, "finding")]),
      ...(omitted.gaps === 0 ? [] : [formatAmount(omitted.gaps, "gap")]),
    ])
  } ${leftOut === 1 ? "was" : "were"} omitted: code scanning accepts ${
    formatAmount(MOST_RESULTS, "result")
  } per run.`;
  const notifications = [
    ...(leftOut === 0 ? [] : [{ level: "warning", message: { text } }]),
    ...exclusions.map(exclusionNotification),
    ...unmeasuredTexts(report).map((text) => ({ level: "note", message: { text } })),
  ];
  return {
    executionSuccessful: true,
    ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
  };
}

/** Notes on unmeasured parts: without results, they would look as if they were covered. */
function unmeasuredTexts(report: Report): readonly string[] {
  const { responses } = report.summary;
  const requests = notMeasuredText(report);
  return [
    ...requests === undefined ? [] : [`${requests}.`],
    ...responses.measured || responses.total === 0
      ? []
      : ["Responses are not measured: the traffic has none."],
    ...lackResponseBodies(report.summary)
      ? [`Response keywords not measured: ${NO_RESPONSE_BODIES}.`]
      : [],
  ];
}

/** Excluded parts have no gaps, and so no results to suppress. Notifications name them. */
function exclusionNotification(exclusion: ReportExclusion): object {
  const { pattern, reason, schema_path, stale } = exclusion;
  const what = schema_path === undefined ? pattern : `${pattern} at ${schema_path}`;
  const why = reason === null ? "" : `: ${reason.replace(/\.$/, "")}`;
  const text = `Excluded: ${what} (${exclusionOrigin(exclusion)})${why}. It leaves out ${
    excludedAmounts(exclusion)
  }.${stale === null ? "" : ` Stale: ${stale}`}`;
  return { level: stale === null ? "note" : "warning", message: { text: plainText(text) } };
}

function ruleJson({ id, level, short, full }: Rule): object {
  return {
    id,
    name: id.split("_").map(capitalized).join(""),
    shortDescription: { text: short },
    fullDescription: { text: full },
    help: { text: full },
    defaultConfiguration: { level },
    properties: { tags: ["test", "api-coverage"] },
  };
}

function result(
  { kind, message, identity, position, name, state }: Placed,
  rules: readonly Rule[],
): object {
  const { path, line, column } = position;
  const ruleIndex = rules.findIndex(({ id }) => id === kind);
  const fingerprint = hash(identity);
  return {
    ruleId: kind,
    ruleIndex,
    level: rules[ruleIndex]?.level,
    message: { text: message },
    locations: [{
      physicalLocation: {
        artifactLocation: artifact(path),
        region: { startLine: line, startColumn: column },
      },
    }],
    // GitHub uses the first fingerprint.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, [name]: fingerprint },
    ...state,
  };
}

function artifact(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  if (/^https?:/i.test(path)) return { uri: path };
  const uri = path.toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (path.startsWith("/")) return { uri: `file://${uri}` };
  if (/^[a-z]:\//i.test(path)) return { uri: `file:///${path.slice(0, 2)}${uri.slice(4)}` };
  return { uri, uriBaseId: "SRCROOT" };
}

/** A 64-bit hash from two lanes of FNV-1a. It identifies results and isn't meant to resist forgery. */
function hash(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(index) + 0x5bd1), 0x01000193);
  }
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
