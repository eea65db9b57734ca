import type { Gap } from "../map/results.ts";
import { chunksOf } from "./chunks_of.ts";
import { gapIdentity } from "./gap_identity.ts";
import type { Report, ReportExclusion } from "./report.ts";
import { excludedAmounts, exclusionOrigin } from "./wording/exclusion_wording.ts";
import { gapPositions } from "./source/gap_positions.ts";
import type { SourceCoverage, SourcePosition } from "./source/source_coverage.ts";
import { formatAmount } from "./wording/amounts.ts";
import { gapText } from "./text/gap_text.ts";
import { plainText } from "./text/plain_text.ts";

/** The most results that a run can have: GitHub shows no more. */
export const MOST_RESULTS = 5000;

/** Looks up what a keyword says, by its schema path. */
type ValueOf = (schema_path: string) => unknown;

interface Rule {
  readonly id: Gap["kind"];
  readonly name: string;
  readonly level: "warning" | "note";
  readonly short: string;
  readonly full: string;
}

/** The most severe first: if there are too many results, the last ones are left out. */
const RULES: readonly Rule[] = [
  {
    id: "operation_uncovered",
    name: "OperationUncovered",
    level: "warning",
    short: "Operation never called",
    full: "No recorded request matched this operation. Call it in a test.",
  },
  {
    id: "response_uncovered",
    name: "ResponseUncovered",
    level: "note",
    short: "Documented response never returned",
    full:
      "No recorded response has this status. Trigger it in a test, or remove it from the description.",
  },
  {
    id: "parameter_uncovered",
    name: "ParameterUncovered",
    level: "note",
    short: "Parameter never sent",
    full: "No recorded request carried this parameter. Send it in a test.",
  },
  {
    id: "keyword_uncovered",
    name: "KeywordUncovered",
    level: "note",
    short: "Keyword not fully covered",
    full:
      "No recorded value passed this keyword, or none failed it. Send valid and invalid values in tests.",
  },
  {
    id: "example_uncovered",
    name: "ExampleUncovered",
    level: "note",
    short: "Documented example never sent",
    full: "No recorded value equals this example. Send it in a test.",
  },
];

const SCHEMA =
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * Writes the gaps as findings at their lines, in SARIF 2.1.0: what code scanning of GitHub, GitLab and editors reads.
 * There is one rule for each kind of gap and one result for each gap, at most {@linkcode MOST_RESULTS}: where there are
 * more, a notification says how many were left out. Fingerprints follow the gap and not its line, so a finding stays
 * the same one when lines move. With a baseline, each finding says whether it is new since.
 *
 * @param valueOf What a keyword says in the description, by its schema path.
 * @returns chunks of JSON, with one result a line.
 *
 * @example
 * ```ts ignore
 * const log = JSON.parse([...generateSarifReport(report, source)].join(""));
 * assert.equal(log.runs[0].results.length, report.gaps.length);
 * ```
 */
export function generateSarifReport(
  report: Report,
  source: SourceCoverage,
  valueOf?: ValueOf,
): Iterable<string> {
  return chunksOf(sarifLog(report, source, valueOf));
}

function* sarifLog(
  report: Report,
  source: SourceCoverage,
  valueOf: ValueOf | undefined,
): Generator<string, void, undefined> {
  const positionOf = gapPositions(report, source);
  const placed: { readonly gap: Gap; readonly position: SourcePosition }[] = [];
  for (const gap of gravest(report.gaps)) {
    if (placed.length === MOST_RESULTS) break;
    const position = positionOf(gap);
    if (position !== undefined) placed.push({ gap, position });
  }
  const { tool } = report;
  const states = baselineStates(report);
  const driver = { name: tool.name, semanticVersion: tool.version, rules: RULES.map(ruleJson) };
  const run = {
    tool: { driver },
    columnKind: "utf16CodeUnits",
    invocations: [invocation(report.gaps.length - placed.length, report.exclusions)],
    originalUriBaseIds: {
      SRCROOT: { description: { text: "Root of the checked-out sources." } },
    },
  };
  yield `{\n"$schema":${JSON.stringify(SCHEMA)},\n"version":"2.1.0",\n"runs":[{\n`;
  for (const [key, value] of Object.entries(run)) {
    yield `${JSON.stringify(key)}:${JSON.stringify(value)},\n`;
  }
  yield '"results":[';
  let separator = "\n";
  for (const { gap, position } of placed) {
    yield separator + JSON.stringify({ ...result(gap, position, valueOf), ...states(gap) });
    separator = ",\n";
  }
  yield "\n]\n}]\n}\n";
}

/**
 * The baseline state of a result in SARIF. Closed gaps, which SARIF calls absent, are left out: GitHub ignores the
 * state, and would show them as open.
 */
function baselineStates(
  { comparison }: Report,
): (gap: Gap) => { readonly baselineState?: "new" | "unchanged" } {
  if (comparison === undefined) return () => ({});
  const { new_gaps, uncovered_additions } = comparison;
  const fresh = new Set([...new_gaps, ...uncovered_additions].map(gapIdentity));
  return (gap) => ({ baselineState: fresh.has(gapIdentity(gap)) ? "new" : "unchanged" });
}

/** The gaps by how grave they are, in the order of the document where that is the same. */
function gravest(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= MOST_RESULTS) return gaps;
  return RULES.flatMap(({ id }) => gaps.filter(({ kind }) => kind === id));
}

function invocation(leftOut: number, exclusions: Report["exclusions"] = []): object {
  const text = `${formatAmount(leftOut, "gap")} ${
    leftOut === 1 ? "was" : "were"
  } omitted: code scanning accepts ${formatAmount(MOST_RESULTS, "result")} per run.`;
  const notifications = [
    ...(leftOut === 0 ? [] : [{ level: "warning", message: { text } }]),
    ...exclusions.map(exclusionNotification),
  ];
  return {
    executionSuccessful: true,
    ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
  };
}

/** Excluded things have no gaps, and so no results to suppress: a notification names them. */
function exclusionNotification(exclusion: ReportExclusion): object {
  const { pattern, reason, schema_path, stale } = exclusion;
  const what = schema_path === undefined ? pattern : `${pattern} at ${schema_path}`;
  const why = reason === null ? "" : `: ${reason.replace(/\.$/, "")}`;
  const text = `Excluded: ${what} (${exclusionOrigin(exclusion)})${why}. It leaves out ${
    excludedAmounts(exclusion)
  }.${stale === null ? "" : ` Stale: ${stale}`}`;
  return { level: stale === null ? "note" : "warning", message: { text: plainText(text) } };
}

function ruleJson({ id, name, level, short, full }: Rule): object {
  return {
    id,
    name,
    shortDescription: { text: short },
    fullDescription: { text: full },
    help: { text: full },
    defaultConfiguration: { level },
    properties: { tags: ["test", "api-coverage"] },
  };
}

function result(
  gap: Gap,
  { path, line, column }: SourcePosition,
  valueOf: ValueOf | undefined,
): object {
  const ruleIndex = RULES.findIndex(({ id }) => id === gap.kind);
  const fingerprint = hash(gapIdentity(gap));
  return {
    ruleId: gap.kind,
    ruleIndex,
    level: RULES[ruleIndex]?.level,
    message: { text: `${plainText(`${gap.method} ${gap.path}`)}: ${gapText(gap, valueOf)}.` },
    locations: [{
      physicalLocation: {
        artifactLocation: artifact(path),
        region: { startLine: line, startColumn: column },
      },
    }],
    // The first is what GitHub goes by.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, "gap/v1": fingerprint },
  };
}

function artifact(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  if (/^https?:/i.test(path)) return { uri: path };
  const uri = path.toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (path.startsWith("/")) return { uri: `file://${uri}` };
  if (/^[a-z]:\//i.test(path)) return { uri: `file:///${path.slice(0, 2)}${uri.slice(4)}` };
  return { uri, uriBaseId: "SRCROOT" };
}

/** A hash of 64 bits, in two lanes of FNV-1a: it identifies gaps, but doesn't protect against forgery. */
function hash(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
    low = Math.imul(low ^ (text.charCodeAt(index) + 0x5bd1), 0x01000193);
  }
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
