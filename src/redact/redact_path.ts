import { decodeUri } from "../values/decode_uri.ts";
import { maskEscaped, redactForm } from "./redact_form.ts";
import { maskShapes } from "./secret_shapes.ts";
import { nameKind } from "./secret_names.ts";
import { maskText, type Rules } from "./mask_text.ts";

const MAX_FRAGMENTS = 3;
/** The user and password of a URL whose password ends a host; digits behind a colon are a port. */
const ODD_LOGIN =
  /^(?:[^\s/?#]{0,60}\/\/)[^\s/?#@:[\]]{0,200}:(?!\d{1,5}(?:[/?#]|$))[^@/?#]{0,200}[/?#\s][^@]{0,200}(?:@[^@/?#\s]{1,200})*(?=@[\w[])/;
/** The same of a URL without a scheme. Names of schemes that have an address behind them are no users. */
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
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf("?");
  const start = redactStart(mark < 0 ? whole : whole.slice(0, mark));
  const query = mark < 0 ? "" : `?${redactForm(whole.slice(mark + 1), rules)}`;
  if (hash < 0) return start + query;
  const fragment = url.slice(hash + 1);
  // What comes back from a login is like a query, and routes of a page are like URLs.
  const isForm = fragment.includes("=") && !/[?/]/.test(fragment.split("=", 1)[0] ?? "");
  const redacted = isForm
    ? redactForm(fragment, rules)
    : fragments > 0
    ? redactUrl(fragment, rules, fragments - 1)
    : maskText(fragment);
  return `${start}${query}#${redacted}`;
}

function redactStart(start: string): string {
  // An invalid scheme is no reason to show a password.
  const begin = /^[^/]{0,60}\/\//.exec(start)?.[0].length;
  if (begin === undefined) return maskPath(start);
  const slash = start.slice(begin).search(/[/\\]/);
  const end = slash < 0 ? start.length : begin + slash;
  const authority = start.slice(begin, end);
  const at = Math.max(authority.lastIndexOf("@"), authority.lastIndexOf("%40"));
  const host = at < 0 ? authority : maskLogin(authority.slice(0, at)) + authority.slice(at);
  return start.slice(0, begin) + host + maskPath(start.slice(end));
}

/** Masks a user and a password; the password is a secret by itself. */
function maskLogin(login: string): string {
  const colon = login.indexOf(":") + 1;
  return maskEscaped(login.slice(0, colon)) + maskEscaped(login.slice(colon));
}

/** The replacement for a secret segment that makes requests with different secrets equal. */
const HIDDEN = "***";
/** Segments before one that lets its owner in: links that are sent by mail. */
const BEFORE =
  /activat|apikey|confirm|forgot|invit|magic|onetime|optout|otp|passw|recover|reset|secret|token|unsubscri|verif/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HASH = /(?<![A-Za-z0-9])(?:[0-9a-f]+|[0-9A-F]+)(?![A-Za-z0-9])/g;
/** Longer ones aren't identifiers. */
const MAX_HASH_LENGTH = 64;
/** As long as 128 bits in base64. */
const LONG = 22;
const LONG_WITHOUT_CASE = 32;
/** Longer ones are not looked at letter by letter. */
const LOOKED_AT = 4096;

/** Masks secrets in a path by their shape or the segment before; numbers, UUIDs, hashes, dates and slugs stay. */
export function maskPath(path: string): string {
  return eachSecret(path, maskSegment);
}

/** The path with `***` for secret segments, masked ones too: requests that differ in secrets alone have one path. */
export function hidePath(path: string): string {
  return eachSecret(path, (segment) => segment.includes("=") ? maskSegment(segment) : HIDDEN);
}

/** Text that should have been a URL, with `***` in place of everything before an `@`. */
export function hideCredentials(text: string): string {
  return text.replace(/^([^/]*\/\/)?(?:[^/]*@|[^/:@]*:(?!\d{1,5}\/)[^@]*@)/, `$1${HIDDEN}@`);
}

function eachSecret(path: string, replace: (segment: string) => string): string {
  if (!mayHold(path)) return path;
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

/** True if a segment is the authority of a URL within the path, or such a URL as a whole, and has a user. */
function hasUserinfo(segment: string, previous: string): boolean {
  return previous === "" || /^[a-z][a-z0-9+.-]{0,20}:$/i.test(previous) ||
    /^[^/@]{0,60}\/\/[^/]*@/.test(segment);
}

/** The host stays where the `@` before it isn't escaped. */
function withoutUserinfo(segment: string, replace: (segment: string) => string): string {
  const at = segment.lastIndexOf("@");
  if (at < 0) return replace(segment);
  const user = segment.slice(0, at);
  return (user.includes("=") ? maskEscaped(user) : replace(user)) + segment.slice(at);
}

/** True if a path has anything that a secret needs; most have not. */
function mayHold(path: string): boolean {
  return path.length >= 7 && (/[^/]{14}|=|@|%40/.test(path) || BEFORE.test(path.toLowerCase()));
}

function maskSegment(segment: string): string {
  if (!segment.includes("=")) return maskEscaped(segment);
  // Matrix parameters: names stay.
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
  if (segment.length < 6 && !segment.includes("=")) return false;
  if (segment.includes("=")) {
    return maskSegment(segment) !== segment || isSecretText(segment, previous);
  }
  return isSecretText(segment, previous);
}

/** True for a token, a key, or long and random text; after certain segments for shorter ones too. */
export function isSecretText(segment: string, previous = ""): boolean {
  if (segment.length > LOOKED_AT) return true;
  if (isAfterName(segment, previous)) return true;
  if (segment.length < 14 || UUID.test(segment)) return false;
  if (maskShapes(segment) !== segment || isMasked(segment)) return true;
  return segment.length >= LONG && isRandom(segment);
}

function isAfterName(segment: string, previous: string): boolean {
  if (previous === "" || previous.length > 60) return false;
  const name = previous.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (!BEFORE.test(name) || /\s/.test(segment)) return false;
  if (UUID.test(segment)) return true;
  const hasDigit = /\d/.test(segment);
  if (!hasDigit) {
    return /^[a-z]{20,}$/i.test(segment) || (segment.length >= 8 && changes(segment) >= 1 / 3);
  }
  // `v2`, `step2` and `oauth2` are parts of the API, and numbers identify.
  return /[a-z]/i.test(segment) && !/^[a-z]+\d$/i.test(segment);
}

/** True if something was masked before: then it has these three characters only. */
function isMasked(segment: string): boolean {
  return /^1{14,19}$/.test(segment) ||
    (segment.length >= 20 && /^[aA1][aA1._~:=-]*$/.test(segment) && /a/i.test(segment));
}

/** Long, and changing between lower case, upper case and digits as words do not. */
function isRandom(segment: string): boolean {
  if (!/^[\w.~+=-]+$/.test(segment)) return false;
  // Hashes and UUIDs identify, after the name of a kind too: `order-550e8400-…`.
  const rest = segment.replace(HASH, (hash) => hash.length > MAX_HASH_LENGTH ? hash : "");
  if (rest.length < LONG || !/\d/.test(rest)) return false;
  const isMixed = /[a-z]/.test(rest) && /[A-Z]/.test(rest);
  return (isMixed || rest.length >= LONG_WITHOUT_CASE) && changes(rest) >= 1 / 3;
}

/** The share of neighbouring letters and digits that are of two kinds: two thirds in random text. */
function changes(text: string): number {
  let pairs = 0;
  let changed = 0;
  let before = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code >= 48 && code <= 57
      ? 1
      : code >= 65 && code <= 90
      ? 2
      : code >= 97 && code <= 122
      ? 3
      : 0;
    if (kind !== 0 && before !== 0) {
      pairs++;
      if (kind !== before) changed++;
    }
    before = kind;
  }
  return pairs === 0 ? 0 : changed / pairs;
}
