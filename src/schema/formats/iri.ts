import { isIpv6 } from "./hostname.ts";

const RELATIVE = /^(?:0|[1-9]\d*)(?:#$|(?:[+-](?:0|[1-9]\d*))?(?![\d#+-]))/;

/** `json-pointer`: RFC 6901, section 3. */
export function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/** `relative-json-pointer`: draft-bhutton-relative-json-pointer-00, section 3. */
export function isRelativeJsonPointer(text: string): boolean {
  const match = RELATIVE.exec(text)?.[0];
  return match !== undefined && isJsonPointer(text.slice(match.length));
}

/** The characters that the parts of an identifier may have. */
interface Grammar {
  readonly notUserinfo: RegExp;
  readonly notHost: RegExp;
  readonly notPath: RegExp;
  readonly notQuery: RegExp;
  readonly notFragment: RegExp;
}

// RFC 3986, appendix B. Each part excludes the character that ends it, so that there is nothing to try twice.
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/;
const SCHEME = /^[a-zA-Z][a-zA-Z\d+.-]*$/;
const BROKEN_ESCAPE = /%(?![\da-fA-F]{2})/;
const FUTURE_ADDRESS = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i;

/** The characters beyond ASCII that RFC 3987, section 2.2, adds: without the last two of each plane. */
const UCS = "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}" +
  Array.from({ length: 14 }, (_, index) => {
    const plane = (index + 1).toString(16);
    return `\\u{${plane}${plane === "e" ? "1000" : "0000"}}-\\u{${plane}fffd}`;
  }).join("");
const PRIVATE = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

function createGrammar(more: string, moreInQuery: string): Grammar {
  const none = (extra: string): RegExp => new RegExp(`[^\\w.~!$&'()*+,;=%${extra}${more}\\-]`, "u");
  return {
    notUserinfo: none(":"),
    notHost: none(""),
    notPath: none(":@\\/"),
    notQuery: none(`:@\\/?${moreInQuery}`),
    notFragment: none(":@\\/?"),
  };
}

let ascii: Grammar | undefined;
let unicode: Grammar | undefined;

function isAuthority(text: string, grammar: Grammar): boolean {
  const at = text.indexOf("@");
  if (at >= 0 && grammar.notUserinfo.test(text.slice(0, at))) return false;
  const place = text.slice(at + 1);
  const colon = place.startsWith("[") ? place.indexOf("]") + 1 : place.indexOf(":");
  const host = colon < 0 ? place : place.slice(0, colon);
  const rest = colon < 0 ? "" : place.slice(colon);
  if (!/^(?::\d*)?$/.test(rest)) return false;
  if (!host.startsWith("[")) return !place.startsWith("[") && !grammar.notHost.test(host);
  const address = host.slice(1, -1);
  return isIpv6(address) || FUTURE_ADDRESS.test(address);
}

function isReference(text: string, absolute: boolean, grammar: Grammar): boolean {
  const match = PARTS.exec(text);
  if (match === null || BROKEN_ESCAPE.test(text)) return false;
  const [, scheme, authority, path = "", query = "", fragment = ""] = match;
  if (scheme === undefined) {
    if (absolute) return false;
    // A colon in the first segment would make what precedes it a scheme.
    if (authority === undefined && /^[^/]*:/.test(path)) return false;
  } else if (!SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, grammar)) return false;
  return !grammar.notPath.test(path) && !grammar.notQuery.test(query) &&
    !grammar.notFragment.test(fragment);
}

/** `uri`: the `URI` of RFC 3986, appendix A. */
export function isUri(text: string): boolean {
  return isReference(text, true, ascii ??= createGrammar("", ""));
}

/** `uri-reference`: the `URI-reference` of RFC 3986, appendix A. */
export function isUriReference(text: string): boolean {
  return isReference(text, false, ascii ??= createGrammar("", ""));
}

/** `iri`: the `IRI` of RFC 3987, section 2.2. */
export function isIri(text: string): boolean {
  return isReference(text, true, unicode ??= createGrammar(UCS, PRIVATE));
}

/** `iri-reference`: the `IRI-reference` of RFC 3987, section 2.2. */
export function isIriReference(text: string): boolean {
  return isReference(text, false, unicode ??= createGrammar(UCS, PRIVATE));
}
