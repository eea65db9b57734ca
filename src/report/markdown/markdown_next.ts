import { curlParts } from "../../suggest/formats/curl_format.ts";
import { requestTitle } from "../../suggest/formats/request_title.ts";
import type { NextRequests, Suggestion } from "../../suggest/suggestion.ts";
import { closedGapsIn } from "../closed_gaps.ts";
import type { Report } from "../report.ts";
import { plainText } from "../text/plain_text.ts";
import { closedText } from "../wording/closed_text.ts";
import { placeholderNote, suggestCommand } from "../wording/suggest_command.ts";
import { markdownDetails } from "./markdown_blocks.ts";

/** The requests that are shown. */
const SHOWN = 3;
/** A longer command would make the comment long: another one makes it. */
const LONGEST = 1_500;

/** The requests that close the most, as curl commands; empty where there are none. */
export function nextSection(
  report: Pick<Report, "schema" | "operations">,
  next: NextRequests | undefined,
): string {
  if (next === undefined || next.requests.length === 0) return "";
  const { schema } = report;
  const closedGaps = closedGapsIn(report);
  const shown = next.requests.slice(0, SHOWN);
  const note = placeholderNote([...new Set(shown.flatMap(({ placeholders }) => placeholders))]);
  const blocks = [
    ...(note === "" ? [] : [`# ${note}\n`]),
    ...shown.map((suggestion) =>
      commandOf(suggestion, closedText(closedGaps(suggestion.closes)), schema.location)
    ),
  ];
  const rest = next.requests.length > SHOWN || !next.complete
    ? `\n# More: ${plainText(suggestCommand(schema.location))}\n`
    : "";
  return markdownDetails("Do these next", fenced(blocks.join("\n") + rest));
}

function commandOf(suggestion: Suggestion, gaps: string, location: string): string {
  const command = curlParts(suggestion).join(" \\\n  ");
  const title = plainText(`# ${requestTitle(suggestion, gaps)}`);
  if (command.length <= LONGEST && isPlain(command)) return `${title}\n${command}\n`;
  const { request: { method }, path } = suggestion;
  const other = suggestCommand(location, `${method} ${path}`);
  return `${title}\n${plainText(`${other} --format curl`)}\n`;
}

/** Line breaks between its parts aside. */
function isPlain(command: string): boolean {
  const line = command.replaceAll(" \\\n  ", " ");
  return plainText(line) === line;
}

/** A block of code that nothing in it ends. */
function fenced(code: string): string {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}sh\n${code}${fence}\n`;
}
