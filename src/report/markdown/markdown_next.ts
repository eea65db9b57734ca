import type { NextRequests } from "../../suggest/suggestion.ts";
import type { Report } from "../report.ts";
import { plainText } from "../text/plain_text.ts";
import { type ShownRequest, shownRequests } from "../wording/shown_requests.ts";
import { markdownDetails } from "./markdown_blocks.ts";

/** A longer command would make the comment long: another one makes it. */
const LONGEST = 1_500;

/** The requests that close the most, as curl commands; empty where there are none. */
export function nextSection(
  report: Pick<Report, "schema" | "operations">,
  next: NextRequests | undefined,
): string {
  const shown = shownRequests(report, next);
  if (shown === undefined) return "";
  const { note, requests, more } = shown;
  const blocks = [
    ...(note === "" ? [] : [`# ${note}\n`]),
    ...requests.map(commandOf),
    ...(more === undefined ? [] : [plainText(`# More: ${more}`) + "\n"]),
  ];
  return markdownDetails("Do these next", fenced(blocks.join("\n")));
}

function commandOf({ title, parts, other }: ShownRequest): string {
  const command = parts.join(" \\\n  ");
  const line = parts.join(" ");
  const isShown = command.length <= LONGEST && plainText(line) === line;
  return `${plainText(`# ${title}`)}\n${isShown ? command : plainText(other.join(" "))}\n`;
}

/** A block of code that nothing in it ends. */
function fenced(code: string): string {
  const runs = code.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}sh\n${code}${fence}\n`;
}
