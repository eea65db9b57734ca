import fc from "fast-check";
import assert from "node:assert/strict";
import type { HttpRequest, HttpResponse } from "../../src/http/interaction.ts";
import { redactInteraction } from "../../src/redact/redact_request.ts";
import { hidePath } from "../../src/redact/redact_path.ts";
import type { Rules } from "../../src/redact/mask_text.ts";
import { redactJson } from "../../src/redact/redact_json.ts";
import { Redactor } from "../../src/redact/redactor.ts";
import { PLANTED, PLANTED_IN_RESPONSES } from "./planted_secrets.ts";

const redactor = new Redactor({ headers: ["x-shop-pass-through"], query: ["door"] });

/** The header fields and the body of a response as text. */
function shown(response: HttpResponse | undefined): string {
  const { headers, body } = response ?? {};
  return `${Object.entries(headers ?? {}).flat(2).join("\n")}\n${String(body)}`;
}

function redact(request: HttpRequest): HttpRequest {
  return redactInteraction({ request }, redactor).request;
}

Deno.test("no planted secret is left in its request, and masking twice equals masking once", () => {
  assert.ok(PLANTED.length >= 51);
  for (const { place, secret, request } of PLANTED) {
    assert.ok(plainly(request).includes(secret), place);
  }
  const left = PLANTED.filter(({ place, secret, request }) => {
    const redacted = redact(request);
    assert.deepEqual(redact(redacted), redacted, place);
    return plainly(redacted).includes(secret);
  });
  assert.deepEqual(left.map(({ place }) => place), []);
});

Deno.test("no planted secret is left in response headers or bodies", () => {
  const inResponses = [
    ...PLANTED.map(({ place, secret, request: { headers, body } }) => ({
      place,
      secret,
      response: { status_code: 200, headers, body },
    })).filter(({ secret, response }) => shown(response).includes(secret)),
    ...PLANTED_IN_RESPONSES,
  ];
  assert.ok(inResponses.length > 80);
  const left = inResponses.filter(({ place, secret, response }) => {
    const request = { method: "GET", url: "http://localhost/books" };
    const redacted = redactInteraction({ request, response }, redactor);
    assert.ok(shown(response).includes(secret), place);
    assert.deepEqual(redactInteraction(redacted, redactor), redacted, place);
    return shown(redacted.response).includes(secret);
  });
  assert.deepEqual(left.map(({ place }) => place), []);
});

Deno.test("API keys of services are recognized by their prefix", () => {
  const rest = "0123456789abcdef".repeat(2);
  const starts = [
    ..."gho_ ghp_ ghr_ ghs_ ghu_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- glimt-".split(
      " ",
    ),
    ..."glagent- glsoat- gloas- glffct- xoxb- xapp-1- sk_live_ rk_test_ sk_prod_ whsec_".split(" "),
    ..."AIza ya29. GOCSPX- 1//0 npm_ pypi- sk- hf_ SK key- bot12345678:AA 12345678:AA".split(" "),
    ..."doo_v1_ dop_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ sq0atp- sq0csp- sq0idp-".split(" "),
    ..."dapi hvs. hvb. hvr. lin_api_ ntn_ figd_ glsa_ dckr_pat_ ATATT3 PMAK- dp.pt. dp.st. dp.sa."
      .split(" "),
    ...["SG.0123456789abcdef.", "hooks.slack.com/services/T01234567/B01234567/"],
    "/api/webhooks/123456789012345/01234567",
  ];
  const shouted = ["AKIA0", "ASIA0", "ABIA0", "ACCA0", "NRAK-00000", "AGE-SECRET-KEY-100000"]
    .map((start) => [start, "ABCDEFGH0123456"] as const);
  for (const [start, end] of [...starts.map((start) => [start, rest] as const), ...shouted]) {
    assert.ok(!redactor.value(`see ${start}${end} now`).includes(end), start);
  }
});

Deno.test("a scheme without a token is kept", () => {
  for (const scheme of ["Bearer", "basic ", "DIGEST"]) {
    assert.equal(redactor.header("Authorization", scheme), scheme);
  }
});

Deno.test("attributes of cookies and links to other pages are kept", () => {
  assert.equal(
    redactor.header("Set-Cookie", "id=Ab1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/a; Secure"),
    "id=Aa1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/a; Secure",
  );
  assert.equal(
    redactor.header("Set-Cookie", "id=Ab1; Path=/a, sid=Cd2; SameSite=Lax"),
    "id=Aa1; Path=/a, sid=Aa1; SameSite=Lax",
  );
  assert.equal(redactor.header("Location", "books/7?page=2"), "books/7?page=2");
});

Deno.test("a user in a URL inside a path is hidden in reports, and the host is shown", () => {
  assert.equal(hidePath("//ann:pw1@h/a"), "//***@h/a");
  assert.equal(hidePath("/fetch/https:/a=b:pw1@h"), "/fetch/https:/a=a:aa1@h");
  assert.equal(hidePath("/fetch/https%3A%2F%2Fann%3Apw1%40h%2Fa"), "/fetch/***");
  assert.equal(hidePath("/users/acct:ann@h"), "/users/acct:ann@h");
});

Deno.test("a lone surrogate beside a secret is not an error", () => {
  const form = redactor.form('q={"password":"Ab1","note":"\ud800"}');
  assert.doesNotMatch(form, /Ab1/);
});

Deno.test("masking anything twice equals masking it once", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...["password", "token", "name", "value", "code", "key", "=", ":", "&", "?", "#", "/", "//"],
      ...["|\n", "\n  ", "$t", "curl -u ", '"variables":{', '["password",', "password is "],
      ...["machine ", " login ", " password ", '"op":"add",', '"path":', "://", "@", "{", "}", "["],
      ...["]", '"', "'", "\\", ",", " ", "\n", "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>"],
      ...['="', "<a ", "<password>", "%41", "%", "+", "Bearer ", "eyJhbGciOiJI.eyJzdWIiOi.abc"],
      ...["4012888888881881", "-----BEGIN PRIVATE KEY-----", "-----END", "reset/", "Ab1", "ß", "Ⅷ"],
    ),
    fc.string({ maxLength: 8 }),
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (text) => {
      for (
        const make of ["url", "form", "json", "xml", "csv", "text", "value", "sentence"] as const
      ) {
        const once = redactor[make](text);
        assert.equal(redactor[make](once), once, `${make} of ${JSON.stringify(text)}`);
      }
      const cut = Math.floor(text.length / 2);
      const interaction = redactInteraction({
        request: {
          ...{ method: "POST", url: `/a/${text}`, body: text.slice(cut) },
          headers: { "X-Api-Key": text.slice(0, cut), "X-Note": text, Cookie: text },
        },
        response: { status_code: 200, body: `{"token":${JSON.stringify(text)},"a":"${text}"}` },
      });
      assert.deepEqual(redactInteraction(interaction), interaction, JSON.stringify(text));
      const once = redactor.header("Sec-WebSocket-Protocol", text);
      assert.equal(redactor.header("Sec-WebSocket-Protocol", once), once, JSON.stringify(text));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("a < that begins no tag is text, and masking after it is idempotent", () => {
  assert.equal(redactor.value("<3 to all readers"), "<3 to all readers");
  assert.equal(redactor.xml("<!-- for Ada --><p/>"), "<!-- for Ada --><p/>");
  assert.equal(redactor.xml("<!-- password=Ab1 --><p/>"), "<!-- password=Aa1 --><p/>");
  assert.equal(
    redactor.xml("<!-- <password>Ab1</password> --><p/>"),
    "<!-- <password>Aa1</password> --><p/>",
  );
  assert.equal(redactor.xml("<i <password>Ab1</password>"), "<i <password>Aa1</password>");
  assert.equal(redactor.xml('<i password="Ab<1>'), '<i password="Aa<1>');
  assert.equal(redactor.xml("</ß   </B"), "</ß   </B");
  for (const name of ["ß", "пароль", "名前"]) {
    const once = redactor.xml(`<a name="password"><${name}></a>Ab1</${name}>`);
    assert.equal(redactor.xml(once), once, name);
  }
});

Deno.test("an invalid WebSocket protocol is masked, and masking is idempotent", () => {
  const once = redactor.header("Sec-WebSocket-Protocol", "password://password4012888888881881");
  assert.equal(once, "password://aaaaaaaa1111111111111111");
  assert.equal(redactor.header("Sec-WebSocket-Protocol", once), once);
});

Deno.test("a percent sign that begins no escape doesn't become one", () => {
  assert.equal(redactor.url("//%41%AG@h"), "//%41%25AA@h");
  assert.equal(redactor.url("//%41%25AA@h"), "//%41%25AA@h");
  assert.equal(redactor.form("password=50%&a=1"), "password=11%25&a=1");
});

Deno.test("values that identify, count or describe are kept", () => {
  const paths = [
    "/books/550e8400-e29b-41d4-a716-446655440000",
    "/books/urn:uuid:550e8400-e29b-41d4-a716-446655440000",
    "/orders/order-550e8400-e29b-41d4-a716-446655440000",
    "/books/17/pages/1234567890123",
    "/tweets/1734567890123456789",
    "/isbn/9783161484100",
    "/isbn/978-3-16-148410-0",
    "/days/2026-01-31",
    "/at/2026-01-31T12:00:00.123Z",
    "/commits/2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
    "/blobs/sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "/docs/507f1f77bcf86cd799439011",
    "/ids/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "/shop/the-quick-brown-fox-jumps-over-42-lazy-dogs-2026-edition",
    "/shop/The-Quick-Brown-Fox-2026-Limited-Edition",
    "/getUserPreferencesForAccountV2Settings",
    "/v1/reset/step2",
    "/auth/oauth2/authorize",
    "/tokens/17",
    "/invitations/12345",
    "/confirm/email",
    "/password/forgot",
    "/places/@52.520008,13.404954,12z",
    "/files/report.2026-01-31.final.pdf",
    "/users/acct:ann@shop.example",
    "/mail/ann@shop.example",
    "/images/node:18@sha256:17",
    "//double//slashes/ann",
  ];
  for (const path of paths) {
    assert.equal(redactor.url(`http://localhost:8901${path}`), `http://localhost:8901${path}`);
  }
  const queries = [
    "page_token=abc&next_token=abcdefgh12345678",
    "q=the+quick+brown+fox&sort=-created",
    "code=EUR&refresh=true&refresh=wait_for&session=17",
    "from=2026-01-31T12:00:00Z&to=2026-02-01",
    "id=550e8400-e29b-41d4-a716-446655440000",
    "isbn=9783161484100&ean=4006381333931",
    "since=1734567890123456&cursor=eyJpZCI6MTd9",
    "url=https://shop.example/books?page=2",
    "fields=name,author(name),price&max_tokens=100",
    "password_required=true&token_type=bearer",
  ];
  for (const query of queries) assert.equal(redactor.url(`/books?${query}`), `/books?${query}`);
  const bodies: unknown[] = [
    { id: "550e8400-e29b-41d4-a716-446655440000", author: "Authur", keyboard: "qwerty" },
    { code: "OUT_OF_STOCK", currency: { code: "EUR" }, session: "morning", key: "color" },
    { key: "color", value: "red" },
    { fields: [{ name: "title", value: "The Password" }] },
    { session: { title: "Keynote", starts: "2026-01-31T12:00:00Z" } },
    { max_tokens: 256, usage: { total_tokens: 17 }, tokenizer: "standard" },
    {
      passwordChangedAt: "2026-01-31",
      expires_in: 3600,
      secret_name: "db",
      token_url: "https://a/b",
    },
    { text: "The quick brown fox: it jumps, as tokens of affection do." },
    { text: "Basic understanding; a bearer authentication scheme" },
    { phone: "+49 30 901820", iban: "DE89370400440532013000", imei: 356938035643809 },
    { timestamp: 1734567890123456, big: 12345678901234567890n.toString() },
    { html: "<p class='x'>Hello, <b>world</b></p>" },
    { svg: "M10 10 20 20 30 30 40 40 50 50 60 60 70 70z" },
    { image: "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkI" },
    { query: "query ($id: ID!) { book(id: $id) { title } }", variables: { id: 17 } },
    { query: "mutation ($password: String!) { login(password: $password) { id } }" },
    { color: "a".repeat(40) },
    [{ op: "replace", path: "/title", value: "The Password" }],
    [{ op: "replace", path: "/token_type", value: "opaque" }],
    { path: "src/token.ts", content: "export const a = 1", value: "blob" },
    { required: ["username", "password", "email"], fields: ["token", "name"] },
    [["username", "password", "email"], ["key", "color"]],
    { headers: ["Authorization", "Content-Type"], required: ["pin", "name"] },
    { actionMnemonic: "CppCompile", code_mnemonic: "ABCD" },
    { pushpin: "red", x: 17, dropPin: "here", mapPin: "A1" },
    { params: ["list", "books", "password"], args: ["--limit", "17"] },
    { boarding_pass: "17A", bypass: "none", compass: "north", phrase: "hello", mfa: "enabled" },
    {
      query: "query ($t: ID!, $id: ID!) { me(token: $t) { book(id: $id) } }",
      variables: { id: "book-17" },
      t: "a text",
    },
  ];
  for (const body of bodies) {
    const text = JSON.stringify(body);
    assert.equal(redactor.json(text), text);
  }
  const headers: Record<string, string> = {
    Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0",
    "X-Request-Id": "550e8400-e29b-41d4-a716-446655440000",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "Idempotency-Key": "order-17-retry-2",
    "If-None-Match": 'W/"33a64df551425fcc55e4d42a148795d9f25f89d4"',
    Referer: "http://localhost:8901/books?page=2",
    Link: '<http://localhost:8901/books?page=2>; rel="next", </books?page=9>; rel="last"',
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Content-Type": "application/json; charset=utf-8",
    "Sec-WebSocket-Protocol":
      "graphql-transport-ws, v12.stomp, wamp.2.msgpack.batched, v5.channel.k8s.io, auth.v2.json, ocpp2.0.1",
  };
  for (const [name, value] of Object.entries(headers)) {
    assert.equal(redactor.header(name, value), value, name);
  }
  const texts = [
    "docker run -u 1000:1000 node",
    "git push -u origin main:main",
    "curl -u 1000 http://h/a:b",
    "The password:\n\nIt is up to you, and the token:\n  is on the next page.",
    "description: |\n  a text\n  and another\ntitle: Tokens\n",
    "token_type: |\n  bearer\n",
    "Your password is required, and the token was revoked.",
    "A password is 8-64 characters; the secret is 32-byte, the token is base64-encoded.",
    "The private key is rsa-4096, the password was changed to comply with rule 1,000.",
    "The token is https://a/b1 and the secret is 100,000.50",
    "machine learning password guessing",
    "by default password managers",
  ];
  for (const text of texts) assert.equal(redactor.text(text), text);
  const csv = "id,title,passwordChangedAt\n17,The Password,2026-01-31\n";
  assert.equal(redactor.csv(csv), csv);
  const xml =
    '<book id="17"><title>Tokens</title><code>EUR</code><a href="https://a/b?c=d"/></book>';
  assert.equal(redactor.xml(xml), xml);
});

Deno.test("text that isn't JSON is kept, and may have numbers as names", () => {
  const rules: Rules = {
    kind: (name) => name === "pin" || name === "1" ? "secret" : "harmless",
    value: (text) => text,
  };
  for (const text of ['{2: "Ann", "name": 3}', "{true: 1}", "{,}", '{"a" 1}', "[1, 2"]) {
    assert.equal(redactJson(text, rules), text);
  }
  assert.equal(redactJson('{1: "Ann 7", "pin": 1234}', rules), '{1: "Aaa 1", "pin": 1111}');
});

/** A request in plain text, with escapes decoded. */
function plainly({ url, headers, body }: HttpRequest): string {
  const text = `${url} ${JSON.stringify(headers)} ${body}`;
  try {
    return text + decodeURIComponent(url);
  } catch {
    return text;
  }
}
