import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { plainText } from "./plain_text.ts";
import { shortenPath } from "./shorten_path.ts";

/** Columns: longer ones don't help as examples. */
const WIDEST_PATH = 100;
const NO_REQUESTS = "The traffic contains no requests.";

/** The reason why no request of the traffic counts. */
export interface NothingMatched {
  /** The problem: a sentence. */
  readonly problem: string;
  /** The base path with which most of the traffic would match. */
  readonly basePath: string | null;
  /** The usual causes, where no base path would help. */
  readonly causes: readonly string[];
}

/**
 * Explains why no request counts: there was none, or none matched. Such a report says more about how covtool was called
 * than about the tests.
 *
 * @param quoted Writes a name or path of the description or the traffic, for the format of the report.
 * @returns undefined if something matched.
 */
export function explainNothingMatched(
  report: Report,
  quoted: (text: string) => string,
): NothingMatched | undefined {
  const { schema, traffic, operations, unmatched, suggested_base_path: basePath } = report;
  if (traffic.matched > 0) return undefined;
  if (traffic.recorded === 0) return { problem: NO_REQUESTS, basePath: null, causes: [] };
  const requests = traffic.recorded === 1
    ? "The only request does not match"
    : `None of the ${formatNumber(traffic.recorded)} requests matches`;
  const problem = `${requests} an operation of ${quoted(schema.location)}.`;
  const [operation] = operations;
  if (operation === undefined) {
    return { problem: `${problem} It has no operations.`, basePath: null, causes: [] };
  }
  if (basePath !== null) return { problem, basePath, causes: [] };
  const request = unmatched.toSorted((a, b) => b.count - a.count)[0];
  const example = request === undefined
    ? ""
    : `, such as ${
      quoted(`${request.method} ${request.host}${shortenPath(request.path, WIDEST_PATH)}`)
    }`;
  const documented = quoted(shortenPath(operation.path, WIDEST_PATH));
  return {
    problem,
    basePath,
    causes: [
      `The description covers another API or version, with paths such as ${documented}`,
      `The recording contains other traffic${example}`,
      schema.base_path === null
        ? `The paths have a prefix: set --base-path to the part before ${documented}`
        : `The base path isn't ${quoted(schema.base_path)}: change --base-path`,
    ],
  };
}

/**
 * The first lines of a report for a terminal if no request counts: the problem, and the base path that would help or the
 * usual causes.
 *
 * @returns lines that are safe to print and not wrapped; none if something matched.
 */
export function nothingMatched(report: Report): readonly string[] {
  const explained = explainNothingMatched(report, String);
  if (explained === undefined) return [];
  const { problem, basePath, causes } = explained;
  return [
    `Warning: ${problem}`,
    ...(basePath === null ? [] : [`Most of the traffic would match with --base-path ${basePath}`]),
    ...(causes.length === 0 ? [] : ["Likely causes:", ...causes.map((cause) => `- ${cause}`)]),
  ].map(plainText);
}
