import { getOrAdd } from "../../../../values/collections.ts";
import {
  GAP_WORDS,
  keywordAdvice,
  MISSING_WORDS,
  statusText,
} from "../../../wording/gap_wording.ts";
import { schemaNames } from "../../../wording/place_name.ts";
import { gapChanges, operationChange } from "./changes.ts";
import { gapWeight, type OperationGap, operationGaps } from "./gaps.ts";
import type { Model, Operation, Parameter } from "./model.ts";
import type { Source } from "./source.ts";

export interface Search {
  readonly isEmpty: boolean;
  /** True for operations in which every word is found, covered or not. */
  readonly operation: (operation: Operation) => boolean;
  /** True for gaps in which every word is found, or in the operation itself. */
  readonly gap: (operation: Operation, gap: OperationGap) => boolean;
}

class Word {
  readonly #model: Model;
  readonly #source: Source | null;
  readonly #text: string;
  readonly #at: ReadonlySet<Operation> | null;
  /** Whether the word is in the names that a pointer has. */
  readonly #pointers = new Map<string, boolean>();
  readonly #lists = new Map<readonly number[], boolean>();

  constructor(model: Model, source: Source | null, word: string) {
    this.#model = model;
    this.#source = source;
    this.#text = word.toLowerCase();
    this.#at = operationsAt(model, word);
  }

  /** True if the operation itself has the word: its path, its name, its tags. */
  names(operation: Operation): boolean {
    return operation.haystack.includes(this.#text) || this.#at?.has(operation) === true;
  }

  within({ data, index, parameters }: Operation): boolean {
    return parameters.some((parameter) =>
      this.#isIn(parameter.parameter) || this.#rows(parameter) || this.#missed(index, parameter)
    ) ||
      data.responses.some(({ status_code }) => this.#status(status_code)) ||
      data.undocumented_responses.some(({ status_code }) => this.#status(status_code));
  }

  /** True if a gap has it: the names of its schema, the keyword, its value, what is missing, what to send. */
  gap({ index }: Operation, gap: OperationGap): boolean {
    const { kind, parameter, subject, pointer, missing, value, ids } = gap;
    if (ids.includes(this.#text)) return true;
    if (parameter !== null && this.#isIn(`${parameter.location} ${parameter.parameter}`)) {
      return true;
    }
    switch (kind) {
      case "operation":
        return this.#isIn(GAP_WORDS.operation.fate);
      case "parameter":
        return this.#isIn(GAP_WORDS.parameter.fate) ||
          parameter !== null && this.#missed(index, parameter);
      case "keyword":
        return this.#isIn(subject) || this.#isIn(schemaNames(pointer)) ||
          missing !== null && (this.#isIn(MISSING_WORDS[missing]) ||
              this.#isIn(keywordAdvice(subject, value, missing)));
      case "example":
        return this.#isIn(`example ${GAP_WORDS.example.fate} ${subject}`) ||
          this.#isIn(schemaNames(pointer));
      case "response":
        return this.#isIn(GAP_WORDS.response.fate) || this.#status(subject);
    }
  }

  #isIn(text: string): boolean {
    return text.toLowerCase().includes(this.#text);
  }

  #status(status: string): boolean {
    const own = status.toLowerCase();
    return own === this.#text || /^[1-5]xx$/.test(this.#text) && own[0] === this.#text[0] ||
      this.#isIn(`response ${own} ${statusText(status)}`);
  }

  /** True if the keywords or examples of a parameter that was sent have it. */
  #rows({ keywords }: Parameter): boolean {
    return keywords.some(({ schema, keyword }) => this.#pointer(schema) || this.#isIn(keyword));
  }

  /** True if what a parameter lacks that was never sent has it, as far as the page knows. */
  #missed(operation: number, parameter: Parameter): boolean {
    if (parameter.hits > 0) return false;
    const list = this.#source?.missedList(operation, parameter.index);
    if (list === undefined) {
      const { schema: root } = parameter;
      return root !== undefined &&
        this.#isIn(schemaNames(this.#model.references.get(root) ?? root));
    }
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    const found = list.some((number) => {
      const path = this.#source?.path(number) ?? "";
      return this.#isIn(schemaNames(path)) ||
        this.#isIn(path.slice(path.lastIndexOf("/") + 1));
    });
    this.#lists.set(list, found);
    return found;
  }

  #pointer(pointer: string): boolean {
    return getOrAdd(this.#pointers, pointer, () => this.#isIn(schemaNames(pointer)));
  }
}

const ANYTHING: Search = { isEmpty: true, operation: () => true, gap: () => true };

/** An operation is found by each word in what it is or lacks, or by the whole text in the name of a test. */
export function makeSearch(model: Model, text: string, source: Source | null): Search {
  const whole = text.trim();
  if (whole === "") return ANYTHING;
  const words = whole.split(/\s+/).map((word) => new Word(model, source, word));
  const tests = new Set<number>();
  model.data.tests?.forEach((name, index) => {
    if (name.toLowerCase().includes(whole.toLowerCase())) tests.add(index);
  });
  const isTested = ({ data }: Operation): boolean =>
    data.covered_by?.some((index) => tests.has(index)) ?? false;
  const gap = (operation: Operation, gap: OperationGap): boolean =>
    words.every((word) => word.names(operation) || word.gap(operation, gap)) ||
    isTested(operation);
  return {
    isEmpty: false,
    operation: (operation) =>
      words.every((word) => word.names(operation) || word.within(operation)) ||
      isTested(operation) || operationGaps(model, operation).some((one) => gap(operation, one)),
    gap,
  };
}

export function searchLabel({ data }: Model): string {
  return `Search paths, URLs, names, statuses${data.tests === undefined ? "" : ", tests"}`;
}

/** The patterns of paths, made when a search first needs them. */
const patterns = new Map<string, RegExp>();

/** A path as a pattern that concrete paths match, whatever stands for its templates. */
function pathPattern(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    const text = path.split(/(\{[^{}]*\})/).map((part, index) =>
      index % 2 === 1 ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    ).join("");
    pattern = new RegExp(`^${text}/?$`, "i");
    patterns.set(path, pattern);
  }
  return pattern;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pathInWord(word: string): string | null {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(word);
  return match?.[1] === undefined ? null : decoded(match[1]);
}

/** The operations that a word calls, if it is a concrete path or a URL: `https://host/v1/books/42?limit=1`. */
export function operationsAt(model: Model, word: string): ReadonlySet<Operation> | null {
  const path = pathInWord(word);
  if (path === null) return null;
  const matching = (candidate: string): Operation[] =>
    model.operations.filter(({ data }) => pathPattern(data.path).test(candidate));
  const base = (model.data.schema.base_path ?? "").replace(/\/$/, "");
  const isBelowBase = base !== "" && path.toLowerCase().startsWith(`${base.toLowerCase()}/`);
  const exact = [...isBelowBase ? matching(path.slice(base.length)) : [], ...matching(path)];
  if (exact.length > 0) return new Set(exact);
  // Another server may have another base path: the least that leaves a path of the description.
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

/** The gaps that filters ask for; `kinds` and `since` (`new`, `added`, `new.added`) are empty for all. */
export function listedGaps(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
  search?: Search,
): OperationGap[] {
  const change = operationChange(model, operation);
  if (since !== "" && change.gaps.size === 0) return [];
  const sought = since.split(".");
  return operationGaps(model, operation).filter((gap) =>
    gapWeight(gap, kinds) > 0 &&
    (search?.gap(operation, gap) ?? true) &&
    (since === "" || gapChanges(change, gap).some((state) => sought.includes(state)))
  );
}

/** Since a baseline the number is that of the comparison, which has the two outcomes of a keyword as two. */
export function countListed(
  model: Model,
  operation: Operation,
  kinds: ReadonlySet<string>,
  since: string,
  search?: Search,
): number {
  const list = listedGaps(model, operation, kinds, since, search);
  if (since === "") return list.reduce((sum, gap) => sum + gapWeight(gap, kinds), 0);
  const change = operationChange(model, operation);
  const sought = since.split(".");
  return list.reduce(
    (sum, gap) => sum + gapChanges(change, gap).filter((state) => sought.includes(state)).length,
    0,
  );
}
