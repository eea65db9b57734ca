import { getOrAdd } from "../../../../values/collections.ts";
import { GAP_KINDS, GAP_WORDS, MISSING_WORDS, statusText } from "../../../wording/gap_wording.ts";
import { schemaNames } from "../../../wording/place_name.ts";
import { gapAdvice, gapWeight, type OperationGap, operationGaps } from "./gaps.ts";
import { gapChanges, type Model, type Operation, type Parameter } from "./model.ts";
import { decode } from "./route.ts";
import { missedList, type Source } from "./source.ts";
import { escapePattern } from "../../../../values/escapes.ts";

export interface Search {
  /** True if all words are found in the operation, covered or not. */
  readonly operation: (operation: Operation) => boolean;
  /** True if all words are found in the gap or its operation. */
  readonly gap: (operation: Operation, gap: OperationGap) => boolean;
}

// Texts are in lower case and cached when a search first needs them. Search words contain no spaces, so no word matches
// across two parts of a text.
const names = new Map<string, string>();
const innerTexts = new WeakMap<Operation, string>();
const gapTexts = new WeakMap<OperationGap, string>();
const missedTexts = new WeakMap<readonly number[], string>();

function lowerText(parts: readonly string[]): string {
  return parts.join(" ").toLowerCase();
}

/** The names in a pointer, cached because operations share components. */
function namesIn(pointer: string): string {
  return getOrAdd(names, pointer, () => schemaNames(pointer));
}

function responseText(status: string): string {
  return `response ${status} ${statusText(status)}`;
}

function innerText(operation: Operation): string {
  const { data: { responses, undocumented_responses }, parameters } = operation;
  return getOrAdd(innerTexts, operation, () =>
    lowerText([
      ...parameters.flatMap(({ keywords }) =>
        keywords.map(({ schema, keyword }) => `${namesIn(schema)} ${keyword}`)
      ),
      ...[...responses, ...undocumented_responses].map(({ status_code }) =>
        responseText(status_code)
      ),
    ]));
}

function gapText(gap: OperationGap): string {
  const { kind, parameter, subject, pointer, missing } = gap;
  return getOrAdd(gapTexts, gap, () =>
    lowerText([
      parameter === null ? "" : `${parameter.location} ${parameter.parameter}`,
      kind === "response" ? responseText(subject) : subject,
      kind === "example" ? kind : "",
      namesIn(pointer),
      missing === null ? GAP_WORDS[kind].fate : MISSING_WORDS[missing],
      kind === "keyword" ? gapAdvice(gap) : "",
    ]));
}

/** For a parameter that was never sent, the names of what it lacks, if the page knows them. Empty for others. */
function missedText(
  { references }: Model,
  source: Source | null | undefined,
  { index }: Operation,
  { hits, schema: root, index: position }: Parameter,
): string {
  if (hits > 0) return "";
  const list = source && missedList(source, index, position);
  if (source && list) {
    return getOrAdd(missedTexts, list, () =>
      lowerText(list.map((number) => {
        const path = source.paths[number] ?? "";
        return `${namesIn(path)} ${path.slice(path.lastIndexOf("/") + 1)}`;
      })));
  }
  return root === undefined ? "" : namesIn(references.get(root) ?? root).toLowerCase();
}

/** Returns a function that looks for a word in texts. `4xx` matches all statuses of that class. */
function wordFinder(word: string): (text: string) => boolean {
  const text = word.toLowerCase();
  const statuses = /^[1-5]xx$/.test(text) ? `response ${text[0]}` : text;
  return (whole) => whole.includes(text) || whole.includes(statuses);
}

export const ANYTHING: Search = { operation: () => true, gap: () => true };

/** Finds operations by all words in their names, contents or gaps, or by the whole text in the name of a test. */
export function makeSearch(model: Model, text: string, source?: Source | null): Search {
  const whole = text.trim().toLowerCase();
  if (whole === "") return ANYTHING;
  const words = text.trim().split(/\s+/).map((word) => {
    const isIn = wordFinder(word);
    const called = operationsAt(model, word);
    const isMissed = (operation: Operation, parameter: Parameter): boolean =>
      isIn(missedText(model, source, operation, parameter));
    return {
      names: (operation: Operation): boolean =>
        isIn(operation.haystack) || called?.has(operation) === true,
      isWithin: (operation: Operation): boolean =>
        isIn(innerText(operation)) || operation.parameters.some((one) => isMissed(operation, one)),
      isInGap: (operation: Operation, gap: OperationGap): boolean =>
        isIn(gapText(gap)) || gap.ids.includes(word.toLowerCase()) ||
        gap.kind === "parameter" && gap.parameter !== null && isMissed(operation, gap.parameter),
    };
  });
  const tests = new Set<number>();
  model.data.tests?.forEach((name, index) => {
    if (name.toLowerCase().includes(whole)) tests.add(index);
  });
  const isTested = ({ data }: Operation): boolean =>
    data.covered_by?.some((index) => tests.has(index)) ?? false;
  const gap = (operation: Operation, gap: OperationGap): boolean =>
    words.every((word) => word.names(operation) || word.isInGap(operation, gap)) ||
    isTested(operation);
  return {
    operation: (operation) =>
      words.every((word) => word.names(operation) || word.isWithin(operation)) ||
      isTested(operation) || operationGaps(operation).some((one) => gap(operation, one)),
    gap,
  };
}

export function searchLabel({ data }: Model): string {
  return `Search paths, URLs, names, statuses${data.tests === undefined ? "" : ", tests"}`;
}

const patterns = new Map<string, RegExp>();

function pathPattern(path: string): RegExp {
  return getOrAdd(patterns, path, () => {
    const text = path.split(/(\{[^{}]*\})/).map((part, index) =>
      index % 2 === 1 ? "[^/]+" : escapePattern(part)
    ).join("");
    return new RegExp(`^${text}/?$`, "i");
  });
}

function pathInWord(word: string): string | null {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(word);
  return match?.[1] === undefined ? null : decode(match[1]);
}

/** The operations that a concrete path or URL matches: `https://host/v1/books/42?limit=1`. Null for other words. */
function operationsAt(model: Model, word: string): ReadonlySet<Operation> | null {
  const path = pathInWord(word);
  if (path === null) return null;
  const matching = (candidate: string): Operation[] =>
    model.operations.filter(({ data }) => pathPattern(data.path).test(candidate));
  const base = (model.data.schema.base_path ?? "").replace(/\/$/, "");
  const isBelowBase = base !== "" && path.toLowerCase().startsWith(`${base.toLowerCase()}/`);
  const exact = [...isBelowBase ? matching(path.slice(base.length)) : [], ...matching(path)];
  if (exact.length > 0) return new Set(exact);
  // Other servers may have other base paths: removes leading segments until a documented path matches.
  for (
    let at = path.indexOf("/", 1);
    at > 0 && at < path.length - 1;
    at = path.indexOf("/", at + 1)
  ) {
    const found = matching(path.slice(at)).filter(({ data }) =>
      /[^/{}]/.test(data.path.replace(/\{[^{}]*\}/g, ""))
    );
    if (found.length > 0) return new Set(found);
  }
  return new Set();
}

/** The filter of the list of gaps. Empty sets select everything. */
export interface GapFilter {
  readonly kinds: ReadonlySet<string>;
  /** The changes since the baseline to select. */
  readonly since: ReadonlySet<string>;
  readonly search: Search;
}

export function listedGaps(
  operation: Operation,
  { kinds, since, search }: GapFilter,
): OperationGap[] {
  const { change } = operation;
  if (since.size > 0 && change.gaps.size === 0) return [];
  return operationGaps(operation).filter((gap) =>
    gapWeight(gap, kinds) > 0 && search.gap(operation, gap) &&
    (since.size === 0 || gapChanges(change, gap).some((state) => since.has(state)))
  );
}

/** Since a baseline, counts like the comparison, where the two outcomes of a keyword are two gaps. */
export function countListed(operation: Operation, filter: GapFilter): number {
  const { kinds, since, search } = filter;
  const { gaps, change } = operation;
  if (since.size === 0 && search === ANYTHING) {
    return kinds.size === 0
      ? gaps.total
      : GAP_KINDS.reduce((sum, kind) => kinds.has(kind) ? sum + gaps[kind] : sum, 0);
  }
  return listedGaps(operation, filter).reduce(
    (sum, gap) =>
      sum +
      (since.size === 0
        ? gapWeight(gap, kinds)
        : gapChanges(change, gap).filter((state) => since.has(state)).length),
    0,
  );
}
