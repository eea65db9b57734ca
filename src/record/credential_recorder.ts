import type { HttpRequest } from "../http/interaction.ts";
import type { TextPair } from "../http/query_string.ts";
import type { RequestText } from "../http/request_text.ts";
import type { Visibility } from "../http/visibility.ts";
import { showsHeader } from "../http/visible_headers.ts";
import { placeText, securityText } from "../map/credentials.ts";
import type { EvidenceExample } from "../map/evidence.ts";
import { type CredentialHits, type OpenRecording, pendingOf } from "../map/credential_hits.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits } from "../map/operation_hits.ts";

type SecurityModel = NonNullable<OperationPlan["model"]["security"]>;
type CredentialPlace = SecurityModel[number][number];

/** A place of credentials, and whether the present request shows some there. */
interface WatchedPlace extends CredentialPlace {
  readonly text: string;
  isShown: boolean;
}

/**
 * Counts which requests of an operation show the credentials that it needs (semantics, section 10). Values are looked at
 * only to see that there is one: a placeholder shows as much as what it stands for.
 */
export class CredentialRecorder {
  readonly #index: number;
  readonly #hits: OperationHits;
  readonly #credentials: CredentialHits;
  readonly #detail: string;
  readonly #places: readonly WatchedPlace[];
  readonly #alternatives: readonly (readonly WatchedPlace[])[];
  readonly #usesAuthorization: boolean;
  /** The example of the last status. */
  #example: EvidenceExample = { status_code: 0 };
  /** True if a token may also be in the query (RFC 6750, section 2.3). */
  readonly #takesToken: boolean;
  /** The recording that is known to show a place. */
  #noted: OpenRecording | undefined;
  #notedPlace = "";

  /** @param index The index of the operation. */
  constructor(
    index: number,
    security: SecurityModel,
    hits: OperationHits,
    credentials: CredentialHits,
  ) {
    this.#index = index;
    this.#hits = hits;
    this.#credentials = credentials;
    this.#detail = securityText(security);
    const places = new Map<string, WatchedPlace>();
    this.#alternatives = security.map((alternative) =>
      alternative.map((place) => {
        const key = `${place.in} ${place.name}`;
        let watched = places.get(key);
        if (watched === undefined) {
          places.set(key, watched = { ...place, text: placeText(place), isShown: false });
        }
        return watched;
      })
    );
    this.#places = [...places.values()];
    this.#usesAuthorization = this.#places.some(({ in: location }) => location === "authorization");
    this.#takesToken = this.#places.some(({ in: location, name }) =>
      location === "authorization" && name === "bearer"
    );
  }

  /** Adds a request that was answered, `count` times. */
  record(
    status: number,
    { method, url }: HttpRequest,
    request: RequestText,
    visibility: Visibility | undefined,
    count = 1,
  ): void {
    let isAnyShown = false;
    const authorization = this.#usesAuthorization
      ? request.headers.get("authorization")
      : undefined;
    for (const place of this.#places) {
      place.isShown = isShown(place, request, authorization);
      if (!place.isShown) continue;
      isAnyShown = true;
      this.#note(place.text);
    }
    if (isAnyShown) {
      if (status < 200 || status >= 400 || !this.#alternatives.some(isComplete)) return;
      this.#add("with_credentials_succeeded", status, count);
      return;
    }
    if (isFilled(authorization)) return; // of another scheme
    const isRefused = status === 401 || status === 403;
    if (!isRefused && !(status >= 200 && status < 300)) return;
    if (this.#mayShow(method, url, request)) return;
    if (visibility !== undefined && !this.#isVisible(visibility)) {
      this.#add("without_credentials_unknown", status, count);
      return;
    }
    const kind = isRefused ? "without_credentials_refused" : "without_credentials_succeeded";
    const pending = pendingOf(this.#credentials.current, this.#index);
    const { now } = this.#hits.store;
    pending.add(kind, -1, this.#detail, now, this.#exampleOf(status), count);
  }

  /** False for a request of which the source shows too little to tell that it has no credentials. */
  #isVisible({ query, request_headers }: Visibility): boolean {
    return this.#alternatives.every((places) =>
      places.some(({ in: location, name }) =>
        location === "query"
          ? query
          : showsHeader(request_headers, location === "header" ? name : location)
      )
    );
  }

  #add(
    kind: "with_credentials_succeeded" | "without_credentials_unknown",
    status: number,
    count: number,
  ): void {
    const { evidence, store } = this.#hits;
    evidence.add(kind, -1, this.#detail, store.now, this.#exampleOf(status), count);
  }

  /** The same object for the same status, which most requests have. */
  #exampleOf(status_code: number): EvidenceExample {
    if (this.#example.status_code !== status_code) this.#example = { status_code };
    return this.#example;
  }

  /** Notes that the recording shows credentials in a place. */
  #note(place: string): void {
    const recording = this.#credentials.current;
    if (recording === this.#noted && place === this.#notedPlace) return;
    recording.shown.add(place);
    this.#noted = recording;
    this.#notedPlace = place;
  }

  /** True for a request that may have credentials in a place of its own, or never has any. */
  #mayShow(method: string, url: string, { headers, query }: RequestText): boolean {
    if (this.#usesAuthorization) {
      if (USER_INFO.test(url)) return true;
      if (this.#takesToken && query.some((pair) => isNamed(pair, "access_token"))) return true;
    }
    return method === "OPTIONS" && headers.get("access-control-request-method") !== undefined;
  }
}

/** Credentials in a URL, which clients send as `Authorization`. */
const USER_INFO = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;

function isComplete(places: readonly WatchedPlace[]): boolean {
  return places.every(({ isShown }) => isShown);
}

function isShown(
  { in: location, name }: CredentialPlace,
  request: RequestText,
  authorization: string | undefined,
): boolean {
  switch (location) {
    case "authorization":
      return isOfScheme(authorization, name);
    case "header":
      return isFilled(request.headers.get(name));
    case "query":
      return request.queryText !== "" && request.query.some((pair) => isNamed(pair, name));
    case "cookie":
      return hasCookie(request, name);
  }
}

/** A scheme without what has to follow it: an empty token, or one that was taken out. Nobody knows which. */
const SCHEME_ALONE = /^\s*(?:basic|bearer|digest)\s*$/i;

/** One word is a placeholder, or a token without its scheme: it may be of any. */
function isOfScheme(value: string | undefined, scheme: string): boolean {
  if (value === undefined || !isFilled(value)) return false;
  if (scheme === "") return true;
  if (SCHEME_ALONE.test(value)) return false;
  const { length } = scheme;
  if (value.charCodeAt(length) === SPACE && value.slice(0, length).toLowerCase() === scheme) {
    return true;
  }
  return !/\s/.test(value.trim());
}

function hasCookie({ headers, cookies }: RequestText, name: string): boolean {
  if (cookies.length === 0) return isFilled(headers.get("cookie")); // a placeholder for all of them
  return cookies.some((cookie) => cookie.name === name && cookie.value !== "");
}

/** True for a pair of that name with a value. */
function isNamed(pair: TextPair, name: string): boolean {
  return pair.value !== "" && pair.name === name;
}

function isFilled(value: string | undefined): value is string {
  return value !== undefined && /\S/.test(value);
}

const SPACE = 0x20;
