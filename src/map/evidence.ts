import { byMembers, compareText, getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";

/**
 * Kinds of evidence that responses give about an operation, and the detail by which each kind is grouped:
 *
 * - `refused`, `accepted`: requests that a single keyword made invalid, by the keyword's pointer
 * - `violated`: responses that a keyword made invalid, by the keyword's pointer; stored with the part of the response
 * - `valid_request_refused`, `server_error`, `server_error_valid`, `undocumented_status`, `slash_redirect`: by status code
 * - `failed`: responses other than success, as long as the operation has had no success
 * - `with_credentials_succeeded`, `without_credentials_…`: by the security requirements (`securityText()`)
 */
export type EvidenceKind = typeof KINDS[number];

const KINDS = [
  "refused",
  "accepted",
  "valid_request_refused",
  "server_error",
  "server_error_valid",
  "undocumented_status",
  "slash_redirect",
  "failed",
  "violated",
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const;

export function isEvidenceKind(name: unknown): name is EvidenceKind {
  return (KINDS as readonly unknown[]).includes(name);
}

export const CREDENTIAL_KINDS = [
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const satisfies readonly EvidenceKind[];

export function isCredentialKind(kind: EvidenceKind): boolean {
  return (CREDENTIAL_KINDS as readonly EvidenceKind[]).includes(kind);
}

export interface ExampleText {
  /** The path with the query, without secrets. */
  readonly url: string;
  /** Empty if the body has no Content-Type; undefined if there is no body. */
  readonly media_type?: string;
  /** The body as JSON, with each value replaced by its type; undefined if unknown. */
  readonly shape?: string;
}

/** Cheap properties that example requests are compared by first; their texts are expensive to make. */
interface RequestOrder {
  /** In seconds since 1970; Infinity if unknown. */
  readonly at: number;
  /** The combined length of URL and body as recorded. */
  readonly size: number;
}

export interface ExampleRequest extends RequestOrder {
  readonly text: ExampleText;
}

export interface RequestSource extends RequestOrder {
  /** Returns a copy whose text is made on first access. */
  keep(): ExampleRequest;
  /** True if the text is certainly the same as that of a kept request; false if this isn't known. */
  repeats(kept: ExampleRequest): boolean;
}

/** The smallest interaction that proves something. Only the URL of its request contains values from the traffic. */
export interface EvidenceExample {
  readonly status_code: number;
  /** RFC 6901 pointer to the value that violates the keyword, with `*` in place of undeclared property names. */
  readonly instance?: string;
  /** The earliest request among equally small examples; undefined in hits files of older versions. */
  readonly request?: ExampleRequest;
}

export interface Evidence {
  readonly kind: EvidenceKind;
  /** The index of the parameter; -1 if the evidence is about none. */
  readonly parameter: number;
  readonly detail: string;
  readonly count: number;
  /** The time of the first request in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  readonly example: EvidenceExample;
}

const compareEvidence = byMembers<Evidence>(["kind", "parameter", "detail"]);

interface MutableEvidence extends Evidence {
  count: number;
  firstAt: number;
  example: EvidenceExample;
}

/** Evidence about one operation or response part. The order in which evidence is added doesn't matter. */
export class EvidenceHits {
  /** Keyed by detail; few details occur with several kinds or parameters. */
  #entries: Map<string, MutableEvidence[]> | undefined;
  /** The entry added to most recently, as the next addition often goes to the same one. */
  #last: MutableEvidence | undefined;

  /** @param source The request to show as an example, for the kinds that findings show. */
  add(
    kind: EvidenceKind,
    parameter: number,
    detail: string,
    firstAt: number,
    example: EvidenceExample,
    count = 1,
    source?: RequestSource,
  ): void {
    const last = this.#last;
    if (
      last !== undefined && last.kind === kind && last.detail === detail &&
      last.parameter === parameter
    ) {
      addToEntry(last, firstAt, example, count, source);
      return;
    }
    const sameDetail = getOrAdd(this.#entries ??= new Map(), detail, () => []);
    let entry = findEvidence(sameDetail, kind, parameter);
    if (entry === undefined) {
      const first = smallerExample(undefined, example, source);
      entry = { kind, parameter, detail, count, firstAt, example: first };
      sameDetail.push(entry);
    } else addToEntry(entry, firstAt, example, count, source);
    this.#last = entry;
  }

  merge(list: Iterable<Evidence>): void {
    for (const { kind, parameter, detail, firstAt, example, count } of list) {
      this.add(kind, parameter, detail, firstAt, example, count);
    }
  }

  get(kind: EvidenceKind, parameter: number, detail: string): Evidence | undefined {
    return findEvidence(this.#entries?.get(detail) ?? [], kind, parameter);
  }

  clear(): void {
    this.#entries = undefined;
    this.#last = undefined;
  }

  /** Returns all evidence in an order that doesn't depend on the traffic. */
  list(): Evidence[] {
    return [...this.#entries?.values() ?? []].flat().sort(compareEvidence);
  }
}

function findEvidence(
  entries: readonly MutableEvidence[],
  kind: EvidenceKind,
  parameter: number,
): MutableEvidence | undefined {
  return entries.find((one) => one.kind === kind && one.parameter === parameter);
}

function addToEntry(
  entry: MutableEvidence,
  firstAt: number,
  example: EvidenceExample,
  count: number,
  source: RequestSource | undefined,
): void {
  entry.count = addCounts(entry.count, count);
  if (firstAt < entry.firstAt) entry.firstAt = firstAt;
  entry.example = smallerExample(entry.example, example, source);
}

/** Returns the smaller of two examples, whatever their order. `source` is the request of `candidate`. */
export function smallerExample(
  current: EvidenceExample | undefined,
  candidate: EvidenceExample,
  source?: RequestSource,
): EvidenceExample {
  const order = current === undefined ? -1 : compareExamples(candidate, current);
  if (order > 0) return current as EvidenceExample; // `order` is positive only if `current` exists
  const oldRequest = order < 0 ? undefined : current?.request;
  const newRequest = source ?? candidate.request;
  if (newRequest === undefined) return order === 0 ? current as EvidenceExample : candidate; // `current` exists if `order` is 0
  const difference = oldRequest === undefined
    ? -1
    : newRequest.at - oldRequest.at || newRequest.size - oldRequest.size;
  if (difference > 0) return current as EvidenceExample; // `difference` is positive only if `current` has a request
  const tied = difference < 0 ? undefined : oldRequest;
  if (tied !== undefined && source?.repeats(tied)) return current as EvidenceExample; // `tied` is from `current`
  const request = source?.keep() ?? candidate.request as ExampleRequest; // one of the two exists, as `newRequest` is defined
  if (tied !== undefined && compareTexts(request.text, tied.text) >= 0) {
    return current as EvidenceExample; // `tied` is the request of `current`
  }
  return candidate.request === request ? candidate : { ...candidate, request };
}

function compareExamples(a: EvidenceExample, b: EvidenceExample): number {
  return compareLength(a.instance, b.instance) || a.status_code - b.status_code;
}

function compareTexts(a: ExampleText, b: ExampleText): number {
  return compareLength(a.url, b.url) || compareLength(a.media_type, b.media_type) ||
    compareLength(a.shape, b.shape);
}

function compareLength(a = "", b = ""): number {
  return a.length - b.length || compareText(a, b);
}
