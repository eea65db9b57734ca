import { curlParts } from "../../suggest/formats/curl_format.ts";
import { SERVER_PLACEHOLDER } from "../../suggest/formats/placeholder_names.ts";
import { closestTestText, requestTitle } from "../../suggest/formats/request_title.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import { shellWord } from "../../values/escapes.ts";
import type { CommandsBlock } from "../blocks/block.ts";
import { type ClosedGaps, closedGapsIn } from "../gap_counts.ts";
import type { Report } from "../report.ts";
import { formatAmount, formatNumber, sentenceList } from "./amounts.ts";

const SHOWN = 3;

/** The requests that close the most gaps, as curl commands. Empty if there are none. */
export function nextBlocks(
  report: Pick<Report, "schema" | "operations">,
  next: NextRequests | undefined,
): CommandsBlock[] {
  if (next === undefined || next.requests.length === 0) return [];
  const command = next.command ?? suggestCommand([report.schema.location]);
  const closedGaps = closedGapsIn(report);
  const shown = next.requests.slice(0, SHOWN);
  const hasMore = next.requests.length > SHOWN || !next.complete;
  const notes = [
    placeholderNote([...new Set(shown.flatMap(({ placeholders }) => placeholders))]),
    shown.some(({ closes }) => closedGaps(closes).halved > 0) ? HALF_NOTE : "",
  ].filter((note) => note !== "");
  const requests = shown.map((suggestion) => {
    const { request: { method }, path, closes } = suggestion;
    return {
      comments: [
        requestTitle(suggestion, closedText(closedGaps(closes))),
        closestTestText(suggestion),
      ].filter((comment) => comment !== ""),
      command: {
        parts: curlParts(suggestion),
        other: [command, `--operation ${shellWord(`${method} ${path}`)}`, "--format curl"],
      },
    };
  });
  const more = [
    ...(hasMore ? [{ code: `More: ${command}` }] : []),
    ...(next.tests === undefined
      ? []
      : [{ code: `As tests: ${command} --format ${next.tests.format} -o FOLDER` }]),
    ...(hasMore && !next.has_traffic ? [NOT_KEPT] : []),
  ];
  const groups = [{ comments: notes }, ...requests, { comments: more }];
  return [{
    type: "commands",
    title: "Do these next",
    groups: groups.filter(({ comments }) => comments.length > 0),
  }];
}

/** The command that suggests requests. `inputs` are the description and the recordings, with options. */
export function suggestCommand(inputs: readonly string[]): string {
  return ["covtool suggest", ...inputs.map(shellWord)].join(" ");
}

export const NOT_KEPT =
  "To leave out what is covered, name hits (--format hits) or recordings behind the description.";

/** Limits the command to one operation, such as `GET /path`. */
export function forOperation(command: string, operation: string): string {
  return `${command} --operation ${shellWord(operation)}`;
}

/** The variables to set first: `Set $SERVER to the URL of the API and $TOKEN in the environment.` Empty for none. */
export function placeholderNote(placeholders: readonly string[]): string {
  if (placeholders.length === 0) return "";
  const named = placeholders.map((name) =>
    name === SERVER_PLACEHOLDER ? `${name} to the URL of the API` : name
  );
  return `Set ${sentenceList(named)} in the environment.`;
}

export function closedText({ closed, halved }: ClosedGaps): string {
  if (closed === 0 && halved > 0) return `closes half of ${formatAmount(halved, "gap")}`;
  const whole = `closes ${formatAmount(closed, "gap")}`;
  return halved === 0 ? whole : `${whole} and half of ${formatNumber(halved)} more`;
}

export const HALF_NOTE =
  "Half of a gap: a keyword needs a value that passes and one that fails, and gets one of the two.";
