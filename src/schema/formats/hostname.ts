import { isBidiDomain, isLabelAllowed } from "./idna.ts";
import { decodePunycode, encodePunycode } from "./punycode.ts";

const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;
const LDH_LABEL = /^[a-zA-Z\d](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?$/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** The U-label of an A-label; null if it has none (RFC 5890, section 2.3.2.1). */
function toUnicode(label: string): string | null {
  const encoded = label.slice(4).toLowerCase();
  const decoded = decodePunycode(encoded);
  if (decoded === null || !BEYOND_ASCII.test(decoded)) return null;
  return encodePunycode(decoded) === encoded && isLabelAllowed(decoded) ? decoded : null;
}

/** A label in the form that a reader sees and the form in which it is sent; null if it is not allowed. */
function readLabel(label: string): { shown: string; sent: string } | null {
  if (BEYOND_ASCII.test(label)) {
    if (label.length > LONGEST_NAME || !isLabelAllowed(label)) return null;
    const sent = `xn--${encodePunycode(label)}`;
    return sent.length <= LONGEST_LABEL ? { shown: label, sent } : null;
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
    if (length > LONGEST_NAME) return false;
  }
  return isBidiDomain(shown);
}

/** `hostname`: a name of RFC 1123, section 2.1, whose `xn--` labels are A-labels of RFC 5890. */
export function isHostname(text: string): boolean {
  return text.length <= LONGEST_NAME && !BEYOND_ASCII.test(text) && isName(text.split("."));
}

/** `idn-hostname`: a name of RFC 5890, section 2.3.2.3, with the separators of RFC 3490, section 3.1. */
export function isIdnHostname(text: string): boolean {
  // A character needs two UTF-16 units at most, and at least one octet of the name as it is sent.
  return text.length <= 2 * LONGEST_NAME && isName(text.split(/[.\u3002\uff0e\uff61]/));
}
