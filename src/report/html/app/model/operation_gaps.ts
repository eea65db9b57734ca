import { examplesOf, type GapKind, keywordsOf, type Model, type Operation } from "./model.ts";
import type { PageParameter } from "../../page_data.ts";

/** One gap of an operation, as the list of gaps shows it. */
export interface OperationGap {
  readonly kind: GapKind;
  readonly parameter: PageParameter | null;
  /** What is missing: a keyword, a value as JSON, a status; empty where the kind says it all. */
  readonly subject: string;
  /** The pointer of the schema (keywords) or of the value (examples); empty elsewhere. */
  readonly pointer: string;
  /** Which way a keyword was never seen. */
  readonly missing: "valid" | "invalid" | "both" | null;
}

function gap(kind: GapKind, more: Partial<OperationGap> = {}): OperationGap {
  return { kind, parameter: null, subject: "", pointer: "", missing: null, ...more };
}

function* parameterGaps(model: Model, parameter: PageParameter): Generator<OperationGap> {
  for (const keyword of keywordsOf(model.data, parameter)) {
    if (keyword.satisfiability !== "Normal" || (keyword.valid > 0 && keyword.invalid > 0)) continue;
    yield gap("keyword", {
      parameter,
      subject: keyword.keyword,
      pointer: model.data.texts[keyword.place] ?? "",
      missing: keyword.valid > 0 ? "invalid" : keyword.invalid > 0 ? "valid" : "both",
    });
  }
  for (const example of examplesOf(model.data, parameter)) {
    if (example.hits > 0) continue;
    yield gap("example", { parameter, subject: example.value, pointer: example.pointer });
  }
}

/** The gaps of an operation in document order; a keyword never seen either way is one entry here. */
export function operationGaps(model: Model, operation: Operation): OperationGap[] {
  const { data } = operation;
  const list: OperationGap[] = [];
  if (data.hits === 0) list.push(gap("operation"));
  for (const parameter of data.parameters) {
    if (parameter.hits === 0) list.push(gap("parameter", { parameter }));
    else list.push(...parameterGaps(model, parameter));
  }
  for (const { hits, status_code } of data.responses) {
    if (hits === 0) list.push(gap("response", { subject: status_code }));
  }
  return list;
}
