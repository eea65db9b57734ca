import {
  type GapKind,
  keywordAdvice,
  keywordWording,
  type Missing,
  responseWording,
  statusAdvice,
  statusText,
} from "../../../wording/gap_wording.ts";
import { placeName } from "../../../wording/place_name.ts";
import { getOrAdd } from "../../../../values/collections.ts";
import {
  isMissed,
  missingParts,
  type Model,
  type NextRequest,
  type Operation,
  type Parameter,
} from "./model.ts";
import { parseSpot, routeLink, type SpotKind, spotName } from "./route.ts";

export interface OperationGap {
  /** Identifies the gap in an address; read by {@linkcode parseSpot}. */
  readonly at: string;
  readonly kind: GapKind;
  readonly parameter: Parameter | null;
  /** The missing thing: a keyword, a value as JSON, or a status. Empty if `kind` says it all. */
  readonly subject: string;
  readonly pointer: string;
  readonly missing: Missing | null;
  /** The value of the keyword. Null for other kinds. */
  readonly value: string | null;
  /** For a parameter that was never sent, the number of its keywords. Otherwise 0. */
  readonly keywords: number;
  readonly examples: number;
  /** The gap's ids in covtool's commands. A keyword that neither passed nor failed has two. */
  readonly ids: readonly string[];
  /** A request that closes the gap, or one of the two outcomes of a keyword's gap. */
  readonly request?: NextRequest | undefined;
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
    ids: [],
    ...more,
  };
}

function* parameterGaps(parameter: Parameter): Generator<OperationGap> {
  for (const keyword of parameter.keywords) {
    const missing = missingParts(keyword);
    if (missing === null) continue;
    yield gap("keyword", keyword.at, {
      parameter,
      subject: keyword.keyword,
      pointer: keyword.schema,
      missing,
      value: keyword.value ?? null,
    });
  }
  for (const example of parameter.examples.filter(isMissed)) {
    yield gap("example", example.at, {
      parameter,
      subject: example.value,
      pointer: example.schema_path,
    });
  }
}

/** The number of gaps in an entry: one, and the keywords and examples of a parameter that was never sent. */
export function gapWeight(
  { kind, keywords, examples }: OperationGap,
  kinds: ReadonlySet<string> = new Set(),
): number {
  const isCounted = (one: GapKind): boolean => kinds.size === 0 || kinds.has(one);
  return (isCounted(kind) ? 1 : 0) + (isCounted("keyword") ? keywords : 0) +
    (isCounted("example") ? examples : 0);
}

const operationsGaps = new WeakMap<Operation, readonly OperationGap[]>();

/** The gaps of an operation in document order. All gaps of a parameter that was never sent are one entry. */
export function operationGaps(operation: Operation): readonly OperationGap[] {
  return getOrAdd(operationsGaps, operation, () => {
    const { data: { gaps = [] }, requests } = operation;
    let at = 0;
    return Array.from(findGaps(operation), (gap): OperationGap => {
      const outcomes = gaps.slice(at, at += gap.missing === "both" ? 2 : 1);
      // Requests are in the order of all requests, so this is the first one that closes an outcome.
      const request = requests.find(({ number }) =>
        outcomes.some(([, closing]) => closing === number)
      );
      return { ...gap, ids: outcomes.map(([id]) => id), request };
    });
  });
}

function* findGaps(operation: Operation): Generator<OperationGap> {
  const { data } = operation;
  if (data.excluded !== undefined) return;
  if (data.hits === 0) yield gap("operation", spotName("operation", 0));
  for (const parameter of operation.parameters) {
    if (parameter.excluded !== undefined || parameter.measured === false) continue;
    if (parameter.hits === 0) {
      const { keyword_total: keywords, example_total: examples = 0 } = parameter;
      yield gap("parameter", parameter.at, { parameter, keywords, examples });
    } else yield* parameterGaps(parameter);
  }
  // If the traffic has no responses at all, missing responses aren't gaps.
  if (operation.gaps.response === 0) return;
  for (const [index, { hits, status_code, excluded }] of data.responses.entries()) {
    if (hits === 0 && excluded === undefined) {
      yield gap("response", spotName("response", index), { subject: status_code });
    }
  }
}

export function gapPlace({ pointer, parameter }: OperationGap): string {
  return placeName(pointer, parameter?.schema_path ?? "", parameter?.name ?? "");
}

/** The name of what is missing: `body.price minimum`, `404 Not Found`. */
export function gapName(gap: OperationGap): string {
  const { kind, subject } = gap;
  if (kind === "keyword") return `${gapPlace(gap)} ${subject}`;
  return kind === "response" ? `${subject} ${statusText(subject)}`.trim() : subject;
}

/** What to send to close the gap, as a sentence. Empty if that depends on the API or is obvious. */
export function gapAdvice({ kind, subject, value, missing }: OperationGap): string {
  if (kind === "response") return statusAdvice(subject);
  return kind === "keyword" && missing !== null ? keywordAdvice(subject, value, missing) : "";
}

export function requestLink({ operation, index }: NextRequest): string {
  return routeLink("operation", operation.key, { at: spotName("request", index) });
}

const gapsBySpot = new WeakMap<Operation, ReadonlyMap<string, OperationGap>>();

function findGap(operation: Operation, at: string): OperationGap | undefined {
  const bySpot = () => new Map(operationGaps(operation).map((gap) => [gap.at, gap]));
  return getOrAdd(gapsBySpot, operation, bySpot).get(at);
}

export function requestLinkAt(operation: Operation, at: string): string | undefined {
  const request = findGap(operation, at)?.request;
  return request && requestLink(request);
}

export interface GapStop {
  readonly operation: Operation;
  readonly gap: OperationGap;
  /** Its number among all gaps, from 1. A parameter that was never sent has several, up to `last`. */
  readonly first: number;
  readonly last: number;
}

export function gapSentence({ gap, operation }: GapStop): string {
  const { parameter, subject, missing } = gap;
  const name = parameter === null ? "" : `${parameter.location} ${parameter.parameter}`;
  switch (gap.kind) {
    case "operation":
      return `${operation.data.method} ${operation.data.path} was never called`;
    case "parameter":
      return `${name} was never sent`;
    case "keyword":
      return `${subject} of ${gapPlace(gap)} ${
        missing === null ? "" : keywordWording(subject, gap.value, missing)
      }`;
    case "example":
      return `an example of ${name} was never used`;
    case "response":
      return `response ${subject} ${responseWording(subject)}`;
  }
}

/** The address of a gap. `missing` is taken from the current address, so that hidden rows stay hidden. */
export function gapLink({ operation, gap }: GapStop, missing: string): string {
  return routeLink("operation", operation.key, { at: gap.at, missing });
}

/** The order of the kinds in the view of an operation, and within a parameter. */
const ORDER: Readonly<Record<SpotKind, readonly [number, number]>> = {
  operation: [0, 0],
  request: [0, 1],
  parameter: [1, 0],
  keyword: [1, 1],
  example: [1, 2],
  response: [2, 0],
  line: [3, 0],
};

function rank(at: string): readonly number[] {
  const spot = parseSpot(at);
  if (spot === null) return [-1];
  const [outer, inner] = ORDER[spot.kind];
  return [outer, spot.index, inner, spot.row];
}

function compare(left: readonly number[], right: readonly number[]): number {
  return left.map((rank, index) => rank - (right[index] ?? 0)).find((order) => order !== 0) ?? 0;
}

function makeStop(model: Model, operation: Operation, gap: OperationGap): GapStop {
  let before = 0;
  for (const other of model.operations.slice(0, operation.index)) before += other.gaps.total;
  for (const other of operationGaps(operation)) {
    if (other === gap) break;
    before += gapWeight(other);
  }
  return { operation, gap, first: before + 1, last: before + gapWeight(gap) };
}

export function gapAt(model: Model, operation: Operation, at: string): GapStop | null {
  const gap = findGap(operation, at);
  return gap === undefined ? null : makeStop(model, operation, gap);
}

/** The next gap in a direction, across operations. Without an operation, searches from the first or last one. */
export function nextGap(
  model: Model,
  operation: Operation | null,
  at: string,
  direction: 1 | -1,
): GapStop | null {
  const { operations } = model;
  const here = rank(at);
  const isAhead = (gap: OperationGap): boolean => direction * compare(rank(gap.at), here) > 0;
  let index = operation?.index ?? (direction === 1 ? 0 : operations.length - 1);
  for (let other = operations[index]; other !== undefined; other = operations[index += direction]) {
    if (other.gaps.total === 0) continue;
    const gaps = operationGaps(other);
    const isNext = other === operation ? isAhead : () => true;
    const gap = direction === 1 ? gaps.find(isNext) : gaps.findLast(isNext);
    if (gap !== undefined) return makeStop(model, other, gap);
  }
  return null;
}
