import { getOrAdd } from "../values/collections.ts";
import type { HttpRequest } from "../http/interaction.ts";
import type { RequestText, TextPair } from "../http/request_text.ts";
import { showsHeader, type Visibility } from "../http/visibility.ts";
import { placeText, securityText } from "../map/credentials.ts";
import { ANONYMOUS, BARE_SCHEME, requestTags } from "../redact/identities.ts";
import type { EvidenceExample, EvidenceHits, RequestSource } from "../map/evidence.ts";
import { type CredentialHits, type OpenRecording, pendingHits } from "../map/credential_hits.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import type { OperationHits } from "../map/operation_hits.ts";

type SecurityModel = NonNullable<OperationPlan["model"]["security"]>;
type CredentialPlace = SecurityModel[number][number];

/** A place of credentials, and whether the current request shows some there. */
interface WatchedPlace extends CredentialPlace {
  readonly text: string;
  isShown: boolean;
}

/** The security requirements that operations share. Sharing keeps them in the CPU's caches. */
class Requirement {
  readonly detail: string;
  readonly places: readonly WatchedPlace[];
  readonly alternatives: readonly (readonly WatchedPlace[])[];
  readonly usesAuthorization: boolean;
  /** True if a token may be in the query, too (RFC 6750, section 2.3). */
  readonly mayUseQuery: boolean;
  #example: EvidenceExample = { status_code: 0 };

  constructor(security: SecurityModel) {
    this.detail = securityText(security);
    const places = new Map<string, WatchedPlace>();
    this.alternatives = security.map((alternative) =>
      alternative.map((place) => {
        const key = `${place.in} ${place.name}`;
        return getOrAdd(places, key, () => ({ ...place, text: placeText(place), isShown: false }));
      })
    );
    this.places = [...places.values()];
    this.usesAuthorization = this.places.some(({ in: location }) => location === "authorization");
    this.mayUseQuery = this.places.some(({ in: location, name }) =>
      location === "authorization" && name === "bearer"
    );
  }

  /** False if the source shows too little of requests to tell that they have no credentials. */
  isShownBy({ query, request_headers }: Visibility): boolean {
    return this.alternatives.every((places) =>
      places.some(({ in: location, name }) =>
        location === "query"
          ? query
          : showsHeader(request_headers, location === "header" ? name : location)
      )
    );
  }

  /** True if the request may have credentials in another place, or is a preflight request, which never has any. */
  mayHaveCredentials(request: HttpRequest, text: RequestText): boolean {
    if (this.usesAuthorization) {
      if (USER_INFO.test(request.url)) return true;
      const hasToken = () => text.query.some((pair) => carriesName(pair, "access_token"));
      if (this.mayUseQuery && hasToken()) return true;
    }
    return isPreflight(request, text);
  }

  /** Reuses the object of the last status, which most requests have. */
  statusExample(status_code: number): EvidenceExample {
    if (this.#example.status_code !== status_code) this.#example = { status_code };
    return this.#example;
  }
}

/** State shared by the recorders of all operations: requirements, and the places of credentials in recordings. */
export class CredentialState {
  readonly source: RequestSource | undefined;
  /** The tags of the current request that its recorder gave. */
  tag: string | readonly string[] | undefined;
  readonly #credentials: CredentialHits;
  readonly #requirements = new Map<string, Requirement>();
  #lastRecording: OpenRecording | undefined;
  #lastPlace = "";

  constructor(credentials: CredentialHits, source: RequestSource | undefined) {
    this.#credentials = credentials;
    this.source = source;
  }

  get recording(): OpenRecording {
    return this.#credentials.currentRecording;
  }

  /** Returns the requirements of an operation; operations with equal requirements share the object. */
  requirement(security: SecurityModel): Requirement {
    const key = JSON.stringify(security);
    return getOrAdd(this.#requirements, key, () => new Requirement(security));
  }

  /** True if the current request names its sender, as in tests that bypass authentication. */
  isTagged(text: RequestText): boolean {
    return requestTags(this.tag, text)?.some((tag) => tag !== ANONYMOUS) === true;
  }

  notePlace(place: string): void {
    const { recording } = this;
    if (recording === this.#lastRecording && place === this.#lastPlace) return;
    recording.shownPlaces.add(place);
    this.#lastRecording = recording;
    this.#lastPlace = place;
  }
}

/** Counts requests with and without the credentials that their operation requires (semantics, section 10). */
export class CredentialRecorder {
  readonly #index: number;
  readonly #hits: OperationHits;
  readonly #state: CredentialState;
  readonly #requirement: Requirement;
  /** The recording of the last request without credentials, and this operation's undecided requests in it. */
  #recording: OpenRecording | undefined;
  #pending: EvidenceHits | undefined;

  constructor(index: number, security: SecurityModel, hits: OperationHits, state: CredentialState) {
    this.#index = index;
    this.#hits = hits;
    this.#state = state;
    this.#requirement = state.requirement(security);
  }

  /** Adds a request. Without a status, it only proves that its recording shows credentials. */
  record(
    status: number | undefined,
    request: HttpRequest,
    text: RequestText,
    visibility: Visibility | undefined,
  ): void {
    const requirement = this.#requirement;
    const authorization = requirement.usesAuthorization
      ? text.headers.get("authorization")
      : undefined;
    let isAnyShown = false;
    for (const place of requirement.places) {
      place.isShown = isShown(place, text, authorization);
      if (!place.isShown) continue;
      isAnyShown = true;
      this.#state.notePlace(place.text);
    }
    if (status === undefined) return;
    if (isAnyShown) {
      if (status < 200 || status >= 400 || !requirement.alternatives.some(isComplete)) return;
      this.#addEvidence("with_credentials_succeeded", status);
      return;
    }
    if (isFilled(authorization)) return; // it uses another scheme
    const isRefused = status === 401 || status === 403;
    if (!isRefused && !(status >= 200 && status < 300)) return;
    if (requirement.mayHaveCredentials(request, text) || this.#state.isTagged(text)) return;
    if (visibility !== undefined && !requirement.isShownBy(visibility)) {
      this.#addEvidence("without_credentials_unknown", status);
      return;
    }
    const kind = isRefused ? "without_credentials_refused" : "without_credentials_succeeded";
    const { requestTime, weight } = this.#hits.store;
    const example = requirement.statusExample(status);
    const source = isRefused ? undefined : this.#state.source;
    this.#pendingHits().add(kind, -1, requirement.detail, requestTime, example, weight, source);
  }

  #addEvidence(
    kind: "with_credentials_succeeded" | "without_credentials_unknown",
    status: number,
  ): void {
    const { evidence, store } = this.#hits;
    const { detail } = this.#requirement;
    const example = this.#requirement.statusExample(status);
    evidence.add(kind, -1, detail, store.requestTime, example, store.weight);
  }

  #pendingHits(): EvidenceHits {
    const { recording } = this.#state;
    if (this.#pending === undefined || recording !== this.#recording) {
      this.#recording = recording;
      this.#pending = pendingHits(recording, this.#index);
    }
    return this.#pending;
  }
}

/** True for a request by which a browser asks for permission; it never has credentials. */
export function isPreflight({ method }: HttpRequest, { headers }: RequestText): boolean {
  return /^options$/i.test(method) && headers.get("access-control-request-method") !== undefined;
}

/** Matches credentials in a URL, which clients send as `Authorization`. */
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
      return request.queryText !== "" && request.query.some((pair) => carriesName(pair, name));
    case "cookie":
      return hasCookie(request, name);
  }
}

/** A single word is a placeholder or a token without its scheme, and so may be of any scheme. */
function isOfScheme(value: string | undefined, scheme: string): boolean {
  if (value === undefined || !isFilled(value)) return false;
  if (scheme === "") return true;
  if (BARE_SCHEME.test(value)) return false;
  const { length } = scheme;
  if (value.charCodeAt(length) === SPACE && value.slice(0, length).toLowerCase() === scheme) {
    return true;
  }
  return !/\s/.test(value.trim());
}

function hasCookie({ headers, cookies }: RequestText, name: string): boolean {
  if (cookies.length === 0) return isFilled(headers.get("cookie")); // the header itself may be a placeholder
  return cookies.some((cookie) => cookie.name === name && cookie.value !== "");
}

function carriesName(pair: TextPair, name: string): boolean {
  return pair.value !== "" && pair.name === name;
}

function isFilled(value: string | undefined): value is string {
  return value !== undefined && /\S/.test(value);
}

const SPACE = 0x20;
