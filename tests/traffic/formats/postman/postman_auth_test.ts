import assert from "node:assert/strict";
import { authHeader } from "../../../../src/traffic/formats/postman/postman_send.ts";
import { postmanAuth } from "../../../../src/traffic/formats/postman/postman_request.ts";

function added(type: string, attributes: Record<string, string>): unknown {
  const auth = { type, attributes: new Map(Object.entries(attributes)) };
  return authHeader(auth, (text) => text.replaceAll("{{v}}", "é"));
}

function authorization(value: string): unknown {
  return { in: "header", key: "Authorization", value };
}

Deno.test("authHeader() supports basic, bearer and OAuth 2", () => {
  assert.deepEqual(
    added("basic", { username: "{{v}}", password: "p" }),
    authorization("Basic w6k6cA=="),
  );
  assert.deepEqual(added("basic", {}), authorization("Basic Og=="));
  assert.deepEqual(added("bearer", { token: "{{v}}" }), authorization("Bearer é"));
  assert.equal(added("bearer", {}), undefined);
  assert.deepEqual(added("oauth2", { accessToken: "t" }), authorization("Bearer t"));
  assert.deepEqual(
    added("oauth2", { accessToken: "t", headerPrefix: " X " }),
    authorization("X t"),
  );
  assert.deepEqual(added("oauth2", { accessToken: "t", headerPrefix: "" }), authorization("t"));
  assert.deepEqual(added("oauth2", { accessToken: "t", addTokenTo: "queryParams" }), {
    in: "query",
    key: "access_token",
    value: "t",
  });
});

Deno.test("authHeader() supports API keys", () => {
  assert.deepEqual(added("apikey", { key: "k", value: "{{v}}" }), {
    in: "header",
    key: "k",
    value: "é",
  });
  assert.deepEqual(added("apikey", { key: "k", in: "query" }), {
    in: "query",
    key: "k",
    value: "",
  });
  assert.equal(added("apikey", { value: "v" }), undefined);
});

Deno.test("authHeader() adds nothing for noauth, and doesn't guess signatures", () => {
  assert.equal(added("noauth", {}), undefined);
  for (const type of ["digest", "hawk", "awsv4", "ntlm", "oauth1", "oauth2"]) {
    assert.equal(added(type, {}), "unknown");
  }
});

Deno.test("postmanAuth() reads the attributes in every version's notation", () => {
  const expected = { type: "basic", attributes: new Map([["username", "u"], ["n", "1"]]) };
  const list = [{ key: "username", value: "u" }, { key: "n", value: 1 }, { key: "none" }];
  assert.deepEqual(postmanAuth({ type: "basic", basic: list }), expected);
  assert.deepEqual(postmanAuth({ type: "basic", basic: { username: "u", n: 1 } }), expected);
  assert.deepEqual(postmanAuth({ type: "noauth" }), { type: "noauth", attributes: new Map() });
  assert.equal(postmanAuth(null), undefined);
  assert.equal(postmanAuth({}), undefined);
});
