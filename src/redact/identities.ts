import { decodeBase64, utf8Text } from "../http/body_text.ts";
import type { Interaction } from "../http/interaction.ts";
import { RequestText } from "../http/request_text.ts";
import { FULL_VISIBILITY, showsHeader, type Visibility } from "../http/visibility.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { maskLetters } from "./mask_text.ts";

/** Somebody who sends requests, and how they show it. The credential is compared in memory and in no output. */
export interface Identity {
  /** The name, which is all that reports show. */
  readonly name: string;
  /** The header that has the credential, or the token of `jwt` (default: `Authorization`). */
  readonly header?: string | undefined;
  /** The cookie that has it instead. */
  readonly cookie?: string | undefined;
  /** The query parameter that has it instead. */
  readonly query?: string | undefined;
  /** The credential, with or without its scheme (`Bearer`); with `jwt` only `covtool probe` needs it. */
  readonly value?: string | undefined;
  /** Claims that the token has, by their names; the token isn't verified. */
  readonly jwt?: Readonly<Record<string, string>> | undefined;
  /** The tag that a recorder or a test gives its requests (default: the name). */
  readonly tag?: string | undefined;
  /** The scopes of its tokens, for what the description's `security` requires. */
  readonly scopes?: readonly string[] | undefined;
  /** Why its credential isn't known, as a sentence: without it, its requests can't be told. */
  readonly missing?: string | undefined;
  /** Where it is set, for messages: `covtool.yaml:12`. */
  readonly source?: string | undefined;
}

/** Who sent requests without credentials. */
export const ANONYMOUS = "anonymous";
/** Who sent requests with credentials of none of the identities. */
export const UNKNOWN = "unknown";
/** The header with which tests say who sends a request, where its credentials don't. */
export const IDENTITY_HEADER = "covtool-identity";

export interface IdentityPlace {
  readonly in: "authorization" | "header" | "query" | "cookie";
  readonly name: string;
}

/** The error for an identity that can't be used. */
export class IdentityError extends TypeError {
  /** What is wrong, without its place; it never holds a credential. */
  readonly sentence: string;
  /** Where the identity is set, such as `covtool.yaml:12`; undefined if it doesn't say. */
  readonly source: string | undefined;

  constructor(sentence: string, source: string | undefined) {
    super(source === undefined ? sentence : `${source}: ${sentence}`);
    this.sentence = sentence;
    this.source = source;
  }
}

/**
 * Checks identities.
 *
 * @throws {IdentityError} for the first one that can't be used.
 */
export function checkIdentities(identities: readonly Identity[]): void {
  const names = new Map<string, Identity>();
  const shown = new Map<string, Identity>();
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
    names.set(name, identity);
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
    for (const key of showing(identity)) {
      const other = shown.get(key);
      if (other !== undefined) {
        fail(
          `Requests show the identity "${name}" as they show "${other.name}"${
            other.source === undefined ? "" : ` (${other.source})`
          }. Give each its own credential, claims or tag.`,
        );
      }
      shown.set(key, identity);
    }
  }
}

/** What requests of an identity show, as text that is the same for the same. */
function showing({ name, header, cookie, query, value, jwt, tag = name }: Identity): string[] {
  const place = Object.values(placeOfCredential({ header, cookie, query })).join(" ");
  const claims = jwt && JSON.stringify(Object.entries(jwt).sort());
  return [
    `tag ${tag}`,
    ...(claims === undefined ? [] : [`${place} jwt ${claims}`]),
    ...(claims === undefined && value !== undefined ? [`${place} ${withoutScheme(value)}`] : []),
  ];
}

function placeOfCredential(
  { header = "authorization", cookie, query }: Pick<Identity, "header" | "cookie" | "query">,
): IdentityPlace {
  if (cookie !== undefined) return { in: "cookie", name: cookie };
  return query === undefined
    ? { in: "header", name: header.toLowerCase() }
    : { in: "query", name: query };
}

interface WatchedPlace extends IdentityPlace {
  /** Identities by their credentials; they are numbers, as they come in the file. */
  readonly values: Map<string, number>;
  readonly claims: (readonly [number, claims: readonly (readonly [string, string])[]])[];
  /** What values meant that came before: an identity, or what stands for nobody who is known. */
  readonly read: Map<string, number | typeof HIDDEN | typeof STRANGE>;
}

/** A value that may be anybody's, and one of nobody who is known. */
const HIDDEN = Symbol("hidden");
const STRANGE = Symbol("strange");

/** Values whose meaning is remembered: a run has few. */
const MAX_READ = 1000;
/** Credentials in a URL, which clients send as `Authorization`. */
const USER_INFO = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i;
const SCHEME = /^\s*[\w!#$%&'*+.^`|~-]+\s+(?=\S)/;
/** A scheme without what has to follow it: an empty token, or one that was taken out. Nobody knows which. */
export const SCHEME_ALONE: RegExp = /^\s*(?:basic|bearer|digest)\s*$/i;

/** Tells who sent requests. Credentials stay within it. */
export class SenderReader {
  readonly #places = new Map<string, WatchedPlace>();
  readonly #tags = new Map<string, string>();
  readonly #names: readonly string[];
  readonly #list: readonly WatchedPlace[];

  /**
   * @param others Places where the API takes credentials, of identities or not.
   * @throws {TypeError} as {@linkcode checkIdentities} does.
   */
  constructor(identities: readonly Identity[], others: Iterable<IdentityPlace> = []) {
    checkIdentities(identities);
    this.#names = identities.map(({ name }) => name);
    for (const [index, identity] of identities.entries()) {
      const { name, header, cookie, query, value, jwt, tag = name } = identity;
      this.#tags.set(tag, name);
      if (!this.#tags.has(name)) this.#tags.set(name, name);
      const isPlaced = header !== undefined || cookie !== undefined || query !== undefined;
      if (!isPlaced && jwt === undefined) continue;
      const place = this.#place(placeOfCredential({ header, cookie, query }));
      if (jwt !== undefined) place.claims.push([index, Object.entries(jwt)]);
      else if (value !== undefined) place.values.set(withoutScheme(value), index);
    }
    for (const name of [ANONYMOUS, UNKNOWN]) this.#tags.set(name, name);
    for (const place of others) this.#place(place);
    this.#place({ in: "header", name: "authorization" });
    this.#list = [...this.#places.values()];
  }

  #place(place: IdentityPlace): WatchedPlace {
    const own: IdentityPlace = place.in === "authorization"
      ? { in: "header", name: "authorization" }
      : place;
    const key = `${own.in} ${own.name}`;
    let watched = this.#places.get(key);
    if (watched === undefined) {
      watched = { ...own, values: new Map(), claims: [], read: new Map() };
      this.#places.set(key, watched);
    }
    return watched;
  }

  /** The name of who sent a request; undefined where its recording doesn't show it. */
  read(
    url: string,
    text: RequestText,
    tag: string | readonly string[] | undefined,
    visibility: Visibility = FULL_VISIBILITY,
  ): string | undefined {
    const given = tag ?? text.headers.get(IDENTITY_HEADER);
    let [isAny, isHidden] = [given !== undefined, false];
    if (given !== undefined) {
      for (const one of typeof given === "string" ? [given] : given) {
        const name = this.#tags.get(one);
        if (name !== undefined) return name;
      }
    }
    let first = Infinity;
    for (const place of this.#list) {
      const value = shownIn(place, text);
      if (value === undefined || value === "") {
        if (visibility !== FULL_VISIBILITY && !isVisible(place, visibility)) isHidden = true;
        continue;
      }
      const meaning = place.read.get(value) ?? readValue(place, value);
      isAny = true;
      isHidden ||= meaning === HIDDEN;
      if (typeof meaning === "number") first = Math.min(first, meaning);
    }
    const name = this.#names[first];
    if (name !== undefined) return name;
    // Somebody whose tag nobody knows is somebody.
    if (isHidden && given === undefined) return undefined;
    return isAny || USER_INFO.test(url) ? UNKNOWN : ANONYMOUS;
  }

  /** The interaction with the name of who sent it, to be masked: afterwards, nobody could tell. */
  mark(interaction: Interaction): Interaction {
    const { request, identity } = interaction;
    if (identity !== undefined) return interaction;
    const { url, headers } = request;
    const text = new RequestText([], /\?([^#]*)/.exec(url)?.[1] ?? "", headers ?? undefined);
    const name = this.read(url, text, undefined, interaction.visibility);
    return name === undefined || name === ANONYMOUS
      ? interaction
      : { ...interaction, identity: name };
  }
}

/** What a value says of who sent it; it is remembered, as the same few come with every request. */
function readValue(
  { values, claims, read }: WatchedPlace,
  value: string,
): number | typeof HIDDEN | typeof STRANGE {
  const credential = withoutScheme(value);
  const payload = claims.length > 0 ? readClaims(credential) : undefined;
  const byClaims = payload &&
    claims.find(([, own]) => own.every(([claim, wanted]) => hasClaim(payload, claim, wanted)));
  const first = Math.min(values.get(credential) ?? Infinity, byClaims?.[0] ?? Infinity);
  const isHidden = isMasked(credential) || SCHEME_ALONE.test(value);
  const meaning = first < Infinity ? first : isHidden ? HIDDEN : STRANGE;
  if (read.size >= MAX_READ) read.clear();
  read.set(value, meaning);
  return meaning;
}

function shownIn(
  { in: location, name }: IdentityPlace,
  { headers, query, queryText, cookies }: RequestText,
): string | undefined {
  switch (location) {
    case "query": {
      if (queryText === "") return undefined;
      const value = query.find((pair) => pair.name === name)?.value;
      return value && decoded(value);
    }
    case "cookie":
      return cookies.find((cookie) => cookie.name === name)?.value ??
        (cookies.length === 0 ? headers.get("cookie") : undefined); // a placeholder for all of them
    default:
      return headers.get(name);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function isVisible({ in: location, name }: IdentityPlace, shown: Visibility): boolean {
  if (location === "query") return shown.query;
  return showsHeader(shown.request_headers, location === "cookie" ? "cookie" : name);
}

function withoutScheme(value: string): string {
  return value.replace(SCHEME, "").trim();
}

/** True for what covtool and other recorders write in the place of a secret. */
function isMasked(value: string): boolean {
  return isReplacedText(value) || (maskLetters(value) === value && /[aA1]/.test(value)) ||
    /^[*xX•.]+$/.test(value);
}

/** The claims of a token (RFC 7519), which isn't verified; undefined where it isn't one. */
function readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = token.split(".");
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(utf8Text(decodeBase64(payload) ?? new Uint8Array()) ?? "");
    return typeof claims === "object" && claims !== null
      ? claims as Readonly<Record<string, unknown>>
      : undefined;
  } catch {
    return undefined;
  }
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
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
  if (Array.isArray(value)) return value.some((item) => String(item) === wanted);
  if (typeof value === "object" || value === undefined) return false;
  if (name !== "scope" && name !== "scp") return String(value) === wanted;
  const has = new Set(String(value).split(/\s+/));
  return wanted.split(/\s+/).every((scope) => has.has(scope));
}
