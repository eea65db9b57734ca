import { addCounts } from "../values/add_counts.ts";
import { compareText } from "./smallest.ts";

/**
 * The evidence that answers of the API give about one operation:
 *
 * - `refused`, `accepted`: requests that only one keyword made invalid, by the keyword's pointer
 * - `violated`: responses that a keyword made invalid, by the keyword's pointer; kept with the part of the response
 * - `valid_request_refused`, `server_error`, `server_error_valid`, `undocumented_status`: by status code
 * - `with_credentials_succeeded`, `without_credentials_…`: by what the operation needs, as `securityText()` has it
 */
export type EvidenceKind = typeof KINDS[number];

const KINDS = [
  "refused",
  "accepted",
  "valid_request_refused",
  "server_error",
  "server_error_valid",
  "undocumented_status",
  "violated",
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const;

/** True for the name of a kind that this version knows. */
export function isEvidenceKind(name: unknown): name is EvidenceKind {
  return (KINDS as readonly unknown[]).includes(name);
}

/** The kinds of evidence about credentials, whose detail is what the operation needs. */
export const CREDENTIAL_KINDS = [
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const satisfies readonly EvidenceKind[];

/** True for a kind of evidence about credentials. */
export function isCredentialKind(kind: EvidenceKind): boolean {
  return (CREDENTIAL_KINDS as readonly EvidenceKind[]).includes(kind);
}

/** The smallest interaction that shows something; it holds no value of the traffic. */
export interface EvidenceExample {
  /** The status of the response. */
  readonly status_code: number;
  /** RFC 6901 pointer to the part of the value that a keyword refuses; `*` stands for undeclared property names. */
  readonly instance?: string;
}

/** Interactions that show the same. */
export interface Evidence {
  /** The kind of evidence. */
  readonly kind: EvidenceKind;
  /** The index of the parameter; -1 if there is none. */
  readonly parameter: number;
  /** The pointer or the status that it is about. */
  readonly detail: string;
  /** The number of requests. */
  readonly count: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  /** The smallest of them. */
  readonly example: EvidenceExample;
}

/** Evidence that is still being added to. */
interface Counted extends Evidence {
  count: number;
  firstAt: number;
  example: EvidenceExample;
}

/** The evidence that answers of an API give about one operation. Adding is commutative, as for all counts. */
export class EvidenceHits {
  // One after the other instead of one text for all three: that would have to be made for every request.
  #entries: Map<EvidenceKind, Map<number, Map<string, Counted>>> | undefined;
  /** The last one that was added to, as the next is often the same. */
  #last: Counted | undefined;

  /** Adds interactions: one, unless `count` says otherwise. */
  add(
    kind: EvidenceKind,
    parameter: number,
    detail: string,
    firstAt: number,
    example: EvidenceExample,
    count = 1,
  ): void {
    const last = this.#last;
    if (
      last !== undefined && last.kind === kind && last.detail === detail &&
      last.parameter === parameter
    ) {
      addTo(last, firstAt, example, count);
      return;
    }
    const kinds = this.#entries ??= new Map();
    let parameters = kinds.get(kind);
    if (parameters === undefined) kinds.set(kind, parameters = new Map());
    let details = parameters.get(parameter);
    if (details === undefined) parameters.set(parameter, details = new Map());
    let known = details.get(detail);
    if (known === undefined) {
      known = { kind, parameter, detail, count, firstAt, example };
      details.set(detail, known);
    } else addTo(known, firstAt, example, count);
    this.#last = known;
  }

  /** Adds what another map has seen. */
  merge(list: Iterable<Evidence>): void {
    for (const { kind, parameter, detail, firstAt, example, count } of list) {
      this.add(kind, parameter, detail, firstAt, example, count);
    }
  }

  /** The evidence about one rule; undefined if there is none. */
  get(kind: EvidenceKind, parameter: number, detail: string): Evidence | undefined {
    return this.#entries?.get(kind)?.get(parameter)?.get(detail);
  }

  /** Forgets all of it. */
  clear(): void {
    this.#entries = undefined;
    this.#last = undefined;
  }

  /** All of it, in an order that doesn't depend on the traffic's. */
  list(): Evidence[] {
    if (this.#entries === undefined) return [];
    const all = [...this.#entries.values()].flatMap((parameters) =>
      [...parameters.values()].flatMap((details) => [...details.values()])
    );
    return all.sort((a, b) =>
      compareText(a.kind, b.kind) || a.parameter - b.parameter || compareText(a.detail, b.detail)
    );
  }
}

function addTo(known: Counted, firstAt: number, example: EvidenceExample, count: number): void {
  known.count = addCounts(known.count, count);
  if (firstAt < known.firstAt) known.firstAt = firstAt;
  if (isSmaller(example, known.example)) known.example = example;
}

/** Orders by length, so that the smallest example is the same in whatever order they come. */
function isSmaller(a: EvidenceExample, b: EvidenceExample): boolean {
  const [left = "", right = ""] = [a.instance, b.instance];
  if (left !== right) {
    return left.length === right.length ? left < right : left.length < right.length;
  }
  return a.status_code < b.status_code;
}
