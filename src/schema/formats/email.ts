import { isIpv4, isIpv6 } from "./addresses.ts";

const NOT_ATOM = /[^\w.!#$%&'*+/=?^`{|}~-]/;
const NOT_ATOM_OR_UNICODE = /[^\w.!#$%&'*+/=?^`{|}~\u{80}-\u{d7ff}\u{e000}-\u{10ffff}-]/u;
const NOT_QUOTED = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;
const NOT_QUOTED_OR_UNICODE = /[^\x20\x21\x23-\x5b\x5d-\x7e\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u;
const NOT_DOMAIN = /[^a-zA-Z\d.-]/;
const NOT_DOMAIN_OR_UNICODE = /[^a-zA-Z\d.\u{a0}-\u{d7ff}\u{f900}-\u{10ffff}-]/u;

function isLocalPart(text: string, international: boolean): boolean {
  if (text.startsWith('"')) {
    if (text.length < 2 || !text.endsWith('"')) return false;
    const inside = text.slice(1, -1).replace(/\\[\x20-\x7e]/g, "");
    return !(international ? NOT_QUOTED_OR_UNICODE : NOT_QUOTED).test(inside);
  }
  return !(international ? NOT_ATOM_OR_UNICODE : NOT_ATOM).test(text) &&
    !/^\.|\.$|\.\.|^$/.test(text);
}

function isDomain(text: string, international: boolean): boolean {
  if (text.startsWith("[") && text.endsWith("]")) {
    const literal = text.slice(1, -1);
    return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
  }
  return !(international ? NOT_DOMAIN_OR_UNICODE : NOT_DOMAIN).test(text) &&
    !/^[.-]|[.-]$|\.[.-]|-\.|^$/.test(text);
}

function isMailbox(text: string, international: boolean): boolean {
  const at = text.lastIndexOf("@");
  return at >= 0 && isLocalPart(text.slice(0, at), international) &&
    isDomain(text.slice(at + 1), international);
}

/** `email`: the `Mailbox` of RFC 5321, section 4.1.2; of address literals, those with a registered tag. */
export function isEmail(text: string): boolean {
  return isMailbox(text, false);
}

/** `idn-email`: the `Mailbox` as RFC 6531, section 3.3, extends it. */
export function isIdnEmail(text: string): boolean {
  return isMailbox(text, true);
}
