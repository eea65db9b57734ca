import { byMembers, compareText, getOrAdd } from "../values/collections.ts";
import { addCounts } from "../values/errors.ts";

/**
 * The evidence that answers of the API give about one operation:
 *
 * - `refused`, `accepted`: requests that only one keyword made invalid, by the keyword's pointer
 * - `violated`: responses that a keyword made invalid, by the keyword's pointer; kept with the part of the response
 * - `valid_request_refused`, `server_error`, `server_error_valid`, `undocumented_status`, `slash_redirect`: by status code
 * - `failed`: answers that are no success, while the operation has had none
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

/** The kinds of evidence about credentials, whose detail is what the operation needs. */
export const CREDENTIAL_KINDS = [
  "with_credentials_succeeded",
  "without_credentials_refused",
  "without_credentials_succeeded",
  "without_credentials_unknown",
] as const satisfies readonly EvidenceKind[];

export function isCredentialKind(kind: EvidenceKind): boolean {
  return (CREDENTIAL_KINDS as readonly EvidenceKind[]).includes(kind);
}

/** A request as it can be repeated: without its secrets, and of its body the shape alone. */
export interface ExampleText {
  /** The path with the query, without secrets. */
  readonly url: string;
  /** The media type of its body, empty if it has none; undefined without a body. */
  readonly media_type?: string;
  /** Its body as JSON, with the types of values in their place; undefined where that isn't known. */
  readonly shape?: string;
}

/** What the requests of examples are ordered by before their texts, as these take long to make. */
interface RequestOrder {
  /** The time at which it was sent, in seconds since 1970; Infinity if unknown. */
  readonly at: number;
  /** The length of its URL and its body as they were recorded. */
  readonly size: number;
}

export interface ExampleRequest extends RequestOrder {
  readonly text: ExampleText;
}

export interface RequestSource extends RequestOrder {
  /** Takes from it what its text is made of, once it is asked for. */
  keep(): ExampleRequest;
  /** True if it certainly has the same text as one that was kept. */
  repeats(kept: ExampleRequest): boolean;
}

/** The smallest interaction that shows something; it holds no value of the traffic but that in the URL of its request. */
export interface EvidenceExample {
  readonly status_code: number;
  /** RFC 6901 pointer to the part of the value that a keyword refuses; `*` stands for undeclared property names. */
  readonly instance?: string;
  /** Of those that are alike in this, the request that came first; undefined in hits of older versions. */
  readonly request?: ExampleRequest;
}

export interface Evidence {
  readonly kind: EvidenceKind;
  /** The index of the parameter; -1 if there is none. */
  readonly parameter: number;
  /** The pointer or the status that it is about. */
  readonly detail: string;
  readonly count: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  readonly example: EvidenceExample;
}

const inOrder = byMembers<Evidence>(["kind", "parameter", "detail"]);

/** Evidence that is still being added to. */
interface Counted extends Evidence {
  count: number;
  firstAt: number;
  example: EvidenceExample;
}

/** The evidence that answers of an API give about one operation. Adding is commutative, as for all counts. */
export class EvidenceHits {
  /** By their details, of which few are about several kinds or parameters. */
  #entries: Map<string, Counted[]> | undefined;
  /** The last one that was added to, as the next is often the same. */
  #last: Counted | undefined;

  /** Adds interactions: one, unless `count` says otherwise; `source` is of its request, where findings show that. */
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

  /** The evidence about one rule; undefined if there is none. */
  get(kind: EvidenceKind, parameter: number, detail: string): Evidence | undefined {
    return find(this.#entries?.get(detail) ?? [], kind, parameter);
  }

  clear(): void {
    this.#entries = undefined;
    this.#last = undefined;
  }

  /** All of it, in an order that doesn't depend on the traffic's. */
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

/** The smaller of two examples, the same in whatever order they come; `source` is the request of the other one. */
export function smallerExample(
  known: EvidenceExample | undefined,
  other: EvidenceExample,
  source?: RequestSource,
): EvidenceExample {
  const order = known === undefined ? -1 : compareExamples(other, known);
  if (order > 0) return known as EvidenceExample; // there is one
  const kept = order < 0 ? undefined : known?.request;
  const next = source ?? other.request;
  if (next === undefined) return order === 0 ? known as EvidenceExample : other; // likewise
  const difference = kept === undefined ? -1 : next.at - kept.at || next.size - kept.size;
  if (difference > 0) return known as EvidenceExample; // likewise
  const rival = difference < 0 ? undefined : kept;
  if (rival !== undefined && source?.repeats(rival)) return known as EvidenceExample; // likewise
  const request = source?.keep() ?? other.request as ExampleRequest; // there is one or the other
  if (rival !== undefined && compareTexts(request.text, rival.text) >= 0) {
    return known as EvidenceExample; // likewise
  }
  return other.request === request ? other : { ...other, request };
}

/** Orders by length, so that the smallest part of a value comes first. */
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
