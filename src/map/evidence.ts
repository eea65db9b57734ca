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

/** The kinds of evidence about credentials; their detail is the text of the security requirements. */
export const CREDENTIAL_KINDS = [
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const satisfies readonly EvidenceKind[];

export function isCredentialKind(kind: EvidenceKind): boolean {
  return (CREDENTIAL_KINDS as readonly EvidenceKind[]).includes(kind);
}

/** The text of a request for findings: without secrets, and with the shape of its body instead of its values. */
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
  /** The pointer, status code or other detail, depending on the kind. */
  readonly detail: string;
  readonly count: number;
  /** The time of the first request in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  readonly example: EvidenceExample;
}

const inOrder = byMembers<Evidence>(["kind", "parameter", "detail"]);

interface Counted extends Evidence {
  count: number;
  firstAt: number;
  example: EvidenceExample;
}

/** Evidence about one operation. The order in which evidence is added doesn't matter. */
export class EvidenceHits {
  /** Keyed by detail; few details occur with several kinds or parameters. */
  #entries: Map<string, Counted[]> | undefined;
  /** The entry added to most recently, as the next addition often goes to the same one. */
  #last: Counted | undefined;

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
      addTo(last, firstAt, example, count, source);
      return;
    }
    const alike = getOrAdd(this.#entries ??= new Map(), detail, () => []);
    let known = find(alike, kind, parameter);
    if (known === undefined) {
      const first = smallerExample(undefined, example, source);
      known = { kind, parameter, detail, count, firstAt, example: first };
      alike.push(known);
    } else addTo(known, firstAt, example, count, source);
    this.#last = known;
  }

  merge(list: Iterable<Evidence>): void {
    for (const { kind, parameter, detail, firstAt, example, count } of list) {
      this.add(kind, parameter, detail, firstAt, example, count);
    }
  }

  get(kind: EvidenceKind, parameter: number, detail: string): Evidence | undefined {
    return find(this.#entries?.get(detail) ?? [], kind, parameter);
  }

  clear(): void {
    this.#entries = undefined;
    this.#last = undefined;
  }

  /** Returns all evidence in an order that doesn't depend on the traffic. */
  list(): Evidence[] {
    return [...this.#entries?.values() ?? []].flat().sort(inOrder);
  }
}

function find(
  alike: readonly Counted[],
  kind: EvidenceKind,
  parameter: number,
): Counted | undefined {
  return alike.find((one) => one.kind === kind && one.parameter === parameter);
}

function addTo(
  known: Counted,
  firstAt: number,
  example: EvidenceExample,
  count: number,
  source: RequestSource | undefined,
): void {
  known.count = addCounts(known.count, count);
  if (firstAt < known.firstAt) known.firstAt = firstAt;
  known.example = smallerExample(known.example, example, source);
}

/** Returns the smaller of two examples, whatever their order. `source` is the request of `other`. */
export function smallerExample(
  known: EvidenceExample | undefined,
  other: EvidenceExample,
  source?: RequestSource,
): EvidenceExample {
  const order = known === undefined ? -1 : compareExamples(other, known);
  if (order > 0) return known as EvidenceExample; // `order` is positive only if `known` exists
  const kept = order < 0 ? undefined : known?.request;
  const next = source ?? other.request;
  if (next === undefined) return order === 0 ? known as EvidenceExample : other; // `known` exists if `order` is 0
  const difference = kept === undefined ? -1 : next.at - kept.at || next.size - kept.size;
  if (difference > 0) return known as EvidenceExample; // `difference` is positive only if `known` has a request
  const rival = difference < 0 ? undefined : kept;
  if (rival !== undefined && source?.repeats(rival)) return known as EvidenceExample; // `rival` is from `known`
  const request = source?.keep() ?? other.request as ExampleRequest; // one of the two exists, as `next` is defined
  if (rival !== undefined && compareTexts(request.text, rival.text) >= 0) {
    return known as EvidenceExample; // `rival` is the request of `known`
  }
  return other.request === request ? other : { ...other, request };
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
