import { curlParts } from "../../suggest/formats/curl_format.ts";
import { requestTitle } from "../../suggest/formats/request_title.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import { shellWord } from "../../values/shell_word.ts";
import { closedGapsIn } from "../closed_gaps.ts";
import type { Report } from "../report.ts";
import { closedText } from "./closed_text.ts";
import { placeholderNote, suggestCommand } from "./suggest_command.ts";

/** A request to send next. */
export interface ShownRequest {
  /** What it is for. */
  readonly title: string;
  /** The curl command, in the parts that belong on one line. */
  readonly parts: readonly string[];
  /** The command of covtool that makes it, for where that one cannot be shown: in parts, too. */
  readonly other: readonly string[];
}

/** The requests to send next, as far as texts show them. */
export interface ShownRequests {
  /** What to set before they are sent; empty for nothing. */
  readonly note: string;
  readonly requests: readonly ShownRequest[];
  /** The command that finds more; undefined where there are no more. */
  readonly more: string | undefined;
}

/** The number of requests that are shown. */
const SHOWN = 3;

/** The requests that close the most; undefined where there are none. */
export function shownRequests(
  report: Pick<Report, "schema" | "operations">,
  next: NextRequests | undefined,
): ShownRequests | undefined {
  if (next === undefined || next.requests.length === 0) return undefined;
  const { location } = report.schema;
  const closedGaps = closedGapsIn(report);
  const shown = next.requests.slice(0, SHOWN);
  return {
    note: placeholderNote([...new Set(shown.flatMap(({ placeholders }) => placeholders))]),
    requests: shown.map((suggestion) => {
      const { request: { method }, path, closes } = suggestion;
      return {
        title: requestTitle(suggestion, closedText(closedGaps(closes))),
        parts: curlParts(suggestion),
        other: [
          suggestCommand(location),
          `--operation ${shellWord(`${method} ${path}`)}`,
          "--format curl",
        ],
      };
    }),
    more: next.requests.length > SHOWN || !next.complete ? suggestCommand(location) : undefined,
  };
}
