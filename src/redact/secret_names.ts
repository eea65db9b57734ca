/** The effect of a name: `secret` hides any value, `perhaps` hides a value that looks like a token. */
export type NameKind = "secret" | "perhaps" | "harmless";

/** Words that make a name secret wherever they are in it, without separators. */
const SECRET_PART =
  /passw(?:or)?d|(?:admin|client|confirm|current|database|db|ftp|imap|ldap|login|mail|mysql|new|old|proxy|redis|repeat|root|smtp|sql|ssh|user|wifi)pass\d*$|(?:access|account|app|atm|card|confirm|credit|current|debit|device|door|login|new|old|phone|security|sim|sms|unlock|user|wallet)pin$|pin(?:code|number)$|passwrd|(?:access|auth|bearer|csrf|id|refresh)tok$|passphrase|passcode|passwort|kennwort|contrasena|motdepasse|wachtwoord|secret|token|credential|apikey|accesskey|accountkey|authkey|appkey|applicationkey|consumerkey|encryptionkey|functionskey|licensekey|masterkey|privatekey|sharedkey|(?:aes|cipher|client|crypto?|decrypt(?:ion)?|deploy|dsa|ecdsa|enc|encrypt|gpg|hmac|pgp|priv|rsa|sec|sign|signing|ssh|ssl|symmetric|tls|webhook|wrapping)key$|signingkey|storagekey|subscriptionkey|sessionid|sessionkey|sess(?:id|key|hash)|signature|samlresponse|samlassertion|(?:access|activation|auth|authorization|backup|confirmation|device|invite|login|mfa|onetime|twofactor|otp|recovery|reset|security|sms|verification)code|codeverifier|cardnumber|creditcard|conn(?:ection)?str(?:ing)?|setcookie|jwt|hmac|csrf|xsrf|totp|(?:backup|bip39|recovery|secret|seed|wallet)mnemonic|securityanswer|(?:mnemonic|recovery|seed)phrase/;
/** Words that make a name secret if they are separate words in it. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ..."assertion auth authentication authorization bearer cookie cookies cvc cvv otp pswd".split(
    " ",
  ),
  ..."pw pwd senha sess sessid sid sig".split(" "),
]);
/** A quick test for these words, which also matches within other words. */
const WORD = new RegExp([...SECRET_WORDS].join("|"));
/** Names that are secret only as a whole. */
const SECRET_NAMES: ReadonlySet<string> = new Set(["cc", "mnemonic", "pass", "passkey", "pin"]);
/** Names whose values are often something other than a secret. */
const PERHAPS: ReadonlySet<string> = new Set([
  ..."2fa code key mfa nonce refresh session ticket".split(" "),
]);
/** Names that contain a secret word, but refer to a position in a list or mean something else. */
const HARMLESS =
  /^(?:(?:next|previous|prev)?page?token|(?:next|continuation|sync)token|tokentype|\w*passwordless\w*|\w*secretar(?:y|ies)\w*|\w*tokeni[sz]\w*|(?:max|min|num|total|prompt|completion|input|output|cached|used|remaining|reasoning)\w*tokens)$/;
/** Last words of names that describe a secret and aren't secret themselves. */
const DESCRIBING_WORDS: ReadonlySet<string> = new Set([
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

/** A cache, because every request repeats names. */
const CACHE = new Map<string, NameKind>();
const MAX_CACHED = 2000;
/** Longer texts aren't names. */
const MAX_LENGTH = 200;

export function nameKind(name: string): NameKind {
  let kind = CACHE.get(name);
  if (kind === undefined) {
    kind = name.length > MAX_LENGTH ? "harmless" : classifyName(name);
    // Some entries are values, which don't repeat.
    if (CACHE.size >= MAX_CACHED) CACHE.clear();
    CACHE.set(name, kind);
  }
  return kind;
}

function classifyName(name: string): NameKind {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (SECRET_NAMES.has(/^x[-_]/i.test(name) ? plain.slice(1) : plain)) return "secret";
  const isPart = SECRET_PART.test(plain);
  // A quick test that is enough for nearly all names.
  if (!isPart && !WORD.test(plain) && !PERHAPS.has(plain.replace(/^x/, ""))) return "harmless";
  if (HARMLESS.test(plain)) return "harmless";
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ??
    [];
  if (words.length > 1 && DESCRIBING_WORDS.has(words.at(-1) ?? "")) return "harmless";
  if (isPart || words.some((word) => SECRET_WORDS.has(word))) return "secret";
  const own = words[0] === "x" ? words.slice(1).join("") : plain;
  return PERHAPS.has(own) ? "perhaps" : "harmless";
}

/** Values in a query that are never secret, whatever their name. */
const PLAIN_WORDS =
  /^(?:true|false|null|none|yes|no|on|off|enabled|disabled|required|wait_for|\d{1,5}|[A-Za-z]{1,3}|\$\w*|\{.*\})$/;

/** True if a value with a name of kind `perhaps` is secret, in queries and forms, where nearly all are. */
export function isSecretPair(value: string): boolean {
  return value !== "" && !PLAIN_WORDS.test(value);
}

/** True if a value with a name of kind `perhaps` is secret, in JSON, XML and text, where few are. */
export function isTokenLike(value: string): boolean {
  return value.length >= 6 && value.length <= 4096 && /\d/.test(value) && !/\s/.test(value) &&
    !/^\d{1,5}$|^\d{4}-\d\d-\d\d/.test(value);
}
