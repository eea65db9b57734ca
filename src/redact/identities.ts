import { decodeBase64, utf8Text } from "../http/body_text.ts";
import type { Interaction } from "../http/interaction.ts";
import { RequestText } from "../http/request_text.ts";
import { FULL_VISIBILITY, showsHeader, type Visibility } from "../http/visibility.ts";
import { tryParseIds } from "../values/parse_json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { maskLetters } from "./mask_text.ts";

/** A sender of requests, and the credential that identifies it, which is compared in memory and is in no output. */
export interface Identity {
  /** The name, which is the only part that reports show. */
  readonly name: string;
  /** The header with the credential, or with the token of `jwt` (default: `Authorization`). */
  readonly header?: string | undefined;
  /** The cookie with the credential, instead of a header. */
  readonly cookie?: string | undefined;
  /** The query parameter with the credential, instead of a header. */
  readonly query?: string | undefined;
  /** The credential, with or without its scheme (`Bearer`); in addition to `jwt`, only `covtool probe` needs it. */
  readonly value?: string | undefined;
  /** Claims of the token, by name; the token isn't verified. */
  readonly jwt?: Readonly<Record<string, string>> | undefined;
  /** The tag that a recorder or a test gives to requests of the identity (default: the name). */
  readonly tag?: string | undefined;
  /** The scopes of its tokens, compared with those that the description's `security` requires. */
  readonly scopes?: readonly string[] | undefined;
  /** The reason why the credential isn't known, as a sentence; without a credential, requests can't be assigned. */
  readonly missing?: string | undefined;
  /** The place of the identity in the configuration, for messages: `covtool.yaml:12`. */
  readonly source?: string | undefined;
}

/** The sender of requests without credentials. */
export const ANONYMOUS = "anonymous";
/** The sender of requests whose credentials belong to no identity. */
export const UNKNOWN = "unknown";
/** The header in which tests name the sender of a request, where its credentials don't identify it. */
const IDENTITY_HEADER = "covtool-identity";

/** Returns the tags of a request, from its recorder or the test; undefined if there are none. */
export function requestTags(
  tag: string | readonly string[] | undefined,
  { headers }: RequestText,
): readonly string[] | undefined {
  const tags = tag ?? headers.get(IDENTITY_HEADER);
  return typeof tags === "string" ? [tags] : tags;
}

export interface IdentityPlace {
  readonly in: "authorization" | "header" | "query" | "cookie";
  readonly name: string;
}

export class IdentityError extends TypeError {
  /** The message without the place; it never contains a credential. */
  readonly sentence: string;
  /** The place of the identity, such as `covtool.yaml:12`; undefined if unknown. */
  readonly source: string | undefined;

  constructor(sentence: string, source: string | undefined) {
    super(source === undefined ? sentence : `${source}: ${sentence}`);
    this.sentence = sentence;
    this.source = source;
  }
}

/** Throws an {@linkcode IdentityError} for the first identity that can't be used. */
export function checkIdentities(identities: readonly Identity[]): void {
  const names = new Set<string>();
  const identityByKey = new Map<string, Identity>();
  for (const identity of identities) {
    const { name, jwt, value } = identity;
    const fail = (sentence: string): never => {
      throw new IdentityError(sentence, identity.source);
    };
    if (typeof name !== "string" || !/^[^\s:,][^\r\n:,]*$/.test(name)) {
      fail("Give each identity a name without colons and commas, such as alice.");
    }
    if (name === ANONYMOUS || name === UNKNOWN) {
      fail(`covtool calls requests itself "${name}". Give the identity another name.`);
    }
    if (names.has(name)) fail(`Another identity is called "${name}" too. Give each its own name.`);
    names.add(name);
    const places = [identity.header, identity.cookie, identity.query].filter((one) =>
      one !== undefined
    );
    if (places.length > 1) {
      fail(`The identity "${name}" has several places. Choose one of header, cookie and query.`);
    }
    if (identity.missing !== undefined && jwt === undefined && identity.tag === undefined) {
      fail(`${identity.missing} Set it, or use --no-config.`);
    }
    if (places.length === 1 && value === undefined && jwt === undefined) {
      fail(
        `The identity "${name}" has no credential. Name the variable or the file that has it with valueFromEnv or valueFromFile.`,
      );
    }
    if (places.length === 0 && jwt === undefined && identity.tag === undefined) {
      fail(`Say how requests show the identity "${name}": header, cookie, query, jwt or tag.`);
    }
    if (value?.trim() === "") {
      fail(`The credential of the identity "${name}" is empty. Set it, or remove the identity.`);
    }
    for (const [claim, wanted] of Object.entries(jwt ?? {})) {
      if (typeof wanted !== "string" || wanted === "") {
        fail(
          `The claim "${claim}" of the identity "${name}" is not text. Write its value in quotes.`,
        );
      }
    }
    if (jwt !== undefined && Object.keys(jwt).length === 0) {
      fail(`The identity "${name}" has no claims in jwt. Add one, such as sub: ${name}.`);
    }
    for (const key of senderKeys(identity)) {
      const other = identityByKey.get(key);
      if (other !== undefined) {
        fail(
          `Requests show the identity "${name}" as they show "${other.name}"${
            other.source === undefined ? "" : ` (${other.source})`
          }. Give each its own credential, claims or tag.`,
        );
      }
      identityByKey.set(key, identity);
    }
  }
}

/** Returns keys for what requests of an identity show: two identities with a common key can't be distinguished. */
function senderKeys({ name, header, cookie, query, value, jwt, tag = name }: Identity): string[] {
  const place = Object.values(credentialPlace({ header, cookie, query })).join(" ");
  const claims = jwt && JSON.stringify(Object.entries(jwt).sort());
  return [
    `tag ${tag}`,
    ...(claims === undefined ? [] : [`${place} jwt ${claims}`]),
    ...(claims === undefined && value !== undefined ? [`${place} ${withoutScheme(value)}`] : []),
  ];
}

function credentialPlace(
  { header = "authorization", cookie, query }: Pick<Identity, "header" | "cookie" | "query">,
): IdentityPlace {
  if (cookie !== undefined) return { in: "cookie", name: cookie };
  return query === undefined
    ? { in: "header", name: header.toLowerCase() }
    : { in: "query", name: query };
}

interface CredentialPlace extends IdentityPlace {
  /** The indexes of identities, by credential. */
  readonly values: Map<string, number>;
  readonly claims: (readonly [number, claims: readonly (readonly [string, string])[]])[];
  /** A cache of the meanings of values: the index of an identity, or one of the symbols below. */
  readonly meanings: Map<string, number | typeof MASKED | typeof FOREIGN>;
}

/** The meanings of a masked value, which can belong to anybody, and of one that belongs to no known identity. */
const MASKED = Symbol("masked");
const FOREIGN = Symbol("foreign");

/** The most values whose meanings are cached; a run has few. */
const MAX_MEANINGS = 1000;
/** Matches URLs with credentials, which clients send as `Authorization`. */
const USER_INFO = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;
const SCHEME = /^\s*[\w!#$%&'*+.^`|~-]+\s+(?=\S)/;
/** A scheme without a credential: the token was empty, or was removed by a recorder; nobody knows which. */
export const BARE_SCHEME: RegExp = /^\s*(?:basic|bearer|digest)\s*$/i;

/** Identifies the senders of requests. Credentials don't leave this object. */
export class SenderReader {
  readonly #places = new Map<string, CredentialPlace>();
  readonly #tags = new Map<string, string>();
  readonly #names: readonly string[];
  readonly #placeList: readonly CredentialPlace[];

  /**
   * @param apiPlaces Places where the API takes credentials, whether identities use them or not.
   * @throws {IdentityError} as {@linkcode checkIdentities} does.
   */
  constructor(identities: readonly Identity[], apiPlaces: Iterable<IdentityPlace> = []) {
    checkIdentities(identities);
    this.#names = identities.map(({ name }) => name);
    for (const [index, identity] of identities.entries()) {
      const { name, header, cookie, query, value, jwt, tag = name } = identity;
      this.#tags.set(tag, name);
      if (!this.#tags.has(name)) this.#tags.set(name, name);
      const hasPlace = header !== undefined || cookie !== undefined || query !== undefined;
      if (!hasPlace && jwt === undefined) continue;
      const place = this.#addPlace(credentialPlace({ header, cookie, query }));
      if (jwt !== undefined) place.claims.push([index, Object.entries(jwt)]);
      else if (value !== undefined) place.values.set(withoutScheme(value), index);
    }
    for (const name of [ANONYMOUS, UNKNOWN]) this.#tags.set(name, name);
    for (const place of apiPlaces) this.#addPlace(place);
    this.#addPlace({ in: "header", name: "authorization" });
    this.#placeList = [...this.#places.values()];
  }

  #addPlace(place: IdentityPlace): CredentialPlace {
    const headerPlace: IdentityPlace = place.in === "authorization"
      ? { in: "header", name: "authorization" }
      : place;
    const key = `${headerPlace.in} ${headerPlace.name}`;
    let entry = this.#places.get(key);
    if (entry === undefined) {
      entry = { ...headerPlace, values: new Map(), claims: [], meanings: new Map() };
      this.#places.set(key, entry);
    }
    return entry;
  }

  /** Returns the name of the sender of a request; undefined if its recording doesn't show the sender. */
  read(
    url: string,
    text: RequestText,
    tag: string | readonly string[] | undefined,
    visibility: Visibility = FULL_VISIBILITY,
  ): string | undefined {
    const tags = requestTags(tag, text);
    let [hasCredential, isHidden] = [tags !== undefined, false];
    for (const candidate of tags ?? []) {
      const name = this.#tags.get(candidate);
      if (name !== undefined) return name;
    }
    let first = Infinity;
    for (const place of this.#placeList) {
      const value = valueAt(place, text);
      if (value === undefined || value === "") {
        if (visibility !== FULL_VISIBILITY && !isVisible(place, visibility)) isHidden = true;
        continue;
      }
      const meaning = place.meanings.get(value) ?? readValue(place, value);
      hasCredential = true;
      isHidden ||= meaning === MASKED;
      if (typeof meaning === "number") first = Math.min(first, meaning);
    }
    const name = this.#names[first];
    if (name !== undefined) return name;
    // A request with an unknown tag still has a sender.
    if (isHidden && tags === undefined) return undefined;
    return hasCredential || USER_INFO.test(url) ? UNKNOWN : ANONYMOUS;
  }

  /** Adds the name of the sender to an interaction that is to be masked: afterwards, the sender can't be identified. */
  mark(interaction: Interaction): Interaction {
    const { request, identity } = interaction;
    if (identity !== undefined) return interaction;
    const { url, headers } = request;
    const text = new RequestText([], /\?([^#]*)/.exec(url)?.[1] ?? "", headers);
    const name = this.read(url, text, undefined, interaction.visibility);
    return name === undefined || name === ANONYMOUS
      ? interaction
      : { ...interaction, identity: name };
  }
}

/** Returns what a value says about the sender; cached, because most requests have one of the same few values. */
function readValue(
  { values, claims, meanings }: CredentialPlace,
  value: string,
): number | typeof MASKED | typeof FOREIGN {
  const credential = withoutScheme(value);
  const payload = claims.length > 0 ? readClaims(credential) : undefined;
  const byClaims = payload &&
    claims.find(([, wantedClaims]) =>
      wantedClaims.every(([claim, wanted]) => hasClaim(payload, claim, wanted))
    );
  const first = Math.min(values.get(credential) ?? Infinity, byClaims?.[0] ?? Infinity);
  const isHidden = isMasked(credential) || BARE_SCHEME.test(value);
  const meaning = first < Infinity ? first : isHidden ? MASKED : FOREIGN;
  if (meanings.size >= MAX_MEANINGS) meanings.clear();
  meanings.set(value, meaning);
  return meaning;
}

function valueAt(
  { in: location, name }: IdentityPlace,
  { headers, query, queryText, cookies }: RequestText,
): string | undefined {
  switch (location) {
    case "query": {
      if (queryText === "") return undefined;
      const value = query.find((pair) => pair.name === name)?.value;
      return value && decodeValue(value);
    }
    case "cookie":
      return cookies.find((cookie) => cookie.name === name)?.value ??
        (cookies.length === 0 ? headers.get("cookie") : undefined); // A recorder may replace the entire header.
    default:
      return headers.get(name);
  }
}

function decodeValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function isVisible({ in: location, name }: IdentityPlace, visibility: Visibility): boolean {
  if (location === "query") return visibility.query;
  return showsHeader(visibility.request_headers, location === "cookie" ? "cookie" : name);
}

function withoutScheme(value: string): string {
  return value.replace(SCHEME, "").trim();
}

/** True for text that covtool or another recorder has written in place of a secret. */
function isMasked(value: string): boolean {
  return isReplacedText(value) || (maskLetters(value) === value && /[aA1]/.test(value)) ||
    /^[*xX•.]+$/.test(value);
}

/** Reads the claims of a token (RFC 7519) without verifying it; undefined if it isn't a token. */
function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  const claims = tryParseIds(utf8Text(decodeBase64(payload) ?? new Uint8Array()) ?? "");
  return typeof claims === "object" && claims !== null
    ? claims as Readonly<Record<string, unknown>>
    : undefined;
}

/** True if a claim, given by name or by a path such as `realm_access.roles`, has or contains a value. */
function hasClaim(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  wanted: string,
): boolean {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split(".").reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<string, unknown>>)[part]
        : undefined,
    claims,
  );
  if (value === undefined || typeof value === "object" && !Array.isArray(value)) return false;
  const texts = [value].flat().map(String);
  if (name !== "scope" && name !== "scp") return texts.includes(wanted);
  const scopes = new Set(texts.flatMap((text) => text.split(/\s+/)));
  return wanted.split(/\s+/).every((scope) => scopes.has(scope));
}
