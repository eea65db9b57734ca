import type { Gap } from "../../map/results.ts";
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

interface ListedGap {
  readonly gap: Gap;
  /** For an operation that was never called, the number of its other gaps. Otherwise 0. */
  readonly others: number;
}

interface GapList {
  readonly shown: readonly ListedGap[];
  readonly rest: number;
}

/** The first gaps. For an operation that was never called, only that gap is listed, with the number of its others. */
export function listGaps(gaps: readonly Gap[], most: number): GapList {
  const others = new Map<string, number>();
  for (const gap of gaps) {
    if (gap.kind === "operation_uncovered") others.set(operationName(gap), 0);
  }
  const listed: Gap[] = [];
  for (const gap of gaps) {
    const operation = operationName(gap);
    const number = others.get(operation);
    if (number === undefined || gap.kind === "operation_uncovered") listed.push(gap);
    else others.set(operation, number + 1);
  }
  const countOthers = (gap: Gap): number =>
    gap.kind === "operation_uncovered" ? others.get(operationName(gap)) ?? 0 : 0;
  const shown = listed.slice(0, most).map((gap) => ({ gap, others: countOthers(gap) }));
  const rest = listed.slice(most).reduce((sum, gap) => sum + 1 + countOthers(gap), 0);
  return { shown, rest };
}
