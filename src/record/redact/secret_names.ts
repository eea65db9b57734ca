const HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
]);

/** Names that say what they are wherever they stand in a longer one, without separators. */
const PART =
  /passw(?:or)?d|passphrase|passcode|secret|token|credential|apikey|accesskey|authkey|privatekey|signingkey|encryptionkey|sessionid|sessionkey|signature|jwt/;
/** Names that are common as a part of harmless ones. */
const WHOLE: ReadonlySet<string> = new Set([
  "auth",
  "authorization",
  "cvc",
  "cvv",
  "key",
  "otp",
  "pass",
  "pin",
  "pwd",
  "sid",
  "sig",
]);
/** Contain the word, but point to a place in a list or name a kind. */
const HARMLESS =
  /^(?:(?:next|previous|prev)?page?token|(?:next|continuation|sync)token|tokentype)$/;

/** Whether a field of a query, form or JSON body is named like a password, a token or a key. */
export function isSecretField(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return WHOLE.has(plain) || (PART.test(plain) && !HARMLESS.test(plain));
}

/** Names of headers are few, and asked for with every request. */
const KNOWN = new Map<string, boolean>();
const MOST_KNOWN = 1000;

/** Whether a header carries credentials. */
export function isSecretHeader(name: string): boolean {
  let isSecret = KNOWN.get(name);
  if (isSecret === undefined) {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    isSecret = HEADERS.has(plain) || (PART.test(plain) && !HARMLESS.test(plain));
    if (KNOWN.size < MOST_KNOWN) KNOWN.set(name, isSecret);
  }
  return isSecret;
}
