import assert from "node:assert/strict";
import type { HeadersLike, Interaction } from "../../src/http/interaction.ts";
import { redactInteraction } from "../../src/redact/redact_request.ts";
import { ODD_SECRETS } from "./odd_secrets.ts";
import { secretsIn } from "./secrets_in.ts";

Deno.test("no secret in an odd place, name or encoding is left, and masking twice equals masking once", () => {
  assert.ok(ODD_SECRETS.length >= 400, String(ODD_SECRETS.length));
  for (const odd of ODD_SECRETS) {
    assert.equal(secretsIn(shown(odd.interaction), [odd]).length, 1, `not seen in ${odd.place}`);
  }
  const left = ODD_SECRETS.filter((odd) => {
    const once = redactInteraction(odd.interaction);
    assert.deepEqual(redactInteraction(once), once, odd.place);
    return secretsIn(shown(once), [odd]).length > 0;
  });
  assert.deepEqual(
    left.map(({ place, interaction }) => [place, shown(redactInteraction(interaction))]),
    [],
  );
});

/** Everything in an interaction, with bodies as text and in Base64. */
function shown({ request, response, test }: Interaction): string {
  const headers = (fields: HeadersLike | undefined): string =>
    JSON.stringify(
      fields === undefined ? [] : Symbol.iterator in fields ? [...fields] : Object.entries(fields),
    );
  const body = (content: Uint8Array | string | null | undefined): string =>
    typeof content === "object" && content !== null
      ? `${new TextDecoder().decode(content)} ${btoa(String.fromCharCode(...content))}`
      : content ?? "";
  return [
    ...[request.url, headers(request.headers), body(request.body)],
    ...[headers(response?.headers), body(response?.body), test],
  ].join("\n");
}

Deno.test("short values, words and common values are kept unless their name says that they are secret", () => {
  const url =
    "http://localhost:8901/password/books?grant_type=password&on=true&since=2026-01-31&n=9071x";
  const response = {
    status_code: 200,
    headers: { "Content-Type": "application/json", Location: "/Lovelace/9071" },
    body:
      '{"on":"true","n":1,"a":"abc","mode":"READ_WRITE","Lovelace":"by Lovelace","of":"books",' +
      '"at":"2026-01-31","kind":"password","id":190712,"url":"/books/9071","9071":1}',
  };
  const redacted = redactInteraction({
    request: {
      method: "POST",
      url,
      headers: {
        Authorization: "Bearer 2026-01-31",
        "X-Auth-Token": "books",
        "X-Api-Key": ["true", "1", "abc", "application/json", "READ_WRITE"],
        "Content-Type": "application/json",
      },
      body: '{"password":"password","token":"Lovelace","pin":"9071"}',
    },
    response,
  });
  assert.equal(redacted.request.url, url);
  assert.deepEqual(redacted.response, response);
});

Deno.test("a secret that equals the host, the media type or a part of a word is kept there", () => {
  const { request } = redactInteraction({
    request: {
      method: "GET",
      url: "http://vault-17.example/books/vault-170/my-vault-17?a=vault-17",
      headers: { "X-Api-Key": "vault-17", Host: "vault-17.example", Accept: "text/vault-17" },
    },
  });
  assert.equal(request.url, "http://vault-17.example/books/vault-170/my-aaaaa-11?a=aaaaa-11");
  assert.deepEqual(request.headers, {
    "X-Api-Key": "aaaaa-11",
    Host: "vault-17.example",
    Accept: "text/vault-17",
  });
});
