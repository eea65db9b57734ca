import type { Block, Prose } from "../blocks/block.ts";
import type { Report } from "../report.ts";
import { formatNumber } from "../wording/amounts.ts";
import { shortenPath } from "./text_width.ts";

/** Columns. Longer paths don't help as examples. */
const WIDEST_PATH = 100;
export const NO_REQUESTS = "The traffic contains no requests.";

interface NothingMatched {
  readonly problem: Prose;
  /** The base path with which most of the traffic would match. */
  readonly basePath?: string;
  /** Likely causes, if no base path would help. */
  readonly causes?: readonly Prose[];
}

/** The reason why no request was counted: usually the call of covtool, not the tests. Undefined if one was counted. */
export function explainNothingMatched(report: Report): NothingMatched | undefined {
  const { schema, traffic, operations, unmatched, suggested_base_path: basePath } = report;
  if (report.nothing_counted !== undefined) return { problem: report.nothing_counted };
  if (traffic.matched > 0) return undefined;
  if (traffic.recorded === 0) return { problem: NO_REQUESTS };
  const requests = traffic.recorded === 1
    ? "The only request does not match"
    : `None of the ${formatNumber(traffic.recorded)} requests matches`;
  const problem = [`${requests} an operation of `, { code: schema.location }, "."];
  const [operation] = operations;
  if (operation === undefined) return { problem: [...problem, " It has no operations."] };
  if (basePath !== null) return { problem, basePath };
  const request = unmatched.toSorted((a, b) => b.count - a.count)[0];
  const example = request === undefined ? [] : [", such as ", {
    code: `${request.method} ${request.host}${shortenPath(request.path, WIDEST_PATH)}`,
  }];
  const documented = { code: shortenPath(operation.path, WIDEST_PATH) };
  return {
    problem,
    causes: [
      ["The description covers another API or version, with paths such as ", documented],
      ["The recording contains other traffic", ...example],
      schema.base_path === null
        ? ["The paths have a prefix: set --base-path to the part before ", documented]
        : ["The base path isn't ", { code: schema.base_path }, ": change --base-path"],
    ],
  };
}

/** The explanation as part of a report. Empty if a request was counted. */
export function nothingMatchedBlocks(report: Report): Block[] {
  const explained = explainNothingMatched(report);
  if (explained === undefined) return [];
  const { problem, basePath, causes } = explained;
  const entries = causes?.map((text) => ({ text }));
  return [
    { type: "line", text: ["Warning: ", ...[problem].flat()], tone: "warning" },
    ...(basePath === undefined ? [] : [basePathHint(basePath)]),
    ...(entries === undefined
      ? []
      : [{ type: "list", title: "Likely causes", tone: "warning", entries, rest: 0 } as const]),
  ];
}

export function basePathHint(basePath: string): Block {
  const text = ["Most of the traffic would match with ", { code: `--base-path ${basePath}` }];
  return { type: "line", text, tone: "warning" };
}
