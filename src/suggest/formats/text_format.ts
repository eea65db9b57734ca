import { groupItems } from "../../values/collections.ts";
import type { Suggestion, SuggestionFormat, UnreachableGap } from "../suggestion.ts";
import { closestTestText, oneLine, requestTitle } from "./request_title.ts";

/** The number of characters after which bodies are cut. */
const MAX_BODY = 500;

export const textFormat: SuggestionFormat = {
  name: "text",
  extensions: [".txt"],
  write({ requests, unreachable }) {
    const blocks = requests.map((suggestion, index) => suggestionBlock(suggestion, index + 1));
    if (requests.length === 0) blocks.push("No request closes a gap.\n");
    return [
      ...blocks,
      ...gapBlocks("No request can close:\n", unreachable.filter(({ impossible }) => impossible)),
      ...gapBlocks(
        "No request was found for:\n",
        unreachable.filter(({ impossible }) => !impossible),
      ),
    ].join("\n");
  },
};

function suggestionBlock(suggestion: Suggestion, number: number): string {
  const { request: { method, url, headers, body }, breaks, expects, based_on } = suggestion;
  const lines = [
    `${number}. ${requestTitle(suggestion)}`,
    `   ${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `   ${name}: ${value}`),
  ];
  if (body !== undefined) {
    const shown = oneLine(body);
    lines.push(`   ${shown.length > MAX_BODY ? `${shown.slice(0, MAX_BODY)}…` : shown}`);
  }
  const base = {
    recorded: "a recorded request",
    examples: "documented examples",
    schema: "the schema",
  };
  const statuses = describeExpected(expects, breaks === null);
  const expected = statuses.length === 0 ? "" : `Expect ${statuses.join(" or ")}. `;
  lines.push(`   ${expected}Based on ${base[based_on]}.`);
  if (suggestion.closest_test !== undefined) lines.push(`   ${closestTestText(suggestion)}`);
  return lines.map(oneLine).join("\n") + "\n";
}

function gapBlocks(title: string, unreachable: readonly UnreachableGap[]): string[] {
  if (unreachable.length === 0) return [];
  const gapLine = ({ gap }: UnreachableGap): string => {
    const side = "state" in gap ? gap.state : "class" in gap ? gap.class : "";
    const subject = "schema_path" in gap
      ? `${gap.schema_path}${side === "" ? "" : ` (${side})`}`
      : "status_code" in gap
      ? gap.status_code
      : "parameter" in gap
      ? `${gap.location} ${gap.parameter}`
      : "the operation";
    return oneLine(`   ${gap.method} ${gap.path}: ${subject}`);
  };
  const byReason = groupItems(unreachable, ({ reason }) => reason);
  return [
    title,
    ...Array.from(byReason, ([reason, gaps]) => `${reason}\n${gaps.map(gapLine).join("\n")}\n`),
  ];
}

/**
 * Describes the expected statuses in words. `default` is documented for all other statuses; it becomes 2xx for a valid
 * request, and 4xx for one that breaks a rule.
 */
export function describeExpected(expects: readonly string[], isValid: boolean): readonly string[] {
  return expects.map((status) =>
    status === "default"
      ? `${isValid ? "2xx" : "4xx"} (documented as default)`
      : status.replaceAll("X", "x")
  );
}
