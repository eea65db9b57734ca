/** The certainty of a name: `secret` hides any value, `perhaps` only one that looks like a token. */
export type NameKind = "secret" | "perhaps" | "harmless";

/** Words that tell a secret anywhere in a longer name, without separators. */
const PART =
  /passw(?:or)?d|(?:admin|client|confirm|current|database|db|ftp|imap|ldap|login|mail|mysql|new|old|proxy|redis|repeat|root|smtp|sql|ssh|user|wifi)pass\d*$|(?:access|account|app|atm|card|confirm|credit|current|debit|device|door|login|new|old|phone|security|sim|sms|unlock|user|wallet)pin$|pin(?:code|number)$|passwrd|(?:access|auth|bearer|csrf|id|refresh)tok$|passphrase|passcode|passwort|kennwort|contrasena|motdepasse|wachtwoord|secret|token|credential|apikey|accesskey|accountkey|authkey|appkey|applicationkey|consumerkey|encryptionkey|functionskey|licensekey|masterkey|privatekey|sharedkey|(?:aes|cipher|client|crypto?|decrypt(?:ion)?|deploy|dsa|ecdsa|enc|encrypt|gpg|hmac|pgp|priv|rsa|sec|sign|signing|ssh|ssl|symmetric|tls|webhook|wrapping)key$|signingkey|storagekey|subscriptionkey|sessionid|sessionkey|sess(?:id|key|hash)|signature|samlresponse|samlassertion|(?:access|activation|auth|authorization|backup|confirmation|device|invite|login|mfa|onetime|twofactor|otp|recovery|reset|security|sms|verification)code|codeverifier|cardnumber|creditcard|conn(?:ection)?str(?:ing)?|setcookie|jwt|hmac|csrf|xsrf|totp|(?:backup|bip39|recovery|secret|seed|wallet)mnemonic|securityanswer|(?:mnemonic|recovery|seed)phrase/;
/** Secret as a word of its own within a longer name. */
const WORDS: ReadonlySet<string> = new Set([
  ..."assertion auth authentication authorization bearer cookie cookies cvc cvv otp pswd".split(
    " ",
  ),
  ..."pw pwd senha sess sessid sid sig".split(" "),
]);
/** The letters of such a word, within others too. */
const WORD = new RegExp([...WORDS].join("|"));
/** Secret only where they are the whole name. */
const WHOLE: ReadonlySet<string> = new Set(["cc", "mnemonic", "pass", "passkey", "pin"]);
/** Names that often mean something else too. */
const PERHAPS: ReadonlySet<string> = new Set([
  ..."2fa code key mfa nonce refresh session ticket".split(" "),
]);
/** Contain such a word, but point to a place in a list or mean something else. */
const HARMLESS =
  /^(?:(?:next|previous|prev)?page?token|(?:next|continuation|sync)token|tokentype|\w*passwordless\w*|\w*secretar(?:y|ies)\w*|\w*tokeni[sz]\w*|(?:max|min|num|total|prompt|completion|input|output|cached|used|remaining|reasoning)\w*tokens)$/;
/** Endings of names that describe a secret and aren't secret themselves. */
const ABOUT: ReadonlySet<string> = new Set([
  ..."alg algorithm at count created date description disabled duration enabled endpoint".split(
    " ",
  ),
  ..."expiration expired expires expiry format href in kind label length limit max method".split(
    " ",
  ),
  ..."methods min mode name path policy provider required scheme scope scopes size status".split(
    " ",
  ),
  ..."strategy strength time timeout title ttl type updated uri url valid version".split(" "),
]);

/** Names repeat, and are needed with every request. */
const KNOWN = new Map<string, NameKind>();
const MAX_KNOWN = 2000;
/** No name of a secret is longer; what is longer is text. */
const MAX_LENGTH = 200;

/** The kind of a header's, field's, property's or element's name: a password's, token's or key's, or neither. */
export function nameKind(name: string): NameKind {
  let kind = KNOWN.get(name);
  if (kind === undefined) {
    kind = name.length > MAX_LENGTH ? "harmless" : classifyName(name);
    // Some are values that were asked about, which don't come again.
    if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
    KNOWN.set(name, kind);
  }
  return kind;
}

function classifyName(name: string): NameKind {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (WHOLE.has(/^x[-_]/i.test(name) ? plain.slice(1) : plain)) return "secret";
  const isPart = PART.test(plain);
  // Nearly all names are told at once.
  if (!isPart && !WORD.test(plain) && !PERHAPS.has(plain.replace(/^x/, ""))) return "harmless";
  if (HARMLESS.test(plain)) return "harmless";
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ??
    [];
  if (words.length > 1 && ABOUT.has(words.at(-1) ?? "")) return "harmless";
  if (isPart || words.some((word) => WORDS.has(word))) return "secret";
  const own = words[0] === "x" ? words.slice(1).join("") : plain;
  return PERHAPS.has(own) ? "perhaps" : "harmless";
}

/** Words that aren't secret in a query, whatever the name says. */
const PLAIN_WORDS =
  /^(?:true|false|null|none|yes|no|on|off|enabled|disabled|required|wait_for|\d{1,5}|[A-Za-z]{1,3}|\$\w*|\{.*\})$/;

/** True if a value of a name that is secret at times is one: in a query and in forms, where nearly all are. */
export function isSecretPair(value: string): boolean {
  return value !== "" && !PLAIN_WORDS.test(value);
}

/** True if a value of a name that is secret at times is one: in JSON, XML and text, where few are. */
export function isTokenLike(value: string): boolean {
  return value.length >= 6 && value.length <= 4096 && /\d/.test(value) && !/\s/.test(value) &&
    !/^\d{1,5}$|^\d{4}-\d\d-\d\d/.test(value);
}
