import type { GapKind } from "../../../wording/gap_wording.ts";
import type { Missing } from "../../../wording/keyword_advice.ts";
import type { PageParameter } from "../../page_data.ts";
import { countsResponses } from "../../../gap_counts.ts";
import { missingOutcomes } from "../../../wording/gap_wording.ts";
import { examplesOf, type Keyword, keywordsOf, type Model, type Operation } from "./model.ts";
import { spotName } from "./spot.ts";

/** One gap of an operation, as the list of gaps shows it. */
export interface OperationGap {
  /** Names it in an address, as {@linkcode parseSpot} reads it. */
  readonly at: string;
  readonly kind: GapKind;
  readonly parameter: PageParameter | null;
  /** The missing thing: a keyword, a value as JSON, a status; empty if the kind identifies it. */
  readonly subject: string;
  /** The pointer of the schema (keywords) or of the value (examples); empty elsewhere. */
  readonly pointer: string;
  /** The missing outcomes of a keyword. */
  readonly missing: Missing | null;
  /** The value of the keyword; null for other kinds. */
  readonly value: string | null;
  /** The keywords of a parameter that was never sent; 0 elsewhere. */
  readonly keywords: number;
  /** Its examples, likewise. */
  readonly examples: number;
}

function gap(kind: GapKind, at: string, more: Partial<OperationGap> = {}): OperationGap {
  return {
    kind,
    at,
    parameter: null,
    subject: "",
    pointer: "",
    missing: null,
    value: null,
    keywords: 0,
    examples: 0,
    ...more,
  };
}

/** The outcomes of a keyword that were never seen; null if both were, or if it does not count. */
export function missingOf(
  { valid, invalid, satisfiability, exclusion }: Keyword,
): Missing | null {
  return satisfiability === "Normal" && exclusion === null ? missingOutcomes(valid, invalid) : null;
}

function* parameterGaps(
  model: Model,
  parameter: PageParameter,
  index: number,
): Generator<OperationGap> {
  for (const keyword of keywordsOf(model.data, parameter)) {
    const missing = missingOf(keyword);
    if (missing === null) continue;
    yield gap("keyword", spotName("keyword", index, keyword.row), {
      parameter,
      subject: keyword.keyword,
      pointer: model.data.texts[keyword.place] ?? "",
      missing,
      value: keyword.value,
    });
  }
  for (const example of examplesOf(model.data, parameter)) {
    if (example.hits > 0 || example.exclusion !== null) continue;
    yield gap("example", spotName("example", index, example.row), {
      parameter,
      subject: example.value,
      pointer: example.pointer,
    });
  }
}

/**
 * The number of gaps behind an entry: its own, and the keywords and examples of a parameter that was never sent.
 *
 * @param kinds The kinds to count; empty for all.
 */
export function gapWeight(
  { kind, keywords, examples }: OperationGap,
  kinds: ReadonlySet<string>,
): number {
  const isCounted = (one: GapKind): boolean => kinds.size === 0 || kinds.has(one);
  return (isCounted(kind) ? 1 : 0) + (isCounted("keyword") ? keywords : 0) +
    (isCounted("example") ? examples : 0);
}

/** The gaps of an operation in document order; those of a parameter that was never sent are one entry. */
export function operationGaps(model: Model, operation: Operation): OperationGap[] {
  const { data } = operation;
  const list: OperationGap[] = [];
  if (data.excluded !== undefined) return list;
  if (data.hits === 0) list.push(gap("operation", spotName("operation", 0)));
  data.parameters.forEach((parameter, index) => {
    if (parameter.excluded !== undefined || parameter.measured === false) return;
    if (parameter.hits === 0) {
      const { keyword_total: keywords, example_total: examples = 0 } = parameter;
      const at = spotName("parameter", index);
      list.push(gap("parameter", at, { parameter, keywords, examples }));
    } else list.push(...parameterGaps(model, parameter, index));
  });
  if (!countsResponses(model.data.summary, model.data.traffic)) return list;
  data.responses.forEach(({ hits, status_code, excluded }, index) => {
    if (hits === 0 && excluded === undefined) {
      list.push(gap("response", spotName("response", index), { subject: status_code }));
    }
  });
  return list;
}
