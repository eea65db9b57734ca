import { decodePercent, encodePercent } from "../http/percent.ts";
import { isJson } from "../values/parse_json.ts";
import { BARE_SCHEME } from "./identities.ts";
import { maskedCount, maskText, noteMasked, type Rules } from "./mask_text.ts";
import {
  redactAssignments,
  redactCommands,
  redactDefaults,
  redactElements,
  redactPairs,
  redactProse,
  secretVariables,
} from "./redact_text.ts";
import { decodeForm, redactCsv, redactForm, redactMultipart } from "./redact_form.ts";
import { redactJson } from "./redact_json.ts";
import { isSecretText, redactUrl } from "./redact_path.ts";
import { redactXml } from "./redact_xml.ts";
import { isSecretPair, type NameKind, nameKind } from "./secret_names.ts";
import { maskShapes } from "./secret_shapes.ts";
import { decodeBase64, utf8Text } from "../http/body_text.ts";

/** Shorter parts after a secret name are versions and formats: `auth.v1.json`. */
const MIN_PART_LENGTH = 8;

/** Masks tokens, but not protocols, in `Sec-WebSocket-Protocol`, the only WebSocket header that pages can set. */
function redactProtocols(value: string): string {
  let previous = "";
  return value.split(",").map((item) => {
    const protocol = item.trim();
    // A name with dots is a protocol: `auth.v1.json`.
    const isSecret = /^[\w-]+$/.test(previous) && nameKind(previous) !== "harmless";
    previous = protocol;
    return isSecret ? maskText(item) : item.replace(protocol, () => redactProtocol(protocol));
  }).join(",");
}

function redactProtocol(protocol: string): string {
  // Text that would be secret as a segment of a path is secret here too.
  if (isSecretText(protocol)) return maskText(protocol);
  const parts = protocol.split(/([.|:])/);
  const last = parts.at(-1) ?? "";
  const isNamed = parts.slice(0, -1).some((part) => nameKind(part) === "secret");
  if (!isNamed || last.length < MIN_PART_LENGTH) return maskShapes(protocol);
  return protocol.slice(0, -last.length) + maskText(last);
}

/** The comma between cookies that a recorder joined; unlike the comma in a date, it is followed by a name. */
const NEXT_COOKIE = /,(?=\s*[^\s;,=]+=)/;
const COOKIE_ATTRIBUTE =
  /^\s*(?:(?:comment|domain|expires|max-age|path|priority|samesite|version)\s*=|(?:httponly|partitioned|secure)\s*$)/i;
/** Authentication schemes: those registered according to RFC 9110, section 16.4.1, and those of providers. */
const SCHEME =
  /^\s*(?:api-?key|aws|aws4-[a-z\d-]+|basic|bearer|bot|concealed|digest|dpop|genie-?key|gnap|googlelogin|hawk|hmac[a-z\d-]*|hoba|jwt|key|mac|mutual|negotiate|ntlm|oauth|privatetoken|scram-[a-z\d-]+|sharedkey(?:lite)?|signature|splunk|ssws|token|vapid)\s+(?=\S)/i;
const DESCRIPTION =
  /^(?:alg|algorithm|charset|created|expires|headers|keyid|nc|qop|realm|signedheaders|uri|url|user|username|version)$/i;

/** Masks the value of a header with a secret name, except the scheme (`Bearer`) and the names of cookies. */
function maskHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === "cookie") return value.split(";").map(maskCookie).join(";");
  if (lower === "set-cookie") {
    return value.split(NEXT_COOKIE).map((cookie) =>
      cookie.split(";").map((part, index) =>
        index > 0 && COOKIE_ATTRIBUTE.test(part) ? part : maskCookie(part)
      ).join(";")
    ).join(",");
  }
  if (BARE_SCHEME.test(value)) return value; // A masked scheme would be read as a token.
  const scheme = SCHEME.exec(value)?.[0] ?? "";
  const credentials = value.slice(scheme.length);
  const masked = scheme + maskText(credentials);
  if (scheme !== "") noteMasked(value, masked);
  addParts(credentials);
  return masked;
}

function maskCookie(pair: string): string {
  const equals = pair.indexOf("=") + 1;
  return pair.slice(0, equals) + maskText(pair.slice(equals));
}

/** Records the parts of credentials that are secret by themselves: parameters, and the password of Basic. */
function addParts(credentials: string): void {
  for (const part of credentials.split(/[\s,;]+/)) {
    const [, name = "", value = ""] = /^([\w-]+)=(?!=*$)(.+)$/.exec(part) ?? [];
    if (!DESCRIPTION.test(name) && value !== "") noteMasked(value.replace(/^"|"$/g, ""));
  }
  const bytes = /^[\w+/-]+=*$/.test(credentials) ? decodeBase64(credentials) : undefined;
  const login = bytes && /^[^:\p{Cc}]*:(\P{Cc}+)$/u.exec(utf8Text(bytes) ?? "")?.[1];
  if (login !== undefined) noteMasked(login);
}

/** The names under which an API takes its credentials, in addition to common ones. */
export interface SecretNames {
  /** Names of headers; they match case-insensitively. */
  readonly headers: readonly string[];
  /** Names of query parameters; they match case-insensitively. */
  readonly query: readonly string[];
}

/** Values that are nested more deeply are masked as a whole. */
const MAX_DEPTH = 6;
const MAX_CACHED = 2000;
const MAX_CACHED_LENGTH = 400;
/** Text that may contain names, or be JSON (a list may only show by its beginning), XML or a path with a query. */
const STRUCTURED = /[:=<?]|&lt;|^\s*["[]/;
/** Text in which the characters of `STRUCTURED` are percent-encoded. */
const ENCODED = /^[^\s=<{["]*%(?:22|3A|3C|3D|3F|5B|7B)[^\s=<{["]*$/i;
const DATE_OR_NUMBER = /^[\d:TZ.+ -]{1,40}$/;
/** Parts of secret names: a quick test before the exact one. */
const NAMING =
  /(?:answer|auth|assert|bearer|card|cc|code|conn|contras|cookie|cred|csrf|cv[cv]|hmac|jwt|key|mfa|mnemonic|motdep|nonce|otp|pass|phrase|pin|pswd|pwd?|refresh|saml|secret|senha|sess|sid|sig|string|ticket|tok|verifier|wacht|wort|xsrf)[\w.-]{0,80}["'\\\]]{0,4}[ \t]{0,8}[:=]/i;
const LOCATIONS = /^(?:content-location|location|referer)$/i;
const PROTOCOLS = /^sec-websocket-protocol$/i;
const LINK = /^\s*<[^<>\s]*>\s*(?:[;,]|$)/;
/** The login of a URL whose password has spaces, which usually end a URL in text; digits after a colon are a port. */
const SPACED_LOGIN =
  /:\/\/[^\s/?#@:[\]"'<>]{0,100}:(?!\d{1,5}(?![\w.~!$*+-]))[^@\r\n"'<>]{1,100}(?=@[\w[])/y;
/** The password of an address without a scheme. The text before the colon can be a label: `from:ann@shop.example`. */
const LOGIN =
  /(?<=(?:^|[\s"'(=,;])(?!(?:acct|author|bcc|by|cc|cid|contact|e-?mail|from|im|mail|mailto|mid|reply-to|sender|sips?|ssh|to|urn|user|username|xmpp):)[^\s"'/:@()=,;<>]{1,100}:)[^\s"'@/<>][^\s"'@<>]{0,200}(?=@(?!sha\d)(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}|[\w-]{1,63}(?=:\d|\/))(?![\w-]))/gi;
const MULTIPART = /^\s{0,4}--[^\r\n]{1,70}\r?\ncontent-/i;
const FORM = /^[^\s=&<>{}[\]"':;,]{1,200}(?:\[[^\s=&]{0,100})?=/;
/** Media types other than plain text: if their text begins like a form, it is one, even with spaces. */
const STRUCTURED_TYPE = /x-www-form-urlencoded|json|xml|html/i;
const WRONG_TYPES = { "<": /json|x-www-form-urlencoded/i, "{": /xml|html|x-www-form-urlencoded/i };
const URL_END = /[\s"'<>`{}|\\^]/g;

/** Masks secrets by name and by shape, and keeps lengths; idempotent, and linear in the length of the text. */
export class Redactor {
  readonly #headers: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;
  readonly #harmless = new Set<string>();
  #depth = 0;

  /** @param names The names from the description of the API, in addition to the common ones. */
  constructor(names: SecretNames = { headers: [], query: [] }) {
    this.#headers = new Set(names.headers.map((name) => name.toLowerCase()));
    this.#query = new Set(names.query.map((name) => name.toLowerCase()));
  }

  header(name: string, value: string): string {
    const kind = nameKindWith(this.#headers, name);
    if (kind === "secret" || (kind === "perhaps" && isSecretPair(value))) {
      return maskHeader(name, value);
    }
    if (LOCATIONS.test(name)) return this.url(value);
    if (PROTOCOLS.test(name)) return redactProtocols(value);
    // Requests repeat the same few values.
    if (this.#harmless.has(value)) return value;
    const before = maskedCount();
    const redacted = /^[/?][^\s]*$/.test(value)
      ? this.url(value)
      : LINK.test(value)
      ? this.#links(value)
      : this.value(value);
    // Values with secrets, even masked ones, aren't cached: masking also records them, and they may be elsewhere too.
    if (
      redacted === value && maskedCount() === before && this.#harmless.size < MAX_CACHED &&
      value.length <= MAX_CACHED_LENGTH
    ) {
      this.#harmless.add(value);
    }
    return redacted;
  }

  url(url: string): string {
    return redactUrl(url, this.#createRules(url));
  }

  /** Redacts a body, or a part of one, by its media type, or by its content if that contradicts the media type. */
  content(text: string, type: string): string {
    if (/^\s*multipart\//i.test(type) || MULTIPART.test(text)) {
      const redact = (part: string, type?: string): string =>
        type === undefined ? this.value(part) : this.content(part, type);
      return this.#redactNested(text, () => redactMultipart(text, type, redact));
    }
    const first = /\S/.exec(text)?.[0] ?? "";
    const isForm = FORM.test(text) && (STRUCTURED_TYPE.test(type) || !/\s/.test(text));
    if (isForm && !/csv|separated/i.test(type)) return this.form(text);
    if (/[<[{]/.test(first) && WRONG_TYPES[first === "<" ? "<" : "{"].test(type)) {
      return this.value(text);
    }
    if (/x-www-form-urlencoded/i.test(type)) return this.form(text);
    if (/json/i.test(type)) return this.json(text);
    if (/xml|html/i.test(type)) return this.xml(text);
    if (/\/(?:csv|tab-separated-values)/i.test(type)) return this.csv(text);
    return this.value(text);
  }

  form(text: string): string {
    return redactForm(text, this.#createRules(text));
  }

  json(text: string): string {
    return redactJson(text, { kind: nameKind, value: (inner) => this.value(inner) });
  }

  xml(text: string): string {
    return redactXml(text, this);
  }

  csv(text: string): string {
    return this.text(redactCsv(text, nameKind));
  }

  /** Redacts prose, logs and GraphQL: values after secret names, URLs, and secrets by shape. */
  text(text: string): string {
    const redacted = redactCommands(
      redactProse(redactElements(redactDefaults(this.sentence(text)))),
    );
    return redactPairs(NAMING.test(redacted) ? redactAssignments(redacted) : redacted);
  }

  /** Redacts text that covtool writes itself: URLs, and secrets by shape; words before a colon aren't names here. */
  sentence(text: string): string {
    const masked = maskShapes(text);
    const redacted = masked.includes("://") ? this.#redactUrls(masked) : masked;
    return redacted.includes("@") ? redacted.replace(LOGIN, maskText) : redacted;
  }

  /** Redacts a value with a harmless name, by the format that its text has. */
  value(text: string): string {
    if (text.length < 6) return text;
    if (text.includes("%") && ENCODED.test(text)) {
      const plain = decodePercent(text);
      const redacted = plain === text ? text : this.#redactNested(plain, () => this.value(plain));
      return redacted === plain ? text : encodePercent(redacted);
    }
    if (!STRUCTURED.test(text)) return redactProse(maskShapes(text));
    if (text.length < 40 && DATE_OR_NUMBER.test(text)) return text;
    return this.#redactNested(text, () => {
      const first = /\S/.exec(text)?.[0];
      if (first === "{" || first === "[" || first === '"') {
        const redacted = this.json(text);
        return isJson(redacted) ? redacted : this.text(redacted);
      }
      if (first === "<") return this.xml(text);
      if (first === "/" && text.includes("?") && !/\s/.test(text)) return this.url(text);
      return this.text(text);
    });
  }

  #redactNested(text: string, redact: () => string): string {
    if (this.#depth >= MAX_DEPTH) return maskText(text);
    this.#depth++;
    try {
      return redact();
    } finally {
      this.#depth--;
    }
  }

  #links(value: string): string {
    return this.text(value.replace(/<([^<>]*)>/g, (_, url: string) => `<${this.url(url)}>`));
  }

  /** Returns the rules for a query or a form. In GraphQL, one field has the query, and another the variables. */
  #createRules(form: string): Rules {
    const kind = (name: string): NameKind => nameKindWith(this.#query, name);
    const value = (text: string): string => this.value(text);
    const variables = /(?:^|[?&])variables=/.test(form) ? secretVariables(decodeForm(form)) : null;
    if (variables === null || variables.size === 0) return { kind, value };
    const rules = { kind: (name: string) => variables.get(name) ?? nameKind(name), value };
    return {
      kind,
      value: (text) => value(text.startsWith("{") ? redactJson(text, rules) : text),
    };
  }

  #redactUrls(text: string): string {
    let redacted = "";
    let copied = 0;
    for (let at = text.indexOf("://"); at >= 0;) {
      let start = at;
      while (start > copied && at - start < 30 && /[a-z0-9+.-]/i.test(text[start - 1] ?? "")) {
        start--;
      }
      SPACED_LOGIN.lastIndex = at;
      URL_END.lastIndex = SPACED_LOGIN.test(text) ? SPACED_LOGIN.lastIndex : at;
      const end = URL_END.exec(text)?.index ?? text.length;
      const url = text.slice(start, end);
      redacted += text.slice(copied, start) + this.#redactNested(url, () => this.url(url));
      copied = end;
      at = text.indexOf("://", end);
    }
    return redacted + text.slice(copied);
  }
}

function nameKindWith(secret: ReadonlySet<string>, name: string): NameKind {
  return secret.size > 0 && secret.has(name.toLowerCase()) ? "secret" : nameKind(name);
}
