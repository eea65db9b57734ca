import type { HttpRequest, HttpResponse } from "../../src/http/interaction.ts";
import { shopApi } from "../shop_api.ts";

/** A request with a secret in one of the possible places. */
export interface PlantedSecret {
  readonly place: string;
  /** The text that must not be left in any encoding that the request uses. */
  readonly secret: string;
  readonly request: HttpRequest;
}

/** The description of the API, which marks two names as secret. */
export const DESCRIPTION = shopApi({ "/books": { get: {}, post: {} }, "/orders": { post: {} } }, {
  components: {
    securitySchemes: {
      shop: { type: "apiKey", in: "header", name: "X-Shop-Pass-Through" },
      ticket: { type: "apiKey", in: "query", name: "door" },
      basic: { type: "http", scheme: "basic" },
    },
  },
});

const ANY = [
  ...["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
  ...["application/xml", "text/plain", "*/*"],
];
/** A parameter that no request has: a gap in each operation, so that suggestions reuse recorded requests. */
const unsent = { name: "unsent", in: "query", ...{ schema: { type: "integer" } } };
const object = { type: "object", properties: {}, additionalProperties: true };
const text = { schema: { type: "string" } };

/** The same API with parameters, bodies and paths that accept anything, so that covtool keeps what it can reuse. */
export const OPEN_DESCRIPTION = {
  ...DESCRIPTION,
  servers: [{ url: "http://localhost:8901" }],
  paths: {
    "/books": {
      get: {
        operationId: "list",
        parameters: [
          unsent,
          ...["code", "pw", "q", "filter", "next", "door", "card", "limit"].map((name) => ({
            ...{ name, in: "query" },
            ...text,
          })),
          ...["X-Auth", "X-Note", "X-PIN", "Referer"].map((name) => ({
            ...{ name, in: "header" },
            ...text,
          })),
          { name: "id", in: "cookie", ...text },
        ],
        responses: { 200: { description: "", content: { "application/json": { schema: {} } } } },
      },
    },
    "/orders": {
      post: {
        parameters: [unsent],
        requestBody: { content: Object.fromEntries(ANY.map((type) => [type, { schema: object }])) },
        responses: { 201: { description: "" } },
      },
    },
    ...Object.fromEntries(
      [
        ...["/verify/{id}", "/things/{id}/parts", "/password-reset", "/password-reset/{id}"],
        ...["/sessions/{token}", "/plans", "/plans/{token}"],
        ...["/users/{user}/invitations/{invitation}", "/share/{id}", "/hooks/{id}", "/magic/{id}"],
        "/{app}",
      ].map((path) => [path, {
        get: {
          parameters: [
            unsent,
            ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
              ...{ name, in: "path", required: true },
              ...text,
            })),
          ],
          responses: { 200: { description: "" }, 404: { description: "" } },
        },
      }]),
    ),
  },
};

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlF";
const PEM = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEowIBAAKCAQEAplantedplantedPLANTED0123456789",
  "-----END RSA PRIVATE KEY-----",
].join("\n");
// In pieces, because scanners would find the keys in source code.
const key = (...pieces: readonly string[]): string => pieces.join("");
const AWS = key("AKIA", "IOSFODNN7PLANTED");
const GITHUB = key("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
const STRIPE = key("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc");

/** The planted part of a text. A secret is only given explicitly if it begins or ends differently. */
const plantedIn = (text: string): string => /planted-[\w-]*\d/.exec(text)?.[0] ?? text;

const get = (url: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: "GET",
  url: `http://localhost:8901${url}`,
  headers,
});
const header = (name: string, value: string, secret = plantedIn(value)): PlantedSecret => ({
  place: `header ${name}`,
  secret,
  request: get("/books", { [name]: value }),
});
const path = (url: string, secret = plantedIn(url)): PlantedSecret => ({
  place: `path ${url.slice(0, 20)}`,
  secret,
  request: get(url),
});
const query = (text: string, secret = plantedIn(text)): PlantedSecret => ({
  place: `query ${text.slice(0, 30)}`,
  secret,
  request: get(`/books${text}`),
});
const body = (type: string, text: string, secret = plantedIn(text)): PlantedSecret => ({
  place: `body ${type} ${text.slice(0, 40)}`,
  secret,
  request: {
    method: "POST",
    url: "http://localhost:8901/orders",
    headers: type === "" ? {} : { "Content-Type": type },
    body: text,
  },
});
const json = (value: unknown, secret?: string): PlantedSecret =>
  body("application/json", JSON.stringify(value), secret);
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
const part = (head: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n--b--\r\n`;

/** Secrets in every place of a request. */
export const PLANTED: readonly PlantedSecret[] = [
  header("Authorization", "Bearer planted-auth-0101"),
  header("Cookie", "theme=dark; id=planted-cookie-02"),
  ...[
    "Basic cGxhbnRlZC1iYXNpYzppcy1zZWNyZXQ=",
    "Token planted-auth-t1",
    "ApiKey planted-auth-t2",
    "Negotiate planted-auth-t3",
    "DPoP planted-auth-t4",
    "planted-auth-t5",
    'Digest username="a", realm="r", nonce="n", uri="/", response="planted-auth-t6"',
    "AWS4-HMAC-SHA256 Credential=A/b/c, SignedHeaders=host, Signature=planted-auth-t7",
    'OAuth oauth_token="planted-auth-t8", oauth_signature="x"',
    'Hawk id="a", mac="planted-auth-t9"',
    'Signature keyId="a",signature="planted-auth-t10"',
  ].map((value) =>
    header("Authorization", value, /planted-auth-t\d+|cGxhbnRlZC1\w+/.exec(value)?.[0])
  ),
  header("Proxy-Authorization", "Basic cGxhbnRlZC1wcm94eTppcw==", "cGxhbnRlZC1wcm94eTppcw"),
  header("DPoP", JWT, JWT.slice(30, 60)),
  header("X-Vault-Token", "planted-vault-11"),
  header("X-Hub-Signature-256", "sha256=planted-hub-12"),
  header("X-Bundle", '[["password","planted-list-13"]]'),
  header("X-Auth", "planted-x-auth-03"),
  header("Session", "planted-session-04"),
  header("X-Csrf", "planted-csrf-05"),
  header("X-XSRF-TOKEN", "planted-xsrf-06"),
  header("X-Forwarded-Authorization", "Basic planted-fwd-07"),
  header("Ocp-Apim-Subscription-Key", "planted-apim-08"),
  header("Referer", "http://localhost/cb?code=planted-referer-09"),
  header("Referer", "http://localhost/reset/planted-reset-10"),
  header("Location", "/cb#access_token=planted-location-11"),
  header("X-Note", `from ${JWT}`, JWT.slice(30, 60)),
  header("X-Shop-Pass-Through", "planted-scheme-13"),
  header("X-Amz-Security-Token", "planted-amz-14"),
  header("X-Original-URL", "/login?pw=planted-original-15"),
  header("Link", "<http://h/?access_token=planted-link-66>; rel=next"),
  header("Link", '</books?page=2>; rel=next, </cb?code=planted-link-67>; rel="last"'),
  header("Link", "<//ann:planted-link-68@a.example/>"),
  header("Refresh", "0; url=/cb?access_token=planted-refresh-69"),
  header("Location", "?code=planted-location-70"),
  header("X-User-Pass", "planted-pass-71"),
  header("X-Pass", "planted-pass-106"),
  header("X-PIN", "9071"),
  header("X-MFA-Code", "planted-mfa-72"),
  header("X-MFA", "planted-mfa-73"),
  query("?code=planted-code-16"),
  query("?refresh=planted-refresh-17"),
  query("?hmac=planted-hmac-18"),
  query("?session=planted-session-19"),
  query("?pw=planted-pw-20"),
  query("?filter[api_key]=planted-deep-21"),
  query(`?next=${encodeURIComponent("https://a.example/cb?token=planted-nested-22")}`),
  query("?next=https://ann:planted-user-23@a.example/"),
  query("#access_token=planted-fragment-24"),
  query("#/route?token=planted-fragment-25"),
  query("?door=planted-scheme-26"),
  query("?X-Amz-Date=2&X-Amz-Signature=planted-signed-1"),
  query("?X-Amz-Credential=planted-signed-2%2F20261122%2Fs3"),
  query("?X-Amz-Security-Token=planted-signed-3"),
  query("?X-Goog-Signature=planted-signed-4"),
  query("?sv=2026&se=2027&sig=planted-signed-5%3D"),
  query("?Expires=1&Signature=planted-signed-6~x&Key-Pair-Id=K2"),
  query(`?list=${encodeURIComponent('[["password","planted-list-27"]]')}`),
  query(`?q=${AWS}`, AWS),
  query(`?filter=${encodeURIComponent('{"password":"planted-json-28"}')}`),
  query("?card=4012888888881881", "4012888888881881"),
  path(`/verify/${JWT}`, JWT.slice(30, 60)),
  path(`/things/${JWT}/parts`, JWT.slice(30, 60)),
  path("/password-reset/planted-reset-32"),
  path("/users/1/invitations/8f14e45fceea167a", "8f14e45fceea167a"),
  path("/share/kJ8s7Df9sLq2Wm4Xz1Rt6Yb3Qp", "kJ8s7Df9sLq2Wm4Xz1Rt6Yb3Qp"),
  path(`/hooks/${GITHUB}`, GITHUB),
  path("/app;jsessionid=planted-matrix-36"),
  path("/magic/550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4"),
  path("//ann:planted-authority-74@h/a"),
  path("/fetch/https://ann:planted-authority-75@h/a"),
  path("/fetch/https:/ann:planted-authority-76@h/a"),
  path("/fetch/https%3A%2F%2Fann%3Aplanted-authority-77%40h%2Fa"),
  path("//planted-authority-78%40h/a"),
  {
    place: "path without a host",
    secret: "planted-authority-79",
    request: { method: "GET", url: "//planted-authority-79%40h/a" },
  },
  {
    place: "userinfo",
    secret: "planted-userinfo-38",
    request: { method: "GET", url: "http://ann:planted-userinfo-38@localhost:8901/books" },
  },
  json({ user: "ann", password: "planted-json-39" }),
  json({ fields: [{ name: "password", value: "planted-pair-40" }] }),
  json({ fields: [{ value: ["planted-pair-41"], key: "api_key" }] }),
  json([{ op: "replace", path: "/password", value: "planted-patch-79" }]),
  json([{ value: "planted-patch-80", path: "/users/0/token", op: "add" }]),
  json([{ op: "add", path: "/credentials/-", value: { a: "planted-81" } }]),
  json([{ op: "replace", path: ["user", "password"], value: "planted-patch-82" }], "patch-82"),
  json({ Operations: [{ op: "Replace", path: "password", value: "planted-scim-83" }] }, "scim-83"),
  json({ list: [["password", "planted-list-84"]] }),
  json([["Authorization", ["planted-list-85"]], ["Accept", "*/*"]]),
  json({ method: "call", params: ["login", "password", "planted-rpc-86"] }),
  json({ args: ["run", "--api-key", "planted-args-87"] }),
  json({ rawHeaders: ["Accept", "*/*", "Cookie", "id=planted-raw-88"] }),
  json({ mnemonic: "planted legal winner thank" }, "planted legal"),
  json({ walletMnemonic: "planted legal winner thank" }, "planted legal"),
  json({ mnemonic_phrase: "planted legal winner thank" }, "planted legal"),
  json({ seed_phrase: "planted legal winner thank" }, "planted legal"),
  json({ newPass: "planted-pass-107", repeat: 1 }),
  json({ cardPin: 9071 }, "9071"),
  json({ securityAnswer: "planted-answer-108" }),
  json({ db_pass: "planted-dbpass-91" }),
  json({ note: PEM }, "plantedplantedPLANTED"),
  json({ pay: { number: "4012 8888 8888 1881" } }, "4012 8888 8888 1881"),
  json({ pay: { number: 4012888888881881 } }, "4012888888881881"),
  json({ note: `charge with ${STRIPE} please` }, STRIPE),
  json(
    { query: "mutation ($p: String!) { login(p: $p) }", variables: { secret: "planted-gql-46" } },
  ),
  json({ query: 'mutation { login(user: "ann", password: "planted-gql-47") { id } }' }),
  json(
    {
      query: "mutation ($t: ID!) {\n login(token: $t) { id } }",
      variables: { t: "planted-gql-92" },
    },
  ),
  json(
    [{ variables: { a: "planted-gql-93" }, query: "mutation ($a: ID!) {login(in: {\npw:$a})}" }],
  ),
  query(
    `?${new URLSearchParams({
      query: "query ($t: ID!) { me(token: $t) { id } }",
      variables: '{"t":"planted-gql-94"}',
    })}`,
  ),
  body("application/graphql", '{ login(user: "a" password: "planted-gql-48") }'),
  json({ raw: JSON.stringify({ token: "planted-raw-49" }) }),
  json({ raw: JSON.stringify([["password", "planted-raw-50"]]) }),
  json(JSON.stringify([["Authorization", ["planted-raw-51"]]])),
  json({ callback: "https://a.example/cb?api_key=planted-cb-50" }),
  body("application/x-ndjson", '{"a":1}\n{"token":"planted-nd-51"}\n'),
  body("application/json", '{"password":"planted-cut-52'),
  body(FORM, "user=ann&passwd=planted-form-53"),
  body("", "user=ann&passwd=planted-form-54"),
  body(MULTIPART, part('name="api_key"', "planted-part-55")),
  body("multipart/form-data", part('name="api_key"', "planted-part-120")),
  body(MULTIPART, part('name="meta"', '{"secret":"planted-part-56"}')),
  body(MULTIPART, part('name="key.pem"; filename="key.pem"', PEM), "plantedplantedPLANTED"),
  body("application/xml", "<a><Password>planted-xml-58</Password></a>"),
  body("text/xml", '<a><login pw="planted-xml-59"/></a>'),
  body(
    "application/soap+xml",
    "<m><name>password</name><value><string>planted-xml-60</string></value></m>",
  ),
  body("", '<p name="token"><![CDATA[planted-xml-61]]></p>'),
  body("text/plain", "user: ann\npassword: planted-text-62\n"),
  body("text/plain", "curl -H 'Authorization: Bearer planted-text-63'"),
  body("text/plain", PEM, "plantedplantedPLANTED"),
  body("text/plain", "Your password is planted-said-125."),
  json({ note: "The API key was reset to 'planted-said-126'" }),
  body("text/plain", "machine h\n  login ann\n  password planted-netrc-127\n"),
  json({ file: "default login ann password planted-netrc-128" }),
  json({ file: "machine h password planted-netrc-129 login ann" }),
  header("Sec-WebSocket-Protocol", "chat, access_token, planted-ws-130"),
  header(
    "Sec-WebSocket-Protocol",
    "v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.plantedWs131",
    "plantedWs131",
  ),
  header(
    "Sec-WebSocket-Protocol",
    "mqtt, pL4nt3dT0k3nW1th0utN4m3xY2",
    "pL4nt3dT0k3nW1th0utN4m3xY2",
  ),
  body("application/yaml", "db:\n  client_secret: 'planted-yaml-65'\n"),
  body("application/yaml", "a: 1\nsecret: |\n  one\n\n  planted-yaml-95\nb: 2\n"),
  body("application/yaml", "a:\n  - token: >-\n      planted-yaml-96"),
  body("application/yaml", "token:\n  planted-yaml-97\n"),
  body("application/yaml", "token:\n  'planted-yaml-99'\n"),
  body(
    "application/yaml",
    "env:\n  - name: DB_PASSWORD\n    value: planted-yaml-121 or so\n  - name: A\n    value: b\n",
    "planted-yaml-121 or so",
  ),
  json(
    { hook: `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${"planted".repeat(4)}` },
    "plantedplanted",
  ),
  body("application/yaml", "tokens:\r\n- one\r\n- planted-yaml-98\r\n"),
  body("application/yaml", "mnemonic: legal planted winner\n", "planted winner"),
  body("text/csv", "username,password\r\nbob,planted-csv-100\r\n"),
  body("text/csv", '"api key";name\n"x""\n;planted-csv-101";bob'),
  body("text/tab-separated-values", "name\ttoken\nbob\tplanted-tsv-102\n"),
  body("text/plain", "curl -u bob:planted-curl-103 http://h/"),
  body("text/plain", "curl -sSu 'bob:a planted-curl-104' http://h/"),
  json({ run: "curl --proxy-user=bob:planted-curl-105 http://h/" }),
];

const answer = (
  headers: Record<string, string | string[]>,
  body?: string,
): { readonly place: string; readonly secret: string; readonly response: HttpResponse } => ({
  place: `response ${JSON.stringify(headers)}`,
  secret: plantedIn(`${JSON.stringify(headers)} ${body}`),
  response: { status_code: 200, headers, body },
});

/** Secrets in places that only responses have. */
export const PLANTED_IN_RESPONSES = [
  answer({ "Set-Cookie": "id=planted-cookie-109; Path=/; HttpOnly" }),
  answer({ "set-cookie": ["a=b", "sid=planted-cookie-110; Secure"] }),
  answer({ "Set-Cookie": "a=b; Path=/, sid=planted-cookie-111; Path=/" }),
  answer({ "Set-Cookie": "a=b; note=planted-cookie-112" }),
  answer({ Location: "https://ann:planted-location-113@h/" }),
  answer({ Location: "cb?door=planted-location-114" }),
  answer({ Location: "https://a.example/cb?door=planted-location-115" }),
  answer({ "Content-Location": "reset/planted-reset-116" }),
  answer({ "X-Shop-Pass-Through": "planted-scheme-117" }),
  answer({ "X-Access-Token": "planted-token-118" }),
  answer({}, '{"user":"ann","access_token":"planted-json-119"}'),
  answer(
    { "Content-Type": "text/event-stream" },
    'event: login\ndata: {"user":"ann","token":"planted-event-120"}\n\n',
  ),
  answer(
    { "Content-Type": "text/html" },
    '<input type="hidden" name="csrf_token" value="planted-html-121">',
  ),
];
