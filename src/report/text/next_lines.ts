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
    const whole = index === parts.length - 1 ? line : `${line} \\`;
    return wraps ? wrapQuoted(whole, width) : [whole];
  });
}

/** An escaped apostrophe, a variable, an apostrophe that begins or ends a quotation, and any other character. */
const SHELL_TOKEN = /'\\''|"\$\w+"|[^]/gu;

/**
 * Breaks the quotations of a command, so that a shell puts them together again: each line but the last ends with a
 * backslash, and the next one begins with the rest of the same word.
 */
function wrapQuoted(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const lines: string[] = [];
  let tokens: string[] = [];
  let used = 0;
  let breakAt = 0;
  let isQuoted = false;
  for (const token of line.match(SHELL_TOKEN) ?? []) {
    // An apostrophe and a backslash have to fit behind.
    if (isQuoted && used + textWidth(token) > width - 2) {
      const end = breakAt > tokens.length / 2 ? breakAt : tokens.length;
      lines.push(`${tokens.slice(0, end).join("")}'\\`);
      tokens = ["'", ...tokens.slice(end)];
      used = textWidth(tokens.join(""));
      breakAt = 0;
    }
    tokens.push(token);
    used += textWidth(token);
    if (token === "'") isQuoted = !isQuoted;
    else if (isQuoted && /[,&? ]/.test(token)) breakAt = tokens.length;
  }
  return [...lines, tokens.join("")];
}
