import assert from "node:assert/strict";
import { RequestText } from "../../src/http/request_text.ts";
import { FULL_VISIBILITY } from "../../src/http/visibility.ts";
import { checkIdentities, type Identity, SenderReader } from "../../src/redact/identities.ts";

/** An unsigned token with claims. */
export function makeToken(claims: unknown): string {
  const part = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${part({ alg: "HS256" })}.${part(claims)}.c2lnbmF0dXJl`;
}

const IDENTITIES: readonly Identity[] = [
  { name: "alice", header: "X-Api-Key", value: "k-alice" },
  { name: "bob", header: "Authorization", value: "Basic Ym9iOmJvYg==" },
  { name: "carol", cookie: "sid", value: "s-carol" },
  { name: "dave", query: "api key", value: "d/1" },
  { name: "admin", jwt: { role: "admin" } },
  { name: "staff", jwt: { "realm_access.roles": "staff" } },
  { name: "reader", jwt: { scope: "books:read loans:read" } },
  { name: "guest", tag: "user:guest" },
  { name: "number", jwt: { uid: "9007199254740993" } },
];

Deno.test("requests are recognized by header, cookie, query, claims and tag", () => {
  const reader = new SenderReader(IDENTITIES, [{ in: "header", name: "x-legacy" }]);
  const bearer = (claims: unknown) => ({ authorization: `Bearer ${makeToken(claims)}` });
  type Tag = string | readonly string[];
  const cases: readonly [Record<string, string>, string | undefined, string?, Tag?][] = [
    [{}, "anonymous"],
    [{ "x-api-key": "k-alice" }, "alice"],
    [{ "x-api-key": "k-mallory" }, "unknown"],
    [{ "x-legacy": "key-9" }, "unknown"],
    [{ authorization: "basic Ym9iOmJvYg==" }, "bob"],
    [{ authorization: "Ym9iOmJvYg==" }, "bob"],
    [{ cookie: "theme=dark; sid=s-carol" }, "carol"],
    [{ cookie: "theme=dark" }, "anonymous"],
    [{}, "dave", "api%20key=d%2F1"],
    [bearer({ role: "admin", sub: "Frieda" }), "admin"],
    [bearer({ role: ["reader", "admin"] }), "admin"],
    [bearer({ realm_access: { roles: ["staff"] } }), "staff"],
    [bearer({ scope: "loans:read books:read openid" }), "reader"],
    [bearer({ scope: ["books:read", "loans:read"] }), "reader"],
    [bearer({ scope: "books:read" }), "unknown"],
    [bearer({ scope: null }), "unknown"],
    [bearer({ role: "administrator" }), "unknown"],
    [{ authorization: "Bearer e30.eyJ1aWQiOjkwMDcxOTkyNTQ3NDA5OTN9.c2ln" }, "number"],
    [{ authorization: "Bearer not.a-token.at-all" }, "unknown"],
    [{ authorization: "Bearer only-text" }, "unknown"],
    // Masked credentials may belong to anybody.
    [{ authorization: "Bearer aaAaa11.aaaA.aa-aa" }, undefined],
    [{ "x-api-key": "[FILTERED]" }, undefined],
    [{ authorization: "Bearer" }, undefined],
    [{ cookie: "sid=***" }, undefined],
    // A tag takes precedence over credentials.
    [{ "x-api-key": "k-alice" }, "guest", "", "user:guest"],
    [{ "covtool-identity": "carol", "x-api-key": "k-alice" }, "carol"],
    [{ "x-api-key": "k-alice" }, "anonymous", "", "anonymous"],
    [{}, "unknown", "", "somebody"],
    [{}, "admin", "", ["somebody", "admin"]],
    // With an unknown tag, the credentials decide.
    [{ "x-api-key": "k-alice" }, "alice", "", "somebody"],
    [{ "x-api-key": "aaaa" }, "unknown", "", "somebody"],
  ];
  for (const [headers, expected, query = "", tag] of cases) {
    const text = new RequestText([], query, headers);
    assert.equal(reader.read("/", text, tag), expected, JSON.stringify([headers, query, tag]));
  }
  assert.equal(
    reader.read("http://u:p@localhost/", new RequestText([], "", {}), undefined),
    "unknown",
  );
  const headerless = { ...FULL_VISIBILITY, request_headers: "none" } as const;
  assert.equal(reader.read("/", new RequestText([], "", {}), undefined, headerless), undefined);
});

Deno.test("if a request shows several identities, the first in the list counts", () => {
  const token = makeToken({ role: "admin" });
  const reader = new SenderReader([
    { name: "alice", header: "X-Api-Key", value: "k-alice" },
    { name: "carol", cookie: "sid", value: "s-carol" },
    { name: "bob", header: "X-Api-Key", value: "k-bob" },
    { name: "admin", jwt: { role: "admin" } },
    { name: "root", header: "Authorization", value: token },
  ]);
  const readName = (headers: Record<string, string>) =>
    reader.read("/", new RequestText([], "", headers), undefined);
  assert.equal(readName({ "x-api-key": "k-alice", cookie: "sid=s-carol" }), "alice");
  assert.equal(readName({ "x-api-key": "k-bob", cookie: "sid=s-carol" }), "carol");
  assert.equal(readName({ authorization: `Bearer ${token}` }), "admin");
});

Deno.test("an interaction gets the identity's name before its credentials are masked", () => {
  const reader = new SenderReader(IDENTITIES);
  const marked = (headers: Record<string, string>) =>
    reader.mark({ request: { method: "GET", url: "/?x=1", headers } }).identity;
  assert.equal(marked({ "X-Api-Key": "k-alice" }), "alice");
  assert.equal(marked({ "X-Api-Key": "k-mallory" }), "unknown");
  assert.equal(marked({ "X-Api-Key": "[FILTERED]" }), undefined);
  assert.equal(marked({}), undefined);
});

Deno.test("ambiguous or unusable identities are refused with a message", () => {
  const source = "covtool.yaml:3";
  const key = { header: "X-Api-Key", value: "secret-1", source };
  const cases: readonly [readonly Identity[], RegExp][] = [
    [[{ name: "", tag: "x", source }], /Give each identity a name/],
    [[{ name: "a:own", tag: "x", source }], /without colons/],
    [[{ name: "anonymous", tag: "x", source }], /Give the identity another name/],
    [[{ name: "a", tag: "x" }, { name: "a", tag: "y", source }], /Another identity is called "a"/],
    [[{ ...key, name: "a", cookie: "c" }], /several places/],
    [[{ name: "a", header: "X-Api-Key", source }], /valueFromEnv or valueFromFile/],
    [[{ name: "a", source }], /header, cookie, query, jwt or tag/],
    [[{ ...key, name: "a", value: " " }], /is empty/],
    [[{ name: "a", jwt: { level: 3 as unknown as string }, source }], /"level" .* is not text/],
    [[{ name: "a", jwt: {}, source }], /no claims/],
    [
      [{ name: "a", header: "K", missing: "The variable K is not set.", source }],
      /is not set\. Set/,
    ],
    [[{ ...key, name: "a" }, { ...key, name: "b", value: "Bearer secret-1" }], /as they show "a"/],
    [[{ name: "a", jwt: { r: "x" } }, { name: "b", jwt: { r: "x" }, source }], /as they show "a"/],
    [[{ name: "a", tag: "t" }, { name: "b", tag: "t", source }], /as they show "a"/],
  ];
  for (const [identities, sentence] of cases) {
    assert.throws(() => checkIdentities(identities), (error: unknown) => {
      assert.ok(error instanceof TypeError, String(error));
      assert.match(error.message, sentence);
      assert.match(error.message, /^covtool\.yaml:3: /);
      assert.ok(!error.message.includes("secret-1"));
      return true;
    });
  }
  checkIdentities(IDENTITIES);
});
