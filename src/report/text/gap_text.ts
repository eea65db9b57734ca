import type { Gap } from "../../map/results.ts";
import { groupItems } from "../../values/collections.ts";
import { operationName } from "../../values/operation_name.ts";
import { keywordText, keywordWording, responseWording } from "../wording/gap_wording.ts";
import { keywordPlace, parameterText } from "../wording/place_name.ts";
import { plainText } from "./plain_text.ts";
import { classFate, classPlace } from "../wording/values_wording.ts";
import { cutText } from "./text_width.ts";

const VALUE_WIDTH = 60;

/** Says what is missing and what to send, to follow an operation's name. Safe to print in a terminal. */
export function gapText(gap: Gap, keywordValue?: (schema_path: string) => unknown): string {
  const subject = gapSubject(gap);
  switch (gap.kind) {
    case "operation_uncovered":
      return "was never called";
    case "parameter_uncovered":
      return `${subject} was never sent`;
    case "keyword_uncovered": {
      const keyword = gap.schema_path.slice(gap.schema_path.lastIndexOf("/") + 1);
      const text = keywordText(keywordValue?.(gap.schema_path)) ?? null;
      return `${subject} ${plainText(keywordWording(keyword, text, gap.state))}`;
    }
    case "example_uncovered":
      return `${subject} was never used`;
    case "value_uncovered":
      return `${subject} was never ${plainText(classFate(gap))}`;
    case "response_uncovered":
      return `${subject} ${responseWording(gap.status_code)}`;
  }
}

export function namedGap(gap: Gap, keywordValue?: (schema_path: string) => unknown): string {
  return gapText(gap, keywordValue) + (gap.id === undefined ? "" : ` (${gap.id})`);
}

/** The subject of a gap, to follow an operation's name: `query limit`, `response 404`. Empty for the operation. */
export function gapSubject(gap: Gap): string {
  switch (gap.kind) {
    case "operation_uncovered":
      return "";
    case "parameter_uncovered":
      return plainText(parameterText(gap));
    case "keyword_uncovered":
      return `${plainText(keywordPlace(gap.schema_path))} of ${plainText(parameterText(gap))}`;
    case "example_uncovered": {
      const value = cutText(plainText(JSON.stringify(gap.value)), VALUE_WIDTH);
      return `the example ${value} of ${plainText(parameterText(gap))}`;
    }
    case "value_uncovered":
      return plainText(classPlace(gap));
    case "response_uncovered":
      return `response ${plainText(gap.status_code)}`;
  }
}

/** The first gaps. For an operation that was never called, only that gap is listed, with the number of its others. */
export function listGaps(gaps: readonly Gap[], most: number): {
  readonly shown: readonly { readonly gap: Gap; readonly others: number }[];
  readonly rest: number;
} {
  const isUncalled = ({ kind }: Gap) => kind === "operation_uncovered";
  const uncalled = new Set(gaps.filter(isUncalled).map(operationName));
  const byOperation = groupItems(gaps, operationName);
  const listed = gaps.filter((gap) => isUncalled(gap) || !uncalled.has(operationName(gap)));
  const shown = listed.slice(0, most).map((gap) => {
    const counted = isUncalled(gap) ? byOperation.get(operationName(gap)) ?? [] : [gap];
    return { gap, others: counted.length - 1 };
  });
  return { shown, rest: shown.reduce((rest, { others }) => rest - 1 - others, gaps.length) };
}
