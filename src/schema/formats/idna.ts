const BASE = 36;
const MIN = 1;
const MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const LAST_CODE = 0x10ffff;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

function adapt(delta: number, count: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / count);
  let steps = 0;
  while (rest > ((BASE - MIN) * MAX) >> 1) {
    rest = Math.floor(rest / (BASE - MIN));
    steps += BASE;
  }
  return steps + Math.floor(((BASE - MIN + 1) * rest) / (rest + SKEW));
}

function threshold(digit: number, bias: number): number {
  return Math.min(MAX, Math.max(MIN, digit - bias));
}

/** Decodes Punycode (RFC 3492, section 6.2), without `xn--` and in lower case; returns null if it is malformed. */
export function decodePunycode(text: string): string | null {
  const delimiter = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(delimiter, 0)), (one) => one.charCodeAt(0));
  let code = FIRST_CODE;
  let index = 0;
  let bias = FIRST_BIAS;
  for (let at = delimiter + 1; at < text.length;) {
    const before = index;
    let weight = 1;
    for (let position = BASE;; position += BASE) {
      const digit = DIGITS.indexOf(text[at++] ?? "?");
      if (digit < 0) return null;
      index += digit * weight;
      const limit = threshold(position, bias);
      if (digit < limit) break;
      weight *= BASE - limit;
      if (index > Number.MAX_SAFE_INTEGER / BASE) return null;
    }
    const count = codes.length + 1;
    bias = adapt(index - before, count, before === 0);
    code += Math.floor(index / count);
    index %= count;
    if (code > LAST_CODE || (code >= 0xd800 && code <= 0xdfff)) return null;
    codes.splice(index++, 0, code);
  }
  return String.fromCodePoint(...codes);
}

/** Encodes Punycode (RFC 3492, section 6.3), without `xn--`. */
export function encodePunycode(text: string): string {
  const codes = Array.from(text, (one) => one.codePointAt(0) ?? 0);
  const plain = codes.filter((code) => code < FIRST_CODE);
  let encoded = String.fromCodePoint(...plain) + (plain.length > 0 ? "-" : "");
  let bias = FIRST_BIAS;
  let delta = 0;
  let handled = plain.length;
  let next = FIRST_CODE;
  while (handled < codes.length) {
    const lowest = Math.min(...codes.filter((code) => code >= next));
    delta += (lowest - next) * (handled + 1);
    next = lowest;
    for (const code of codes) {
      if (code < next) delta++;
      if (code !== next) continue;
      let rest = delta;
      for (let position = BASE;; position += BASE) {
        const limit = threshold(position, bias);
        if (rest < limit) break;
        const digit = limit + ((rest - limit) % (BASE - limit));
        encoded += DIGITS.charAt(digit);
        rest = Math.floor((rest - limit) / (BASE - limit));
      }
      encoded += DIGITS.charAt(rest);
      bias = adapt(delta, handled + 1, handled === plain.length);
      delta = 0;
      handled++;
    }
    delta++;
    next++;
  }
  return encoded;
}

// RFC 5892 derives the allowed characters from Unicode properties. Using those of the engine keeps tables
// out of covtool and follows each version of Unicode.

const CONTROL_LIKE = "\\p{CWKCF}\\p{DI}\\p{White_Space}\\p{NChar}";
/** Section 2.4, 2.9, and the exceptions of section 2.6 that are disallowed. */
const BLOCKS =
  "\\u20d0-\\u20ff\\u{1d100}-\\u{1d24f}\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff\\u0640\\u07fa\\u302e\\u302f\\u3031-\\u3035\\u303b";
/** The hyphen, joiners, and the exceptions of section 2.6 that are allowed, some of them in context. */
const EXCEPTIONS =
  "\\-\\xdf\\u03c2\\u06fd\\u06fe\\u0f0b\\u3007\\xb7\\u0375\\u05f3\\u05f4\\u30fb\\u200c\\u200d";

/** Letters that join to the characters before and after them (Joining_Type of Unicode 17). */
const JOINING_BOTH =
  "\\u0620\\u0626\\u0628\\u062a-\\u062e\\u0633-\\u063f\\u0641-\\u0647\\u0649\\u064a\\u066e\\u066f\\u0678-\\u0687\\u069a-\\u06bf\\u06c1\\u06c2\\u06cc\\u06ce\\u06d0\\u06d1\\u06fa-\\u06fc\\u06ff\\u0712-\\u0714\\u071a-\\u071d\\u071f-\\u0727\\u0729\\u072b\\u072d\\u072e\\u074e-\\u0758\\u075c-\\u076a\\u076d-\\u0770\\u0772\\u0775-\\u0777\\u077a-\\u077f\\u07ca-\\u07ea\\u0841-\\u0845\\u0848\\u084a-\\u0853\\u0855\\u0860\\u0862-\\u0865\\u0868\\u0886\\u0889-\\u088d\\u088f\\u08a0-\\u08a9\\u08af\\u08b0\\u08b3-\\u08b8\\u08ba-\\u08c8\\u1807\\u1820-\\u1878\\u1887-\\u18a8\\u18aa\\ua840-\\ua871\\u{10ac0}-\\u{10ac4}\\u{10ad3}-\\u{10ad6}\\u{10ad8}-\\u{10adc}\\u{10ade}-\\u{10ae0}\\u{10aeb}-\\u{10aee}\\u{10b80}\\u{10b82}\\u{10b86}-\\u{10b88}\\u{10b8a}\\u{10b8b}\\u{10b8d}\\u{10b90}\\u{10bad}\\u{10bae}\\u{10d01}-\\u{10d21}\\u{10d23}\\u{10ec3}\\u{10ec4}\\u{10ec6}\\u{10ec7}\\u{10f30}-\\u{10f32}\\u{10f34}-\\u{10f44}\\u{10f51}-\\u{10f53}\\u{10f70}-\\u{10f73}\\u{10f76}-\\u{10f81}\\u{10fb0}\\u{10fb2}\\u{10fb3}\\u{10fb8}\\u{10fbb}\\u{10fbc}\\u{10fbe}\\u{10fbf}\\u{10fc1}\\u{10fc4}\\u{10fca}\\u{1e900}-\\u{1e943}";
/** Letters that only join to the character before them. */
const JOINING_RIGHT =
  "\\u0622-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef\\u0710\\u0715-\\u0719\\u071e\\u0728\\u072a\\u072c\\u072f\\u074d\\u0759-\\u075b\\u076b\\u076c\\u0771\\u0773\\u0774\\u0778\\u0779\\u0840\\u0846\\u0847\\u0849\\u0854\\u0856-\\u0858\\u0867\\u0869\\u086a\\u0870-\\u0882\\u088e\\u08aa-\\u08ac\\u08ae\\u08b1\\u08b2\\u08b9\\u{10ac5}\\u{10ac7}\\u{10ac9}\\u{10aca}\\u{10ace}-\\u{10ad2}\\u{10add}\\u{10ae1}\\u{10ae4}\\u{10aef}\\u{10b81}\\u{10b83}-\\u{10b85}\\u{10b89}\\u{10b8c}\\u{10b8e}\\u{10b8f}\\u{10b91}\\u{10ba9}-\\u{10bac}\\u{10d22}\\u{10ec2}\\u{10f33}\\u{10f54}\\u{10f74}\\u{10f75}\\u{10fb4}-\\u{10fb6}\\u{10fb9}\\u{10fba}\\u{10fbd}\\u{10fc2}\\u{10fc3}\\u{10fc9}";
/** Letters that only join to the character after them. */
const JOINING_LEFT = "\\ua872\\u{10acd}\\u{10ad7}\\u{10d00}\\u{10fcb}";

let rules: ReturnType<typeof createRules> | undefined;

function createRules() {
  return {
    disallowed: new RegExp(
      `(?![${EXCEPTIONS}])(?:[^\\p{Ll}\\p{Lu}\\p{Lo}\\p{Nd}\\p{Lm}\\p{Mn}\\p{Mc}]|[${CONTROL_LIKE}${BLOCKS}])`,
      "u",
    ),
    misplaced: new RegExp(
      [
        "^-|-$|^..--|^\\p{M}",
        "(?<!l)\\xb7|\\xb7(?!l)",
        "\\u0375(?!\\p{sc=Grek})",
        "(?<!\\p{sc=Hebr})[\\u05f3\\u05f4]",
        "[\\u0660-\\u0669].*[\\u06f0-\\u06f9]|[\\u06f0-\\u06f9].*[\\u0660-\\u0669]",
      ].join("|"),
      "u",
    ),
    joinable: new RegExp(
      `[${JOINING_LEFT}${JOINING_BOTH}]\\p{Mn}*\\u200c(?=\\p{Mn}*[${JOINING_RIGHT}${JOINING_BOTH}])`,
      "gu",
    ),
  };
}

/** True for combining class 9, which normalization sorts after U+3099 (class 8) and before U+05B0 (class 10). */
function isVirama(character: string): boolean {
  return character !== "" && `a${character}\u3099`.normalize("NFD") === `a\u3099${character}` &&
    `a\u05b0${character}`.normalize("NFD") === `a${character}\u05b0`;
}

/** True if each joiner is in a place where RFC 5892, appendices A.1 and A.2, allows it. */
function areJoinersPlaced(label: string, joinable: RegExp): boolean {
  if (!/[\u200c\u200d]/.test(label)) return true;
  // A non-joiner in a right place can be removed, as the letters on both sides join anyway.
  const characters = [...label.replace(joinable, (found) => found.replace("\u200c", ""))];
  return characters.every((character, index) =>
    (character !== "\u200c" && character !== "\u200d") || isVirama(characters[index - 1] ?? "")
  );
}

/** True if a label may be a U-label (RFC 5891, section 4.2, and RFC 5892), apart from the Bidi rule. */
export function isLabelAllowed(label: string): boolean {
  // The rules are created on first use, as most descriptions and most traffic don't need them.
  const { disallowed, misplaced, joinable } = rules ??= createRules();
  if (label.normalize("NFC") !== label) return false;
  if (disallowed.test(label) || misplaced.test(label)) return false;
  if (label.includes("\u30fb") && !/[\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]/u.test(label)) return false;
  return areJoinersPlaced(label, joinable);
}

/** Returns the Bidi_Class of a character that is allowed in labels, as one letter. */
function bidiClass(character: string): string {
  if (/[\d\u06f0-\u06f9]/.test(character)) return "e";
  if (/[\u0660-\u0669\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}]/u.test(character)) return "a";
  // Five marks of Kannada, Zanabazar Square and Bhaiksuki have the direction of the letters before them.
  if (/(?![\u0cbf\u0cc6\u{11a07}\u{11a08}\u{11c3f}])\p{Mn}/u.test(character)) return "n";
  if (
    /[-\xb7\u02b9\u02ba\u02c6-\u02cf\u02ec\u0375\u200c\u200d\u2e2f\u30fb\ua67f\ua717-\ua71f\ua788]/
      .test(character)
  ) {
    return "o";
  }
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(
      character,
    )
    ? "r"
    : "l";
}

/** True if labels that mix directions follow RFC 5893, section 2; names of one direction always do. */
export function isBidiDomain(labels: readonly string[]): boolean {
  if (!labels.some((label) => /[\u0590-\uffff]/.test(label))) return true;
  const directions = labels.map((label) => Array.from(label, bidiClass).join(""));
  if (!directions.some((label) => /[ra]/.test(label))) return true;
  return directions.every((label) =>
    label.startsWith("r")
      ? !label.includes("l") && /[rea]n*$/.test(label) && !/e.*a|a.*e/.test(label)
      : label.startsWith("l") && !/[ra]/.test(label) && /[le]n*$/.test(label)
  );
}
