import { describeExpected } from "../suggest/formats/text_format.ts";
import { closestTestText, oneLine } from "../suggest/formats/request_title.ts";
import type { Gap } from "../map/results.ts";
import type { SuggestedHttpRequest, Suggestion } from "../suggest/suggestion.ts";
import { fencedCode, markdownText } from "./blocks/markdown_blocks.ts";
import { wrapText } from "./text/text_width.ts";
import { formatAmount, formatNumber, sentenceList } from "./wording/amounts.ts";

export interface ListedGap {
  readonly gap: Gap;
  /** A sentence that names the gap: `GET /books: query limit was never sent`. */
  readonly sentence: string;
  /** The column is counted from 1, in UTF-16 units. */
  readonly at:
    | { readonly file: string; readonly line: number; readonly column: number }
    | undefined;
  /** A request that closes the gap. Undefined if none was found. */
  readonly suggestion: Suggestion | undefined;
  readonly why_not: string | undefined;
  /** How often the missing part occurs in production. Undefined if unknown. */
  readonly used: number | undefined;
}

export interface GapList {
  readonly schema: string;
  /** The number of all gaps, listed or not. */
  readonly total: number;
  readonly gaps: readonly ListedGap[];
}

/** Characters per gap, so that ten gaps take about 2,000 tokens. A token has 3 characters in texts with many UUIDs. */
const ROOM = 600;

/**
 * Writes the list for programs (docs/gaps.schema.json). A request that closes several gaps is written at the first of
 * them. To fit a prompt, requests and examples are left out if there is no room for them.
 */
export function gapsJson({ schema, total, gaps }: GapList): string {
  const parts = withRequests(gaps).map(({ listed, first }) => {
    const { gap: { id, ...gap }, sentence, at, suggestion, why_not, used } = listed;
    const { expects, closest_test } = first === undefined ? suggestion ?? {} : {};
    return {
      long: first === undefined ? requestMember(suggestion) : undefined,
      value: "value" in gap ? gap.value : undefined,
      before: { id, ...gap, value: undefined, sentence, at, same_request_as: first },
      after: { expects, closest_test, why_not, used },
    };
  });
  const short = parts.map(({ before, after }) => JSON.stringify({ ...before, ...after }));
  let room = ROOM * Math.max(gaps.length, 10) - short.join().length;
  const fits = (value: unknown): boolean => {
    if (value === undefined) return true;
    const { length } = JSON.stringify(value);
    if (length > room) return false;
    room -= length;
    return true;
  };
  const lines = parts.map(({ long, value, before, after }) =>
    JSON.stringify({
      ...before,
      ...(fits(value) && { value }),
      ...(fits(long) ? { request: long } : { request_length: JSON.stringify(long).length }),
      ...after,
    })
  );
  const head = JSON.stringify({ format_version: 1, schema, total }).slice(0, -1);
  return lines.length === 0
    ? `${head},"gaps":[]}\n`
    : `${head},"gaps":[\n${lines.join(",\n")}\n]}\n`;
}

function requestMember(suggestion: Suggestion | undefined): object | undefined {
  if (suggestion === undefined) return undefined;
  const { request: { method, url, headers, body } } = suggestion;
  const hasHeaders = Object.keys(headers).length > 0;
  return { method, url, ...(hasHeaders && { headers }), body };
}

/** Pairs each gap with the id of the first gap that the same request closes. Undefined for that first gap itself. */
function withRequests(
  gaps: readonly ListedGap[],
): { readonly listed: ListedGap; readonly first: string | undefined }[] {
  const known = new Map<SuggestedHttpRequest, string>();
  return gaps.map((listed) => {
    const request = listed.suggestion?.request;
    const first = request && known.get(request);
    if (request !== undefined && first === undefined) known.set(request, listed.gap.id ?? "");
    return { listed, first };
  });
}

/** The most characters of a sentence behind a request in Markdown: names of tests may be long. */
const MAX_REMARK = 200;
const INDENT = " ".repeat("g-7f3k2p0c  ".length);

export function gapsText({ total, gaps }: GapList, width: number): string {
  const blocks = withRequests(gaps).map(({ listed, first }) => {
    const { gap, sentence, at } = listed;
    const [head = "", ...rest] = wrapText(oneLine(sentence), width - INDENT.length);
    const lines = [
      ...rest,
      ...(at === undefined ? [] : [`${at.file}:${at.line}:${at.column}`]),
      ...usage(listed),
      ...requestLines(listed, first),
      ...remarks(listed, first),
    ];
    return [`${gap.id}  ${head}`, ...lines.map((line) => `${INDENT}${oneLine(line)}`)].join("\n");
  });
  return `${[headline(total, gaps.length), ...blocks].join("\n\n")}\n`;
}

/** Returns the lines of a request; none where it is written at another gap. */
function requestLines({ suggestion }: ListedGap, first: string | undefined): readonly string[] {
  if (suggestion === undefined || first !== undefined) return [];
  const { request: { method, url, headers, body } } = suggestion;
  return [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [body]),
  ];
}

/** Returns the sentences behind the request. */
function remarks({ suggestion, why_not }: ListedGap, first: string | undefined): readonly string[] {
  if (suggestion === undefined) return why_not === undefined ? [] : [why_not];
  if (first !== undefined) return [`The request of ${first} closes it.`];
  const answers = describeExpected(suggestion.expects, suggestion.breaks === null);
  return [
    ...(answers.length === 0 ? [] : [`Expect ${sentenceList(answers, "or")}.`]),
    ...(suggestion.closest_test === undefined ? [] : [closestTestText(suggestion)]),
  ];
}

function usage({ used }: ListedGap): readonly string[] {
  return used === undefined ? [] : [`Production: ${formatAmount(used, "time")}.`];
}

function headline(total: number, shown: number): string {
  if (total === 0) return "No gaps.";
  const gaps = formatAmount(total, "gap");
  return shown === total
    ? `${gaps}, those first that closing gives most:`
    : `The first ${formatNumber(shown)} of ${gaps}, those first that closing gives most:`;
}

export function gapsMarkdown({ total, gaps }: GapList): string {
  const items = withRequests(gaps).map(({ listed, first }) => {
    const { gap, sentence, at } = listed;
    const place = at === undefined ? "" : ` (${markdownText(`${at.file}:${at.line}`)})`;
    const request = requestLines(listed, first);
    const code = request.length === 0 ? "" : fencedCode(`${request.join("\n")}\n`, "http");
    const texts = [usage(listed), remarks(listed, first)].map((lines) =>
      lines.map((line) => markdownText(line, MAX_REMARK)).join(" ")
    );
    const content = texts.join(code === "" ? " " : `\n${code}`);
    const indented = content.trim().split("\n").map((line) => `  ${line}`).join("\n");
    return `- **\`${gap.id}\`** ${markdownText(sentence)}${place}\n${
      indented.trim() === "" ? "" : `${indented}\n`
    }`;
  });
  return `${headline(total, gaps.length)}\n\n${items.join("")}`;
}
