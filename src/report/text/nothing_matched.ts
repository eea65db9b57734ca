import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { plainText } from "./plain_text.ts";
import { shortenPath } from "./shorten_path.ts";

/** Columns: longer ones are no better an example. */
const WIDEST_PATH = 100;

/**
 * What to say first where there was traffic and none of it matched: that, and the base path that would help or the
 * usual reasons. Such a report says more about how covtool was called than about the tests.
 *
 * @returns lines that are safe to print and not wrapped; none where something matched, or nothing was recorded.
 */
export function nothingMatched(report: Report): readonly string[] {
  const { schema, traffic, operations, unmatched, suggested_base_path: suggested } = report;
  if (traffic.recorded === 0 || traffic.matched > 0) return [];
  const requests = traffic.recorded === 1
    ? "The only request does not match"
    : `None of the ${formatNumber(traffic.recorded)} requests matches`;
  const first = `Warning: ${requests} an operation of ${schema.location}.`;
  const [operation] = operations;
  if (operation === undefined) return [plainText(`${first} It has no operations.`)];
  if (suggested !== null) {
    return [first, `Most of the traffic would match with --base-path ${suggested}`].map(plainText);
  }
  const request = unmatched.toSorted((a, b) => b.count - a.count)[0];
  const example = request === undefined
    ? ""
    : `, such as ${request.method} ${request.host}${shortenPath(request.path, WIDEST_PATH)}`;
  const documented = shortenPath(operation.path, WIDEST_PATH);
  return [
    first,
    "Likely causes:",
    `- The description covers another API or version, with paths such as ${documented}`,
    `- The recording contains other traffic${example}`,
    schema.base_path === null
      ? `- The paths have a prefix: set --base-path to the part before ${documented}`
      : `- The base path isn't ${schema.base_path}: change --base-path`,
  ].map(plainText);
}
