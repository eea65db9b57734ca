import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { HttpRequest, HttpResponse, Interaction } from "../../src/http/interaction.ts";

/** A secret in an unusual place or encoding, or under an unusual name. */
export interface OddSecret {
  readonly place: string;
  /** The text that must not be left in any encoding. */
  readonly secret: string;
  readonly interaction: Interaction;
}

type Body = Uint8Array | string;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** Escapes every character. */
const percented = (text: string): string =>
  [...bytes(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicoded = (text: string): string =>
  text.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
const referenced = (text: string): string =>
  text.replace(/./g, (sign) => `&#${sign.charCodeAt(0)};`);

const send = (request: Partial<HttpRequest>, response?: HttpResponse): Interaction => ({
  request: { method: "POST", url: "http://localhost:8901/orders", ...request },
  response: response ?? { status_code: 200 },
});
const sendBody = (type: string, body: Body, headers: Record<string, string> = {}): Interaction =>
  send({ headers: { ...(type !== "" && { "Content-Type": type }), ...headers }, body });
const sendJson = (value: unknown): Interaction => sendBody(JSON_TYPE, JSON.stringify(value));
const sendHeader = (name: string, value: string | string[]): Interaction =>
  send({ method: "GET", url: "http://localhost:8901/books", headers: { [name]: value } });
const sendUrl = (url: string): Interaction => send({ method: "GET", url });
const answer = (headers: Record<string, string | string[]>, body?: Body): Interaction =>
  send({ method: "GET", url: "http://localhost:8901/books" }, { status_code: 200, headers, body });

let count = 0;
/** Makes a unique secret. */
const secret = (shape = "odd N vault"): string => shape.replace("N", String(1000 + count++));
const odd = (place: string, make: (secret: string) => Interaction, shape?: string): OddSecret => {
  const text = secret(shape);
  return { place, secret: text, interaction: make(text) };
};

const NAMES = [
  ...["sessId", "SESSID", "sess_id", "connStr", "conn_str", "ConnectionStr", "pinCode", "pin_code"],
  ...["signKey", "sign-key", "signing_key", "aesKey", "rsa_key", "privKey", "sshKey", "webhookKey"],
  ...["decryptionKey", "cipherKey", "dbPswd", "userPwd", "authTok", "refresh_tok", "smsPin"],
  ...["pinNumber", "passwrd", "sessKey", "recoveryPhrase", "hmacKey", "clientKey", "xSessionId"],
];

/** Places for the value of each name. */
const PLACES: Readonly<Record<string, (name: string, secret: string) => Interaction>> = {
  header: (name, secret) => sendHeader(`X-${name}`, secret),
  "header of a response": (name, secret) => answer({ [`X-${name}`]: secret }),
  query: (name, secret) => sendUrl(`/books?a=1&${name}=${encodeURIComponent(secret)}`),
  fragment: (name, secret) => sendUrl(`/books#${name}=${percented(secret)}`),
  JSON: (name, secret) => sendJson({ [name]: secret }),
  "JSON in a list": (name, secret) => sendJson({ of: [{ a: { [name]: [secret] } }] }),
  "JSON in JSON in JSON": (name, secret) =>
    sendJson({ raw: JSON.stringify(JSON.stringify({ [name]: secret })) }),
  form: (name, secret) => sendBody(FORM, `a=1&${name}=${secret.replaceAll(" ", "+")}`),
  "form as JSON": (name, secret) => sendBody(JSON_TYPE, `a=1&${name}=${percented(secret)}`),
  multipart: (name, secret) =>
    sendBody("multipart/form-data; boundary=b", part(`form-data; name="${name}"`, secret)),
  "multipart in multipart": (name, secret) =>
    sendBody(
      "multipart/form-data; boundary=b",
      `--b\r\nContent-Disposition: form-data; name="all"\r\n` +
        `Content-Type: multipart/mixed; boundary=c\r\n\r\n` +
        `${part(`form-data; name="${name}"`, secret, "c")}\r\n--b--\r\n`,
    ),
  XML: (name, secret) => sendBody("application/xml", `<a><${name}>${secret}</${name}></a>`),
  "XML as JSON": (name, secret) => sendBody(JSON_TYPE, `<a><${name}>${secret}</${name}></a>`),
  "XML in text": (name, secret) =>
    sendBody("text/plain", `It said <${name}>${secret}</${name}> to all.`),
  "escaped XML": (name, secret) =>
    sendBody("text/xml", `<a>said &lt;${name}&gt;${secret}&lt;/${name}&gt;</a>`),
  "attribute of XML": (name, secret) =>
    sendBody("text/xml", `<a ${name}="${referenced(secret)}"/>`),
  "Name and Value": (name, secret) => sendJson({ all: [{ Name: name, Value: secret }] }),
  "NAME and VALUE": (name, secret) => sendJson({ VALUE: { S: secret }, NAME: name }),
  "list of names and values": (name, secret) => sendJson({ Name: [name], Values: [secret] }),
  "ParameterKey and ParameterValue": (name, secret) =>
    sendJson([{ ParameterKey: name, ParameterValue: secret }]),
  GraphQL: (name, secret) => {
    const variable = name.replace("-", "_");
    return sendJson({ query: `mutation ($${variable}: String! = "${secret}") { a }` });
  },
  "text in quotes": (name, secret) => sendBody("text/plain", `Log: ${name}="${secret}" was sent`),
  "escaped JSON in text": (name, secret) =>
    sendBody("text/plain", `sent ${JSON.stringify(JSON.stringify({ [name]: secret }))}`),
  cookie: (name, secret) => sendHeader("Cookie", `theme=dark; ${name}="${secret}"`),
};

function part(disposition: string, content: string, boundary = "b"): string {
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n--${boundary}--\r\n`;
}

/** Each name in a third of the places, and each place with a third of the names. */
const NAMED = NAMES.flatMap((name, index) =>
  Object.entries(PLACES).filter((_, place) => (place + index) % 3 === 0).map(([place, make]) =>
    odd(`${name} in ${place}`, (secret) => make(name, secret), "odd1 N")
  )
);

const SECRET_HEADERS = ["Authorization", "X-Api-Key", "Proxy-Authorization", "X-Auth-Token"];
const IN_HEADERS = SECRET_HEADERS.flatMap((name) => [
  odd(`first word of ${name}`, (secret) => sendHeader(name, `${secret} v2`), "hunterN"),
  odd(`second word of ${name}`, (secret) => sendHeader(name, `hunter ${secret}`), "worldN"),
  odd(`${name} with a scheme in lower case`, (secret) => sendHeader(name, `bearer ${secret}`)),
  odd(`${name} in a list`, (secret) => sendHeader(name, ["a", secret])),
]);

const COOKIES = [
  odd("cookie without =", (secret) => sendHeader("Cookie", secret), "oddNcookie"),
  odd("cookie without = behind one", (secret) => sendHeader("Cookie", `a=b; ${secret}`), "oddNck"),
  odd("quoted cookie with ;", (secret) => sendHeader("Cookie", `a="b; ${secret}"`), "oddNcookie"),
  odd("cookie with = in it", (secret) => sendHeader("Cookie", `a=b=${secret}=`), "oddNcookie"),
  odd("Set-Cookie without =", (secret) => answer({ "Set-Cookie": `${secret}; Path=/` }), "oddNck"),
  odd("Set-Cookie without name", (secret) => answer({ "Set-Cookie": `=${secret}` }), "oddNck"),
  odd("quoted Set-Cookie", (secret) => answer({ "Set-Cookie": `a="${secret}"; Secure` })),
  odd("Set-Cookie, second part", (secret) => answer({ "Set-Cookie": `a=b; ${secret}` }), "oddNck"),
  odd("Set-Cookie in a list", (secret) => answer({ "Set-Cookie": ["a=b", secret] }), "oddNck"),
];

const PASSWORDS = ["odd/N", "odd#N", "odd?N", "odd N", "odd/N#x?y", "oddN=&", "odd%2FN", "oddN:x"];
const LOGINS = PASSWORDS.flatMap((shape) => [
  odd(`${shape} in a URL`, (secret) => sendUrl(`http://ann:${secret}@localhost:8901/books`), shape),
  odd(
    `${shape} in Location`,
    (secret) => answer({ Location: `//ann:${secret}@h.example/a` }),
    shape,
  ),
  odd(`${shape} in JSON`, (secret) => sendJson({ db: `postgres://ann:${secret}@h:1/a` }), shape),
  odd(
    `${shape} in text`,
    (secret) => sendBody("text/plain", `at redis://:${secret}@h.example, now`),
    shape,
  ),
  odd(
    `${shape} in a query`,
    (secret) => sendUrl(`/books?next=${encodeURIComponent(`https://ann:${secret}@h.example/a`)}`),
    shape,
  ),
]);
const BARE_LOGINS = ["oddNpw", "odd!Npw", "odd%20Npw"].flatMap((shape) => [
  odd(
    `${shape} in a URL without a scheme`,
    (at) => sendUrl(`ann:${at}@localhost:8901/books`),
    shape,
  ),
  odd(
    `${shape} without a scheme in JSON`,
    (at) => sendJson({ db: `ann:${at}@db.example/x` }),
    shape,
  ),
  odd(
    `${shape} without a scheme in text`,
    (secret) => sendBody("text/plain", `connect to ann:${secret}@db.example:5432 please`),
    shape,
  ),
]);

const TYPES = [JSON_TYPE, "application/xml", FORM, "text/plain", ""];
const CONTENTS: Readonly<Record<string, (secret: string) => string>> = {
  JSON: (secret) => JSON.stringify({ user: "ann", password: secret }),
  XML: (secret) => `<login><user>ann</user><password>${secret}</password></login>`,
  form: (secret) => `user=ann&password=${encodeURIComponent(secret)}`,
  multipart: (secret) => part('form-data; name="password"', secret),
};
const MISDECLARED = TYPES.flatMap((type) =>
  Object.entries(CONTENTS).flatMap(([kind, make]) => [
    odd(`${kind} as ${type}`, (secret) => sendBody(type, make(secret))),
    odd(`${kind} as ${type} in bytes`, (secret) =>
      answer({ "Content-Type": type }, bytes(make(secret)))),
  ])
);

const login = (secret: string): string => JSON.stringify({ password: secret, a: "b".repeat(99) });
const gzipped = (secret: string): Uint8Array => new Uint8Array(gzipSync(login(secret)));
const COMPRESSED = [
  odd("gzip without its header", (secret) => sendBody(JSON_TYPE, gzipped(secret))),
  odd("gzip that is cut", (secret) => {
    const body = gzipped(secret);
    return sendBody(JSON_TYPE, body.subarray(0, body.length - 6), { "Content-Encoding": "gzip" });
  }),
  odd(
    "gzip that is cut and without its header",
    (secret) => sendBody(JSON_TYPE, gzipped(secret).subarray(0, 50)),
  ),
  odd(
    "plain text declared as gzip",
    (secret) => sendBody(JSON_TYPE, bytes(login(secret)), { "Content-Encoding": "gzip" }),
  ),
  odd(
    "gzip declared as br",
    (secret) => sendBody(JSON_TYPE, gzipped(secret), { "Content-Encoding": "br" }),
  ),
  odd(
    "br declared as gzip",
    (secret) =>
      sendBody(JSON_TYPE, new Uint8Array(brotliCompressSync(login(secret))), {
        "Content-Encoding": "gzip",
      }),
  ),
  odd(
    "deflate declared as gzip",
    (secret) =>
      sendBody(JSON_TYPE, new Uint8Array(deflateSync(login(secret))), {
        "Content-Encoding": "gzip",
      }),
  ),
  odd(
    "gzip of an encoding that nobody knows",
    (secret) => sendBody(JSON_TYPE, gzipped(secret), { "Content-Encoding": "aws-chunked" }),
  ),
  odd(
    "form declared as gzip",
    (secret) =>
      sendBody(FORM, bytes(`password=${percented(secret)}`), { "Content-Encoding": "gzip" }),
  ),
];

/** Places in which a secret is repeated under a harmless name. */
const ECHOES: Readonly<Record<string, (secret: string) => Partial<Interaction>>> = {
  "the path": (secret) => ({
    request: { method: "GET", url: `http://localhost:8901/things/${encodeURIComponent(secret)}` },
  }),
  "the path, escaped as a whole": (secret) => ({
    request: { method: "GET", url: `/things/${percented(secret)}/parts` },
  }),
  "the query": (secret) => ({
    request: {
      method: "GET",
      url: `/books?q=${encodeURIComponent(secret).replaceAll("%20", "+")}`,
    },
  }),
  "the query, escaped twice": (secret) => ({
    request: { method: "GET", url: `/books?q=${encodeURIComponent(percented(secret))}` },
  }),
  "another header": (secret) => ({
    request: { method: "GET", url: "/books", headers: { "X-Note": `it is ${secret}, or so` } },
  }),
  "a JSON body": (secret) => ({ request: jsonRequest(JSON.stringify({ note: [`<${secret}>`] })) }),
  "a JSON body, escaped": (secret) => ({ request: jsonRequest(`{"note":"${unicoded(secret)}"}`) }),
  "Base64 in JSON": (secret) => ({ request: jsonRequest(`{"note":"${base64(`ab:${secret}!`)}"}`) }),
  "a body of XML": (secret) => ({
    request: {
      ...{ method: "POST", url: "/orders", headers: { "Content-Type": "text/xml" } },
      body: `<a>${referenced(secret)}</a>`,
    },
  }),
  "a form": (secret) => ({
    request: {
      ...{ method: "POST", url: "/orders", headers: { "Content-Type": FORM } },
      body: bytes(`note=${percented(secret)}`),
    },
  }),
  "the answer's header": (secret) => ({ response: { headers: { "X-Seen": `"${secret}"` } } }),
  "the answer's text": (secret) => ({ response: { body: `You sent ${secret}.` } }),
  "the answer's JSON": (secret) => ({
    response: {
      headers: { "Content-Type": JSON_TYPE },
      body: bytes(JSON.stringify({ url: `/a?b=${encodeURIComponent(secret)}` })),
    },
  }),
  "the name of the test": (secret) => ({ test: `logs in with ${secret}` }),
};

function jsonRequest(body: string): HttpRequest {
  return { method: "POST", url: "/orders", headers: { "Content-Type": JSON_TYPE }, body };
}

/** Places of a secret under its name, in addition to those where it is repeated. */
const SOURCES: Readonly<Record<string, (secret: string) => Record<string, string | string[]>>> = {
  "X-Api-Key": (secret) => ({ "X-Api-Key": secret }),
  Bearer: (secret) => ({ Authorization: `Bearer ${secret}` }),
  Basic: (secret) => ({ Authorization: `Basic ${base64(`ann:${secret}`)}` }),
  Digest: (secret) => ({ Authorization: `Digest username="a", opaque="${secret}", uri="/books"` }),
  cookie: (secret) => ({ Cookie: `theme=dark; id=${secret}` }),
  Referer: (secret) => ({ Referer: `http://ann:${percented(secret)}@h/` }),
};

const REPEATED = Object.entries(ECHOES).flatMap(([place, echo]) =>
  Object.entries(SOURCES).map(([source, make]) =>
    odd(`${source} again in ${place}`, (secret) => {
      const { request, response, test } = echo(secret);
      const { headers, ...rest } = request ?? { method: "GET", url: "http://localhost:8901/books" };
      return {
        request: { ...rest, headers: { ...headers as Record<string, string>, ...make(secret) } },
        response: { status_code: 200, ...response },
        ...(test !== undefined && { test }),
      };
    }, source === "Digest" ? "oddN/vault" : source === "cookie" ? "odd.N~Vault" : "odd1 N vault")
  )
);

const MADE = [
  odd("an answer's token in the request's URL", (secret) => ({
    request: { method: "POST", url: `/things/${secret}` },
    response: {
      status_code: 200,
      headers: { "Content-Type": JSON_TYPE },
      body: `{"token":"${secret}"}`,
    },
  }), "oddN-vault"),
  odd("a URL that is none", (secret) => sendUrl(`ht tp://ann:${secret}@host/x`), "oddN-vault"),
  odd("a PIN of a form in JSON of the answer", (secret) => ({
    request: {
      method: "POST",
      url: "/orders",
      headers: { "Content-Type": FORM },
      body: `pin=${secret}`,
    },
    response: {
      status_code: 200,
      headers: { "Content-Type": JSON_TYPE },
      body: `{"a":"${secret}"}`,
    },
  }), "8N7"),
  odd("a key of a service behind _", (secret) => sendJson({ note: `key_${secret}` }), key("ghp_")),
  odd("a key of a service behind -", (secret) => sendJson({ note: `my-${secret}` }), key("glpat-")),
  odd("a key in a path behind _", (secret) => sendUrl(`/things/key_${secret}`), key("sk_live_")),
  odd("a default of GraphQL for an argument", (secret) =>
    sendJson({
      query: `mutation ($p: String = "${secret}", $id: ID = "a") { login(password: $p, id: $id) }`,
    })),
  odd(
    "a default of GraphQL by GET",
    (secret) =>
      sendUrl(`/books?query=${encodeURIComponent(`query ($token: ID! = "${secret}") { a }`)}`),
  ),
  odd(
    "a default of GraphQL in a block",
    (secret) =>
      sendBody("application/graphql", `mutation ($pin: [String!]! = """${secret}""") { a }`),
  ),
  odd(
    "escaped JSON in a query, twice",
    (secret) =>
      sendUrl(
        `/books?q=${encodeURIComponent(encodeURIComponent(JSON.stringify({ token: secret })))}`,
      ),
  ),
  odd("escaped JSON in JSON Lines", (secret) =>
    sendBody(
      "application/x-ndjson",
      `{"a":1}\n${
        JSON.stringify({ log: JSON.stringify({ log: JSON.stringify({ token: secret }) }) })
      }`,
    )),
  odd(
    "JSON in a part of a form",
    (secret) =>
      sendBody(
        "multipart/form-data; boundary=b",
        part('form-data; name="a"', `{"pwd":"${secret}"}`),
      ),
  ),
  odd("a form in a part of a form", (secret) =>
    sendBody(
      "multipart/mixed; boundary=b",
      `--b\r\nContent-Type: ${FORM}\r\n\r\npassword=${secret.replaceAll(" ", "+")}\r\n--b--`,
    )),
];

function key(start: string): string {
  return `${start}odd4Pn0tAK3yN${"x7Yz".repeat(6)}`;
}

/** More than three hundred cases. */
export const ODD_SECRETS: readonly OddSecret[] = [
  ...NAMED,
  ...IN_HEADERS,
  ...COOKIES,
  ...LOGINS,
  ...BARE_LOGINS,
  ...MISDECLARED,
  ...COMPRESSED,
  ...REPEATED,
  ...MADE,
];
