import { decodePunycode, encodePunycode, isBidiDomain, isLabelAllowed } from "./idna.ts";
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

/** `email`: the `Mailbox` of RFC 5321, section 4.1.2; address literals only with a registered tag. */
export function isEmail(text: string): boolean {
  return isMailbox(text, false);
}

/** `idn-email`: the `Mailbox` of RFC 5321, as extended by RFC 6531, section 3.3. */
export function isIdnEmail(text: string): boolean {
  return isMailbox(text, true);
}

const IPV4 = /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;
const GROUP = /^[\da-fA-F]{1,4}$/;
const MAX_IPV6_LENGTH = 45;

/** `ipv4`: the `dotted-quad` of RFC 2673, section 3.2. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** Counts the 16-bit groups on one side of `::`; returns -1 if it is malformed. */
function countGroups(side: string, last: boolean): number {
  if (side === "") return 0;
  const parts = side.split(":");
  const tail = parts.at(-1) ?? "";
  const quad = last && tail.includes(".");
  if (quad && !isIpv4(tail)) return -1;
  const groups = quad ? parts.slice(0, -1) : parts;
  return groups.every((group) => GROUP.test(group)) ? groups.length + (quad ? 2 : 0) : -1;
}

/** `ipv6`: an address of RFC 4291, section 2.2. */
export function isIpv6(text: string): boolean {
  if (text.length > MAX_IPV6_LENGTH) return false;
  const sides = text.split("::");
  const [before = "", after] = sides;
  if (after === undefined) return countGroups(before, true) === 8;
  const first = countGroups(before, false);
  const second = countGroups(after, true);
  return sides.length === 2 && first >= 0 && second >= 0 && first + second <= 7;
}

const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
const LDH_LABEL = /^[a-zA-Z\d](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?$/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Returns the U-label of an A-label; null if it has none (RFC 5890, section 2.3.2.1). */
function toUnicode(label: string): string | null {
  const encoded = label.slice(4).toLowerCase();
  const decoded = decodePunycode(encoded);
  if (decoded === null || !BEYOND_ASCII.test(decoded)) return null;
  return encodePunycode(decoded) === encoded && isLabelAllowed(decoded) ? decoded : null;
}

/** Returns a label as it is shown and as it is sent; null if it is not allowed. */
function readLabel(label: string): { shown: string; sent: string } | null {
  if (BEYOND_ASCII.test(label)) {
    if (label.length > MAX_NAME_LENGTH || !isLabelAllowed(label)) return null;
    const sent = `xn--${encodePunycode(label)}`;
    return sent.length <= MAX_LABEL_LENGTH ? { shown: label, sent } : null;
  }
  if (!LDH_LABEL.test(label)) return null;
  const shown = /^xn--/i.test(label) ? toUnicode(label) : label;
  return shown === null ? null : { shown, sent: label };
}

function isName(parts: readonly string[]): boolean {
  const shown: string[] = [];
  let length = parts.length - 1;
  for (const part of parts) {
    const label = readLabel(part);
    if (label === null) return false;
    shown.push(label.shown);
    length += label.sent.length;
    if (length > MAX_NAME_LENGTH) return false;
  }
  return isBidiDomain(shown);
}

/** `hostname`: a name of RFC 1123, section 2.1, whose `xn--` labels are A-labels of RFC 5890. */
export function isHostname(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && !BEYOND_ASCII.test(text) && isName(text.split("."));
}

/** `idn-hostname`: a name of RFC 5890, section 2.3.2.3, with the separators of RFC 3490, section 3.1. */
export function isIdnHostname(text: string): boolean {
  // A character has at most two UTF-16 units, and takes at least one octet of the name as it is sent.
  return text.length <= 2 * MAX_NAME_LENGTH && isName(text.split(/[.\u3002\uff0e\uff61]/));
}
