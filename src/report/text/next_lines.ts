import type { Ansis } from "ansis";
import type { NextRequests } from "../../suggest/suggestion.ts";
import type { Report } from "../report.ts";
import { type ShownRequest, shownRequests } from "../wording/shown_requests.ts";
import { plainText } from "./plain_text.ts";
import { textWidth, wrapText } from "./text_width.ts";

/** A longer command is no reading matter: another one makes it. */
const LONGEST = 480;

/** The requests that close the most, as curl commands that can be copied; none where there are none. */
export function nextLines(
  report: Pick<Report, "schema" | "operations">,
  next: NextRequests | undefined,
  { width, wraps }: { readonly width: number; readonly wraps: boolean },
  colors: Ansis,
): string[] {
  const shown = shownRequests(report, next);
  if (shown === undefined) return [];
  const { note, requests, more } = shown;
  const comment = (text: string) =>
    wrapText(plainText(text), width - 2).map((line) => colors.dim(`# ${line}`));
  return [
    colors.bold("Do these next"),
    ...(note === "" ? [] : comment(note)),
    ...requests.flatMap((request) => [
      ...comment(request.title),
      ...commandLines(request, width, wraps),
    ]),
    ...(more === undefined ? [] : comment(`More: ${more}`)),
  ];
}

/** The lines of the command that sends a request, or of the one that makes it. */
function commandLines({ parts, other }: ShownRequest, width: number, wraps: boolean): string[] {
  const command = parts.join(" ");
  const isShown = command.length <= LONGEST && plainText(command) === command;
  return brokenCommand(isShown ? parts : other.map(plainText), width, wraps);
}

/** The lines of a command; they begin without spaces where they go on within a quotation. */
function brokenCommand(parts: readonly string[], width: number, wraps: boolean): string[] {
  const command = parts.join(" ");
  if (textWidth(command) <= width) return [command];
  return parts.flatMap((part, index) => {
    const line = `${index === 0 ? "" : "  "}${part}`;
    const more = index === parts.length - 1 ? "" : " \\";
    return wraps ? wrapWords(line, width, more) : [line + more];
  });
}

/** An escaped apostrophe, a variable, an apostrophe that begins or ends a quotation, and any other character. */
const SHELL_TOKEN = /'\\''|"\$\w+"|[^]/gu;

/**
 * Breaks the words of a command, so that a shell puts them together again: each line but the last ends with a backslash,
 * and the next one begins with the rest of the same word.
 *
 * @param more Follows on the last line.
 */
function wrapWords(line: string, width: number, more: string): string[] {
  if (textWidth(line + more) <= width) return [line + more];
  const lines: string[] = [];
  let tokens: string[] = [];
  let used = 0;
  let breakAt = 0;
  let breaksQuotation = false;
  let isQuoted = false;
  const most = width - Math.max(more.length, 1);
  for (const token of line.match(SHELL_TOKEN) ?? []) {
    // A backslash has to fit behind, with an apostrophe within a quotation.
    if (used + textWidth(token) > (isQuoted ? most - 1 : most)) {
      const isEarly = breakAt > tokens.length / 2;
      const end = isEarly ? breakAt : tokens.length;
      const apostrophe = (isEarly ? breaksQuotation : isQuoted) ? "'" : "";
      lines.push(`${tokens.slice(0, end).join("")}${apostrophe}\\`);
      tokens = [apostrophe, ...tokens.slice(end)];
      used = textWidth(tokens.join(""));
      breakAt = 0;
    }
    tokens.push(token);
    used += textWidth(token);
    if (token === "'") isQuoted = !isQuoted;
    else if (isQuoted ? /[,&? ]/.test(token) : /[/ ]/.test(token)) {
      breakAt = tokens.length;
      breaksQuotation = isQuoted;
    }
  }
  return [...lines, tokens.join("") + more];
}
