import { Ansis } from "ansis";
import type { NextRequests } from "../suggest/suggestion.ts";
import { apisBlocks } from "./apis/apis_blocks.ts";
import { areNamed } from "./apis/apis_overview.ts";
import {
  accessBlocks,
  answerFacts,
  changeBlocks,
  credentialFact,
  diagnosticBlocks,
  dimensionBlock,
  exclusionBlocks,
  findingBlocks,
  headingBlocks,
  MAX_GAPS,
  noteBlocks,
  noticedBlocks,
  tclFact,
  undeclaredBlocks,
  unmatchedBlocks,
  valueBlocks,
  verdictBlocks,
} from "./blocks/coverage_blocks.ts";
import { joinSections, textLines, usableWidth } from "./blocks/text_blocks.ts";
import type { Report } from "./report.ts";
import type { ReportedApi, TextReportOptions } from "./reported_api.ts";
import { nothingMatched } from "./text/nothing_matched.ts";
import { operationLines } from "./text/operation_lines.ts";
import { plainText } from "./text/plain_text.ts";
import { textWidth, wrapText } from "./text/text_width.ts";
import { type ShownRequest, shownRequests } from "./wording/shown_requests.ts";

const MAX_FINDINGS = 10;
/** A few to begin with: nearly every run has more of them than anybody reads in a terminal. */
const MAX_VALUES = 5;

/** Writes a report for a terminal, in which nothing from the description or the traffic is a control character. */
export function generateTextReport(report: Report, options: TextReportOptions): string {
  const width = usableWidth(options.width);
  const wraps = options.wrapPaths !== false;
  const colors = new Ansis(options.colored === false ? 0 : 1);
  const layout = { width, wraps, colors };
  const most = options.top === "all" ? Infinity : undefined;
  const { suggested_base_path: basePath, traffic } = report;
  return joinSections([
    nothingMatched(report).flatMap((line) =>
      wrapText(line, width).map((part) => colors.yellow(part))
    ),
    ...[
      headingBlocks(report),
      verdictBlocks(report.verdict),
      [
        dimensionBlock(report.summary, report.exclusions !== undefined),
        ...answerFacts(report),
        ...credentialFact(report),
        ...(options.tcl === true ? tclFact(report) : []),
      ],
      changeBlocks(report.comparison, MAX_GAPS, options.keywordValue),
    ].map((blocks) => textLines(blocks, layout)),
    operationLines(report, { ...options, ...layout }),
    ...[
      noticedBlocks(report, most),
      accessBlocks(report, most),
      findingBlocks(report, most ?? MAX_FINDINGS),
      undeclaredBlocks(report, most),
      valueBlocks(report, most ?? MAX_VALUES),
      exclusionBlocks(report),
    ].map((blocks) => textLines(blocks, layout)),
    [
      ...textLines(unmatchedBlocks(report), layout),
      // Where nothing matched at all, the report begins with it.
      ...basePath === null || traffic.matched === 0 || report.unmatched_total === 0 ? [] : wrapText(
        plainText(`Most of the traffic would match with --base-path ${basePath}`),
        width,
      ).map((line) => colors.yellow(line)),
    ],
    textLines(noteBlocks(report), layout),
    textLines(diagnosticBlocks(report), layout),
    nextLines(report, options.next, { width, wraps }, colors),
  ]);
}

const PLAIN_TEXT: TextReportOptions = { width: 80, wrapPaths: false, colored: false };

export function* generateTextReports(
  apis: readonly ReportedApi<"text" | "view" | "next">[],
  title?: string,
): Generator<string> {
  const options = apis[0]?.input.text ?? PLAIN_TEXT;
  const { width, colored } = options;
  const colors = new Ansis(colored === false ? 0 : 1);
  if (areNamed(apis)) {
    const groups = apisBlocks(apis, title);
    yield joinSections(groups.map((blocks) => textLines(blocks, { width, wraps: true, colors })));
  }
  const rule = colors.dim("═".repeat(Math.min(width, 80)));
  for (const { name, report, input: { view, next } } of apis) {
    if (name !== undefined) yield `\n${rule}\n`;
    yield generateTextReport(report, {
      ...options,
      next: name === undefined ? next?.() : undefined,
      keywordValue: report.comparison && view?.().valueOf,
    });
  }
}

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
  const { notes, requests, commands, hints } = shown;
  const comment = (text: string) =>
    wrapText(plainText(text), width - 2).map((line) => colors.dim(`# ${line}`));
  return [
    colors.bold("Do these next"),
    ...notes.flatMap(comment),
    ...requests.flatMap((request) => [
      ...comment(request.title),
      ...(request.closest === "" ? [] : comment(request.closest)),
      ...commandLines(request, width, wraps),
    ]),
    // In one line however long it is, since it is to be copied.
    ...commands.map((command) => colors.dim(plainText(`# ${command}`))),
    ...hints.flatMap(comment),
  ];
}

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

/** Breaks a command in the middle of words so that a shell puts it together again; `more` follows the last line. */
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
