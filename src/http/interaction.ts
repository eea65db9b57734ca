import type { Visibility } from "./visibility.ts";

const SECRETS = new WeakMap<HttpRequest, readonly string[]>();

/** Notes texts that a recording itself calls secret; they are masked wherever the interaction has them. */
export function noteSecrets(request: HttpRequest, secrets: readonly string[]): void {
  if (secrets.length > 0) SECRETS.set(request, secrets);
}

/** The texts that were noted for a request; undefined if there are none. */
export function knownSecrets(request: HttpRequest): readonly string[] | undefined {
  return SECRETS.get(request);
}

/** The headers of a message: an object, pairs, or a `Headers` instance. */
export type HeadersLike =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** One HTTP request, as {@linkcode CoverageMap.record} takes it. */
export interface HttpRequest {
  /** The method, in any case: `GET`, `post`. */
  readonly method: string;
  /** The full URL with its query; a path (`/users?limit=1`) is taken as one without a host. */
  readonly url: string;
  /** Header fields; names match case-insensitively. */
  readonly headers?: HeadersLike | undefined;
  /** The body as it was sent: bytes or text; `null`, absent or zero bytes mean no body. */
  readonly body?: Uint8Array | string | null | undefined;
  /** True if a body is known to have been sent but is missing here, or was cut. */
  readonly body_truncated?: boolean | undefined;
}

/** A response, as far as it is known. */
export interface HttpResponse {
  /** The status code; without it no response is counted. */
  readonly status_code?: number | undefined;
  /** Header fields; names match case-insensitively. Absent where the recording has none. */
  readonly headers?: HeadersLike | undefined;
  /** The body as it was received: bytes or text; `null` or absent where none was recorded, zero bytes for an empty one. */
  readonly body?: Uint8Array | string | null | undefined;
  /** True if a body is known to have been received but is missing here, or was cut. */
  readonly body_truncated?: boolean | undefined;
  /** Seconds from sending the request to the end of the response. */
  readonly elapsed?: number | undefined;
  /** In place of `elapsed`, where the interaction has a `count`: the sum of the durations of all of them, in seconds. */
  readonly elapsed_sum?: number | undefined;
  /** With `elapsed_sum`: the longest of these durations, in seconds. */
  readonly elapsed_max?: number | undefined;
}

/** What is known of an interaction besides its request, response and time. */
export interface InteractionDetails {
  /** The number of interactions that this one stands for, all alike: a whole number (default: 1). */
  readonly count?: number | undefined;
  /** In place of a timestamp: the time of the first of these, in seconds since 1970. */
  readonly first_at?: number | undefined;
  /** With `first_at`: the time of the last of these. */
  readonly last_at?: number | undefined;
  /** What its source can show (default: everything). Interactions of one source share one object. */
  readonly visibility?: Visibility | undefined;
  /** Who sent the request, where its recorder or its test says so: tags of identities, of which the first known counts. */
  readonly identity?: string | readonly string[] | undefined;
}

/** One request with its response, as recordings hold them. */
export interface Interaction extends InteractionDetails {
  /** The request that was sent. */
  readonly request: HttpRequest;
  /** The response, absent where none came. */
  readonly response?: HttpResponse | undefined;
  /** The time at which the request was sent, in seconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The test that sent it, by the name that its runner gives it; absent where none is known. */
  readonly test?: string | undefined;
}

/** False for responses that never have a body (RFC 9110, section 6.4.1), whatever a recorder wrote down. */
export function mayHaveBody(method: string, status: number | undefined): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304 && (status ?? 200) >= 200;
}

export function withoutResponseBody(interaction: Interaction): Interaction {
  const { response } = interaction;
  if (response === undefined) return interaction;
  const { body: _body, body_truncated: _cut, ...rest } = response;
  return { ...interaction, response: rest };
}
