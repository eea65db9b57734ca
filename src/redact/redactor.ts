import { isJson } from "../values/is_json.ts";
import { maskText } from "./mask_text.ts";
import type { Nested, NestedText } from "./nested.ts";
import { secretVariables } from "./graphql_variables.ts";
import { redactCommands } from "./redact_command.ts";
import { redactCsv } from "./redact_csv.ts";
import { redactForm } from "./redact_form.ts";
import { redactJson } from "./redact_json.ts";
import { redactAssignments, redactPairs } from "./redact_text.ts";
import { redactProse } from "./redact_prose.ts";
import { redactProtocols } from "./redact_protocols.ts";
import { redactUrl } from "./redact_url.ts";
import { redactXml } from "./redact_xml.ts";
import { isSecretPair, type NameKind, nameKind } from "./secret_names.ts";
import { maskShapes } from "./secret_shapes.ts";

/** The names under which an API takes its credentials, in addition to common ones. */
export interface SecretNames {
  /** Names of headers; they match case-insensitively. */
  readonly headers: readonly string[];
  /** Names of query parameters; they match case-insensitively. */
  readonly query: readonly string[];
}

/** Values that lie in each other deeper than this are masked whole. */
const DEEPEST = 6;
/** Values of headers that are remembered. */
const MOST_REMEMBERED = 2000;
const LONGEST_REMEMBERED = 400;
/** Characters in text that has names or is JSON, XML or a path with a query; a list of pairs only begins as JSON does. */
const STRUCTURED = /[:=<?]|^\s*["[]/;
/** Dates, times and numbers. */
const MOMENT = /^[\d:TZ.+ -]{1,40}$/;
/** Parts of names that tell a secret: a quick test before the exact one. */
const NAMING =
  /(?:answer|auth|assert|bearer|card|cc|code|contras|cookie|cred|csrf|cv[cv]|hmac|jwt|key|mfa|mnemonic|motdep|nonce|otp|pass|phrase|pin|pswd|pwd?|refresh|saml|secret|senha|sess|sid|sig|string|ticket|token|verifier|wacht|wort|xsrf)[\w.-]{0,80}["'\\\]]{0,4}[ \t]{0,8}[:=]/i;
/** Headers whose value is a URL, or one relative to that of the request. */
const LOCATIONS = /^(?:content-location|location|referer)$/i;
/** Separates cookies that a recorder joined to one value; the comma in a date has no name behind it. */
const NEXT_COOKIE = /,(?=\s*[^\s;,=]+=)/;
/** Attributes of a cookie, which aren't secret. */
const COOKIE_ATTRIBUTE =
  /^\s*(?:comment|domain|expires|max-age|path|priority|samesite|version)\s*=/i;
/** The header in which pages send tokens for a WebSocket. */
const PROTOCOLS = /^sec-websocket-protocol$/i;
/** The value of a header that begins with a URL in angle brackets. */
const LINK = /^\s*<[^<>\s]*>\s*(?:[;,]|$)/;
/** Characters around a URL in text that aren't part of it. */
const URL_END = /[\s"'<>`{}|\\^]/g;

/**
 * Masks secrets in everything that a request has, and in what covtool says: by their names, and by their shape. Letters
 * become `a` or `A` and digits `1`, so that lengths and kinds stay. Doing it twice changes nothing more, and the time
 * it takes is in proportion to the text.
 *
 * @example
 * ```ts
 * import { Redactor } from "./redactor.ts";
 * import assert from "node:assert/strict";
 *
 * const redactor = new Redactor({ headers: ["X-Shop"], query: [] });
 * assert.equal(redactor.url("http://ada:pw1@host/books?token=Abc"), "http://aaa:aa1@host/books?token=Aaa");
 * assert.equal(redactor.header("x-shop", "k1"), "a1");
 * ```
 */
export class Redactor implements NestedText {
  readonly #headers: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;
  readonly #harmless = new Map<string, string>();
  #depth = 0;

  /** @param names The names from the description of the API, in addition to the common ones. */
  constructor(names: SecretNames = { headers: [], query: [] }) {
    this.#headers = new Set(names.headers.map((name) => name.toLowerCase()));
    this.#query = new Set(names.query.map((name) => name.toLowerCase()));
  }

  /** The value of a header: masked where its name is secret, but for the scheme (`Bearer`) and the names of cookies. */
  header(name: string, value: string): string {
    const kind = this.#headerKind(name);
    if (kind === "secret" || (kind === "perhaps" && isSecretPair(value))) {
      return maskHeader(name, value);
    }
    if (LOCATIONS.test(name)) return this.url(value);
    if (PROTOCOLS.test(name)) return redactProtocols(value);
    // The same few values come with every request.
    let redacted = this.#harmless.get(value);
    if (redacted === undefined) {
      redacted = /^[/?][^\s]*$/.test(value)
        ? this.url(value)
        : LINK.test(value)
        ? this.#links(value)
        : this.value(value);
      if (this.#harmless.size < MOST_REMEMBERED && value.length <= LONGEST_REMEMBERED) {
        this.#harmless.set(value, redacted);
      }
    }
    return redacted;
  }

  /** A URL, or a path with its query. */
  url(url: string): string {
    return redactUrl(url, (name) => this.#queryKind(name), this.#nestedIn(url));
  }

  /** An urlencoded form, which may have what the query may. */
  form(text: string): string {
    return redactForm(text, (name) => this.#queryKind(name), this.#nestedIn(text));
  }

  /** JSON, or a sequence of it. */
  json(text: string): string {
    return redactJson(text, nameKind, this);
  }

  /** XML, or HTML. */
  xml(text: string): string {
    return redactXml(text, this);
  }

  /** CSV, whose first row has the names of the columns. */
  csv(text: string): string {
    return this.text(redactCsv(text, nameKind));
  }

  /** Text for people, logs, GraphQL: what follows secret names, URLs, and secrets by their shape. */
  text(text: string): string {
    const redacted = redactCommands(redactProse(this.sentence(text)));
    return redactPairs(NAMING.test(redacted) ? redactAssignments(redacted) : redacted);
  }

  /** Masks text that covtool writes itself: URLs, and secrets by their shape; words before a colon are only words. */
  sentence(text: string): string {
    const masked = maskShapes(text);
    return masked.includes("://") ? this.#urlsIn(masked) : masked;
  }

  /** The text of a value with a harmless name, whatever it turns out to be. */
  value(text: string): string {
    if (text.length < 6) return text;
    if (!STRUCTURED.test(text)) return redactProse(maskShapes(text));
    if (text.length < 40 && MOMENT.test(text)) return text;
    if (this.#depth >= DEEPEST) return maskText(text);
    this.#depth++;
    try {
      const first = /\S/.exec(text)?.[0];
      if (first === "{" || first === "[" || first === '"') {
        const redacted = this.json(text);
        return isJson(redacted) ? redacted : this.text(redacted);
      }
      if (first === "<") return this.xml(text);
      if (first === "/" && text.includes("?") && !/\s/.test(text)) return this.url(text);
      return this.text(text);
    } finally {
      this.#depth--;
    }
  }

  #links(value: string): string {
    return this.text(value.replace(/<([^<>]*)>/g, (_, url: string) => `<${this.url(url)}>`));
  }

  /** GraphQL by GET or in a form has its query in one field, and the variables in another. */
  #nestedIn(form: string): Nested {
    if (!/(?:^|[?&])variables=/.test(form)) return this;
    const variables = secretVariables(decodedForm(form));
    if (variables.size === 0) return this;
    return {
      value: (text) =>
        this.value(
          text.startsWith("{")
            ? redactJson(text, (name) => variables.get(name) ?? nameKind(name), this)
            : text,
        ),
    };
  }

  #headerKind(name: string): NameKind {
    if (this.#headers.size > 0 && this.#headers.has(name.toLowerCase())) return "secret";
    return nameKind(name);
  }

  #queryKind(name: string): NameKind {
    if (this.#query.size > 0 && this.#query.has(name.toLowerCase())) return "secret";
    return nameKind(name);
  }

  #urlsIn(text: string): string {
    let redacted = "";
    let copied = 0;
    for (let at = text.indexOf("://"); at >= 0;) {
      let start = at;
      while (start > copied && at - start < 30 && /[a-z0-9+.-]/i.test(text[start - 1] ?? "")) {
        start--;
      }
      URL_END.lastIndex = at;
      const end = URL_END.exec(text)?.index ?? text.length;
      redacted += text.slice(copied, start) + this.#nestedUrl(text.slice(start, end));
      copied = end;
      at = text.indexOf("://", end);
    }
    return redacted + text.slice(copied);
  }

  #nestedUrl(url: string): string {
    if (this.#depth >= DEEPEST) return maskText(url);
    this.#depth++;
    try {
      return this.url(url);
    } finally {
      this.#depth--;
    }
  }
}

function maskHeader(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (lower === "cookie") return value.split(";").map(maskPair).join(";");
  if (lower === "set-cookie") {
    return value.split(NEXT_COOKIE).map((cookie) =>
      cookie.split(";").map((part, index) =>
        index > 0 && COOKIE_ATTRIBUTE.test(part) ? part : maskPair(part)
      ).join(";")
    ).join(",");
  }
  // The scheme (Basic, Bearer, Digest) isn't secret.
  const [, scheme = "", secret = ""] = /^([A-Za-z][\w-]* +)?(.*)$/s.exec(value) ?? [];
  return scheme + maskText(secret);
}

/** A cookie with its value masked. */
function maskPair(pair: string): string {
  const equals = pair.indexOf("=");
  return equals < 0 ? pair : pair.slice(0, equals + 1) + maskText(pair.slice(equals + 1));
}

function decodedForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
