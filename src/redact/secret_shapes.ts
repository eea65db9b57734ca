import { maskEnds, maskText } from "./mask_text.ts";

// Each key begins at the start of a word, and no repetition can match the beginning of what follows it: the time is
// linear in the length of the text.
const KEYS = new RegExp(
  "(?<![A-Za-z0-9])(?:" + [
    "eyJ[\\w-]{6,}\\.[\\w-]+\\.[\\w.-]*", // JSON Web Token
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", // AWS
    "gh[oprsu]_[A-Za-z0-9]{20,}",
    "github_pat_\\w{20,}",
    "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[\\w.-]{20,}",
    "xox[a-z]-[\\w-]{10,}",
    "xapp-\\d-[\\w-]{10,}",
    "(?<=hooks\\.slack\\.com/services/)T\\w{6,}/B\\w{6,}/\\w{16,}",
    "(?<=/api/webhooks/\\d{15,20}/)[\\w-]{40,}", // Discord
    "(?:sk|rk)_(?:live|test|prod)_\\w{10,}", // Stripe, Clerk
    "whsec_[\\w+/=]{16,}",
    "AIza[\\w-]{30,}", // Google
    "ya29\\.[\\w-]{10,}",
    "GOCSPX-[\\w-]{10,}",
    "1//0[\\w-]{20,}",
    "npm_[A-Za-z0-9]{20,}",
    "pypi-[\\w-]{16,}",
    "sk-[A-Za-z0-9_-]{20,}", // OpenAI, Anthropic
    "hf_[A-Za-z0-9]{20,}",
    "SG\\.[\\w-]{16,}\\.[\\w-]{16,}", // SendGrid
    "SK[0-9a-f]{32}(?![A-Za-z0-9])", // Twilio
    "key-[0-9a-f]{32}(?![A-Za-z0-9])", // Mailgun
    "(?:bot)?\\d{8,10}:AA[\\w-]{30,}", // Telegram
    "do[opr]_v1_[a-f0-9]{32,}", // DigitalOcean
    "shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,}", // Shopify
    "sq0(?:atp|csp|idp)-[\\w-]{20,}", // Square
    "dapi[a-f0-9]{32}", // Databricks
    "hv[sbr]\\.[\\w-]{20,}", // Vault
    "dp\\.(?:pt|st|sa)\\.[\\w-]{20,}", // Doppler
    "lin_api_\\w{20,}",
    "ntn_\\w{20,}",
    "figd_[\\w-]{20,}",
    "glsa_\\w{20,}",
    "dckr_pat_[\\w-]{20,}",
    "ATATT3[\\w=-]{20,}",
    "PMAK-[\\w-]{20,}",
    "NRAK-[A-Z0-9]{20,}",
    "AGE-SECRET-KEY-1[A-Z0-9]{20,}",
  ].join("|") + ")",
  "g",
);
/** Parts of the keys: a quick test before `KEYS`. */
const HINT =
  /hooks\.slack|\/webhooks\/|eyJ|A(?:KIA|SIA|BIA|CCA|Iza|TATT3|GE-SEC)|gh[oprsu]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]-|xapp-|[sr]k_|whsec_|ya29\.|GOCSPX-|1\/\/0|npm_|pypi-|sk-|hf_|SG\.|SK[0-9a-f]{32}|key-[0-9a-f]{32}|:AA|_v1_|shp[acps][ats]_|sq0|dapi|hv[sbr]\.|dp\.[ps][tsa]\.|lin_api_|ntn_|figd_|glsa_|dckr_pat_|PMAK-|NRAK-/;
/** Parts of all shapes: a quick test. */
const ANY = new RegExp(
  `${HINT.source}|earer |EARER |asic |ASIC |oken |OKEN |\\d[\\d -]{12}|-----B`,
);
const BEARER = /(?<![\w-])(bearer|basic|token) {1,4}([\w+/=.~-]{8,})/gi;
const CARD = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-])/g;
const BEGIN = "-----BEGIN ";
const END = "-----END ";

/** Masks secrets that have a known shape: JSON Web Tokens, PEM keys, providers' keys, credentials, card numbers. */
export function maskShapes(text: string): string {
  if (text.length < 12 || !ANY.test(text)) return text;
  let masked = text;
  if (HINT.test(masked)) masked = masked.replace(KEYS, maskText);
  if (/b(?:earer|asic) |token /i.test(masked)) {
    masked = maskEnds(masked, BEARER, ([, value = ""]) => isCredential(value) ? value : undefined);
  }
  if (/\d[\d -]{12,}\d/.test(masked)) {
    masked = masked.replace(CARD, (digits) => isCardNumber(digits) ? maskText(digits) : digits);
  }
  return masked.includes(BEGIN) ? maskPem(masked) : masked;
}

/** False for ordinary words, which can also follow `Basic` and `token`. */
function isCredential(value: string): boolean {
  return /\d|[a-z][A-Z]|=$/.test(value);
}

/** True for a card number (ISO/IEC 7812, Luhn); not with 13 digits, which books and goods have. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  const isScheme =
    /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17})$/
      .test(digits);
  if (!isScheme || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index--) {
    const digit = digits.charCodeAt(index) - 48;
    const value = isDoubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}

/** Masks private keys between their first and last lines; a truncated key extends to the end of the text. */
function maskPem(text: string): string {
  let masked = "";
  let copied = 0;
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, copied)) {
    const label = text.slice(at + BEGIN.length, at + BEGIN.length + 60);
    const rest = at + BEGIN.length;
    if (!/^[A-Z0-9 ]*PRIVATE KEY/.test(label)) {
      masked += text.slice(copied, rest);
      copied = rest;
      continue;
    }
    const start = rest + (/^[A-Z0-9 ]*-*/.exec(label)?.[0].length ?? 0);
    const end = text.indexOf(END, start);
    masked += text.slice(copied, start) + maskText(text.slice(start, end < 0 ? undefined : end));
    copied = end < 0 ? text.length : end;
  }
  return masked + text.slice(copied);
}
