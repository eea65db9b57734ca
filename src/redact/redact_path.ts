import { decodeUri } from "../values/escapes.ts";
import { maskEscaped, redactForm } from "./redact_form.ts";
import { maskShapes } from "./secret_shapes.ts";
import { nameKind } from "./secret_names.ts";
import { maskText, type Rules } from "./mask_text.ts";

const MAX_FRAGMENTS = 3;
/** The login of a URL whose password contains `/`, `?`, `#` or a space; digits after a colon are a port. */
const ODD_LOGIN =
  /^(?:[^\s/?#]{0,60}\/\/)[^\s/?#@:[\]]{0,200}:(?!\d{1,5}(?:[/?#]|$))[^@/?#]{0,200}[/?#\s][^@]{0,200}(?:@[^@/?#\s]{1,200})*(?=@[\w[])/;
/** The login of a URL without a scheme. Names of schemes that are followed by an address aren't users. */
const BARE_LOGIN =
  /^(?!(?:acct|cid|im|mailto|mid|pres|sips?|ssh|urn|xmpp):)[^\s/?#@:[\]]{1,200}:(?!\/)[^\s@]{1,200}(?=@[\w[])/i;

export function redactUrl(url: string, rules: Rules, fragments: number = MAX_FRAGMENTS): string {
  const login = (ODD_LOGIN.exec(url) ?? BARE_LOGIN.exec(url))?.[0];
  if (login !== undefined) {
    const begin = /^[^\s/?#]{0,60}\/\//.exec(login)?.[0] ?? "";
    return begin + maskLogin(login.slice(begin.length)) +
      redactUrl(url.slice(login.length), rules, fragments);
  }
  const hash = url.indexOf("#");
  const withoutHash = hash < 0 ? url : url.slice(0, hash);
  const mark = withoutHash.indexOf("?");
  const start = redactStart(mark < 0 ? withoutHash : withoutHash.slice(0, mark));
  const query = mark < 0 ? "" : `?${redactForm(withoutHash.slice(mark + 1), rules)}`;
  if (hash < 0) return start + query;
  const fragment = url.slice(hash + 1);
  // A fragment is similar to a query after a login, and similar to a URL if it is a route of a page.
  const isForm = fragment.includes("=") && !/[?/]/.test(fragment.split("=", 1)[0] ?? "");
  const redacted = isForm
    ? redactForm(fragment, rules)
    : fragments > 0
    ? redactUrl(fragment, rules, fragments - 1)
    : maskText(fragment);
  return `${start}${query}#${redacted}`;
}

function redactStart(start: string): string {
  // A password is masked even if the scheme is invalid.
  const begin = /^[^/]{0,60}\/\//.exec(start)?.[0].length;
  if (begin === undefined) return maskPath(start);
  const slash = start.slice(begin).search(/[/\\]/);
  const end = slash < 0 ? start.length : begin + slash;
  const authority = start.slice(begin, end);
  const at = Math.max(authority.lastIndexOf("@"), authority.lastIndexOf("%40"));
  const host = at < 0 ? authority : maskLogin(authority.slice(0, at)) + authority.slice(at);
  return start.slice(0, begin) + host + maskPath(start.slice(end));
}

/** Masks a user and a password separately, because the password alone is also a secret. */
function maskLogin(login: string): string {
  const colon = login.indexOf(":") + 1;
  return maskEscaped(login.slice(0, colon)) + maskEscaped(login.slice(colon));
}

/** Replaces secret segments, so that requests with different secrets have the same path. */
const HIDDEN = "***";
/** Segments that are followed by a secret, as in links that are sent by mail. */
const BEFORE =
  /activat|apikey|confirm|forgot|invit|magic|onetime|optout|otp|passw|recover|reset|secret|token|unsubscri|verif/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /(?<![A-Za-z0-9])(?:[0-9a-f]+|[0-9A-F]+)(?![A-Za-z0-9])/g;
/** Longer hashes aren't identifiers. */
const MAX_HASH_LENGTH = 64;
/** The length of 128 bits in Base64. */
const MIN_RANDOM_LENGTH = 22;
const MIN_RANDOM_LENGTH_IN_ONE_CASE = 32;
/** Longer segments are secret, without a closer look. */
const MAX_JUDGED_LENGTH = 4096;

/** Masks secrets in a path by their shape or the segment before; numbers, UUIDs, hashes, dates and slugs stay. */
export function maskPath(path: string): string {
  return replaceSecrets(path, maskSegment);
}

/** Replaces secret segments, even masked ones, with `***`: requests that differ only in secrets have the same path. */
export function hidePath(path: string): string {
  return replaceSecrets(path, (segment) => segment.includes("=") ? maskSegment(segment) : HIDDEN);
}

/** Replaces everything before an `@` with `***`, in text that should have been a URL. */
export function hideCredentials(text: string): string {
  return text.replace(/^([^/]*\/\/)?(?:[^/]*@|[^/:@]*:(?!\d{1,5}\/)[^@]*@)/, `$1${HIDDEN}@`);
}

function replaceSecrets(path: string, replace: (segment: string) => string): string {
  if (!mayHoldSecret(path)) return path;
  const segments = path.split("/");
  let isChanged = false;
  let previous = "";
  segments.forEach((segment, index) => {
    const plain = decodeUri(segment);
    if (plain.includes("@") && hasUserinfo(plain, index > 1 ? previous : "/")) {
      segments[index] = withoutUserinfo(segment, replace);
      isChanged = true;
    } else if (isSecret(plain, previous)) {
      segments[index] = replace(segment);
      isChanged = true;
    }
    previous = plain;
  });
  return isChanged ? segments.join("/") : path;
}

/** True if a segment with an `@` is the authority of a URL within the path, or an entire URL with a user. */
function hasUserinfo(segment: string, previous: string): boolean {
  return previous === "" || /^[a-z][a-z0-9+.-]{0,20}:$/i.test(previous) ||
    /^[^/@]{0,60}\/\/[^/]*@/.test(segment);
}

/** Replaces the user in an authority; keeps the host if the `@` before it isn't escaped. */
function withoutUserinfo(segment: string, replace: (segment: string) => string): string {
  const at = segment.lastIndexOf("@");
  if (at < 0) return replace(segment);
  const user = segment.slice(0, at);
  return (user.includes("=") ? maskEscaped(user) : replace(user)) + segment.slice(at);
}

/** True if a path can contain a secret, as a quick test; most can't. */
function mayHoldSecret(path: string): boolean {
  return path.length >= 7 && (/[^/]{14}|=|@|%40/.test(path) || BEFORE.test(path.toLowerCase()));
}

function maskSegment(segment: string): string {
  if (!segment.includes("=")) return maskEscaped(segment);
  // The names of matrix parameters stay.
  return segment.split(";").map((part) => {
    const equals = part.indexOf("=");
    if (equals < 0) return part;
    const value = part.slice(equals + 1);
    const kind = nameKind(part.slice(0, equals));
    return kind === "secret" || isSecretText(decodeUri(value))
      ? `${part.slice(0, equals)}=${maskEscaped(value)}`
      : part;
  }).join(";");
}

function isSecret(segment: string, previous: string): boolean {
  if (segment.includes("=") && maskSegment(segment) !== segment) return true;
  if (segment.length < 6 && !segment.includes("=")) return false;
  return isSecretText(segment, previous);
}

/** True for a token, a key, or long and random text; after certain segments, also for shorter text. */
export function isSecretText(segment: string, previous = ""): boolean {
  if (segment.length > MAX_JUDGED_LENGTH) return true;
  if (isAfterName(segment, previous)) return true;
  if (segment.length < 14 || UUID.test(segment)) return false;
  if (maskShapes(segment) !== segment || isMaskedText(segment)) return true;
  return segment.length >= MIN_RANDOM_LENGTH && isRandom(segment);
}

function isAfterName(segment: string, previous: string): boolean {
  if (previous === "" || previous.length > 60) return false;
  const name = previous.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (!BEFORE.test(name) || /\s/.test(segment)) return false;
  if (UUID.test(segment)) return true;
  if (!/\d/.test(segment)) {
    return /^[a-z]{20,}$/i.test(segment) || (segment.length >= 8 && kindChanges(segment) >= 1 / 3);
  }
  // `v2`, `step2` and `oauth2` are parts of the API, and numbers are identifiers.
  return /[a-z]/i.test(segment) && !/^[a-z]+\d$/i.test(segment);
}

/** True for text that was masked before, in which all letters and digits are `a`, `A` and `1`. */
function isMaskedText(segment: string): boolean {
  return /^1{14,19}$/.test(segment) ||
    (segment.length >= 20 && /^[aA1][aA1._~:=-]*$/.test(segment) && /a/i.test(segment));
}

/** True for long text that alternates between lower case, upper case and digits more often than words do. */
function isRandom(segment: string): boolean {
  if (!/^[\w.~+=-]+$/.test(segment)) return false;
  // Hashes and UUIDs are identifiers, even after the name of a kind: `order-550e8400-…`.
  const rest = segment.replace(HASH, (hash) => hash.length > MAX_HASH_LENGTH ? hash : "");
  if (rest.length < MIN_RANDOM_LENGTH || !/\d/.test(rest)) return false;
  const isMixed = /[a-z]/.test(rest) && /[A-Z]/.test(rest);
  return (isMixed || rest.length >= MIN_RANDOM_LENGTH_IN_ONE_CASE) && kindChanges(rest) >= 1 / 3;
}

/** Returns the share of adjacent letters and digits that differ in kind: two thirds in random text. */
function kindChanges(text: string): number {
  const pairs = text.match(/[A-Za-z\d](?=[A-Za-z\d])/g)?.length ?? 0;
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return pairs === 0 ? 0 : changes / pairs;
}
