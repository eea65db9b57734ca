import type { Visibility } from "./visibility.ts";

const SECRETS = new WeakMap<HttpRequest, readonly string[]>();

/** Stores texts that the recording itself marks as secret; they are masked everywhere in the interaction. */
export function setKnownSecrets(request: HttpRequest, secrets: readonly string[]): void {
  if (secrets.length > 0) SECRETS.set(request, secrets);
}

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
  /** The full URL with its query; a path (`/users?limit=1`) is taken as a URL without a host. */
  readonly url: string;
  /** Header fields; names match case-insensitively. */
  readonly headers?: HeadersLike | undefined;
  /** The body as it was sent: bytes or text; `null`, absent or zero bytes mean no body. */
  readonly body?: Uint8Array | string | null | undefined;
  /** True if a body was sent, but is missing here or incomplete. */
  readonly body_truncated?: boolean | undefined;
}

/** One HTTP response, as far as it was recorded. */
export interface HttpResponse {
  /** The status code; without it no response is counted. */
  readonly status_code?: number | undefined;
  /** Header fields; names match case-insensitively. Absent if they were not recorded. */
  readonly headers?: HeadersLike | undefined;
  /** The body as it was received: bytes or text; `null` or absent if not recorded, zero bytes for an empty one. */
  readonly body?: Uint8Array | string | null | undefined;
  /** True if a body was received, but is missing here or incomplete. */
  readonly body_truncated?: boolean | undefined;
  /** Seconds from sending the request to the end of the response. */
  readonly elapsed?: number | undefined;
  /** In place of `elapsed`, if the interaction has a `count`: the sum of the durations of all of them, in seconds. */
  readonly elapsed_sum?: number | undefined;
  /** With `elapsed_sum`: the longest duration, in seconds. */
  readonly elapsed_max?: number | undefined;
}

/** Details of an interaction besides its request, response and time. */
export interface InteractionDetails {
  /** The number of identical interactions that this one represents, a whole number (default: 1). */
  readonly count?: number | undefined;
  /** In place of a timestamp, if there is a `count`: the time of the first interaction, in seconds since 1970. */
  readonly first_at?: number | undefined;
  /** With `first_at`: the time of the last interaction, in seconds since 1970. */
  readonly last_at?: number | undefined;
  /** The parts that the source of the traffic can show (default: all). Interactions of one source share one object. */
  readonly visibility?: Visibility | undefined;
  /** The sender of the request, if it was recorded: tags of identities, of which the first known one counts. */
  readonly identity?: string | readonly string[] | undefined;
}

/** One request with its response. */
export interface Interaction extends InteractionDetails {
  /** The request that was sent. */
  readonly request: HttpRequest;
  /** The response, absent if none was received. */
  readonly response?: HttpResponse | undefined;
  /** The time at which the request was sent, in seconds since 1970. */
  readonly timestamp?: number | undefined;
  /** The test that sent the request, as named by its runner; absent if unknown. */
  readonly test?: string | undefined;
}

/** False for responses that never have a body (RFC 9110, section 6.4.1), whatever the recording contains. */
export function mayHaveBody(method: string, status: number | undefined): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304 && (status ?? 200) >= 200;
}

export function withoutResponseBody(interaction: Interaction): Interaction {
  const { response } = interaction;
  if (response === undefined) return interaction;
  const { body: _body, body_truncated: _cut, ...rest } = response;
  return { ...interaction, response: rest };
}
