import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { HttpRequest } from "../../src/http/interaction.ts";
import { hideSecretSegments, redactInteraction } from "../../src/redact/redact_request.ts";

const bytes = new TextEncoder();

function redact(request: Partial<HttpRequest>): HttpRequest {
  return redactInteraction({ request: { method: "POST", url: "http://h/", ...request } }).request;
}

Deno.test("credentials in headers are masked, and schemes and cookie names are kept", () => {
  const { headers } = redact({
    headers: {
      Authorization: "Basic YWRhOnB3",
      "proxy-authorization": "secret1",
      Cookie: "sid=Ab1; theme=dark",
      "X-Api-Key": ["k3y", "Z"],
      "X-Trace": "token",
    },
  });
  assert.deepEqual(headers, {
    Authorization: "Basic AAAaAaA1",
    "proxy-authorization": "aaaaaa1",
    Cookie: "sid=Aa1; theme=aaaa",
    "X-Api-Key": ["a1a", "A"],
    "X-Trace": "token",
  });
});

Deno.test("secrets in a URL are masked, and the rest of the URL is kept as written", () => {
  const url = (text: string): string => redact({ url: text }).url;
  assert.equal(
    url("https://ada:pw1@h/a%2Fb?q=%41&access_token=A%C3%A9-9&filter[password]=x#f"),
    "https://aaa:aa1@h/a%2Fb?q=%41&access_token=Aa-1&filter[password]=a#f",
  );
  assert.equal(url("/a?page_token=abc&key=k"), "/a?page_token=abc&key=a");
  assert.equal(url("/a?b"), "/a?b");
});

Deno.test("JSON keeps its bytes except for values with secret names", () => {
  const body = (text: string): unknown =>
    redact({ body: text, headers: { "content-type": "application/json" } }).body;
  assert.equal(
    body('{ "id": 12345678901234567890, "password" : "Pä\\"1", "pin": 1234, "a": ["token"] }'),
    '{ "id": 12345678901234567890, "password" : "Aa\\"1", "pin": 1111, "a": ["token"] }',
  );
  assert.equal(
    body('{"credentials":{"user":"ada","codes":[12,true]},"x":"y"}'),
    '{"credentials":{"user":"aaa","codes":[11,true]},"x":"y"}',
  );
  assert.equal(body('[{"secret":"x9"},{"b":"x9"}]'), '[{"secret":"a1"},{"b":"x9"}]');
  assert.equal(body('{"secret":"abc'), '{"secret":"aaa');
  assert.equal(body('{"\\u0070assword":"abc"}'), '{"\\u0070assword":"aaa"}');
});

Deno.test("form fields and multipart parts are masked by name, and files are kept", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  assert.equal(
    redact({ body: "user=ada&password=p%40ss+1", headers: form }).body,
    "user=ada&password=a%40aa+1",
  );
  const head = '--b\r\nContent-Disposition: form-data; name="';
  const body = (secret: string, file: string): Uint8Array =>
    Uint8Array.from(
      `${head}api_key"\r\n\r\n${secret}\r\n${head}file"; filename="x"\r\n\r\n${file}\r\n--b--\r\n`,
      (unit) => unit.charCodeAt(0),
    );
  const redacted = redact({
    body: body("k-1", "\xff\x00password"),
    headers: { "Content-Type": "multipart/form-data; boundary=b" },
  });
  assert.deepEqual(redacted.body, body("a-1", "\xff\x00password"));
});

Deno.test("a compressed body is masked too, and written without its encoding", () => {
  const headers = {
    "Content-Type": "application/json",
    "Content-Encoding": "gzip",
    "Content-Length": "99",
  };
  const sent = { headers, body: new Uint8Array(gzipSync('{"token":"abc"}')) };
  const { request, response } = redactInteraction({
    request: { method: "POST", url: "http://h/", ...sent },
    response: { status_code: 200, ...sent },
  });
  for (const { headers, body } of [request, response ?? {}]) {
    assert.deepEqual(body, bytes.encode('{"token":"aaa"}'));
    assert.deepEqual(headers, { "Content-Type": "application/json" });
  }
  const harmless = new Uint8Array(gzipSync('{"a":1}'));
  assert.equal(redact({ body: harmless, headers }).body, harmless);
  const cut = new Uint8Array(gzipSync('{"token":"abc"}')).subarray(0, 20);
  assert.equal(redact({ body: cut, body_truncated: true, headers }).body, "");
});

Deno.test("a response that repeats the credentials of its request is masked, under any name", () => {
  const { response } = redactInteraction({
    request: {
      method: "GET",
      url: "http://h/",
      headers: { Authorization: "Bearer abc", Cookie: "theme=dark; id=C00kie-value" },
    },
    response: {
      status_code: 200,
      headers: { "X-Seen": "C00kie-value" },
      body: '{"seen":["Bearer abc","C00kie-value","dark"]}',
    },
  });
  assert.deepEqual(response?.headers, { "X-Seen": "A11aaa-aaaaa" });
  assert.equal(response?.body, '{"seen":["Bearer aaa","A11aaa-aaaaa","dark"]}');
});

Deno.test("an interaction without secrets is returned as the same object", () => {
  const interaction = {
    request: {
      method: "POST",
      url: "http://h/a?b=c",
      headers: { accept: "*/*" },
      body: bytes.encode("plain text: abc"),
    },
    response: { status_code: 200, headers: { location: "/a" }, body: "plain text: abc" },
  };
  assert.equal(redactInteraction(interaction), interaction);
});

Deno.test("placeholders of other recorders are kept, so that covtool recognizes them", () => {
  const request = {
    method: "POST",
    url: "http://h/?api_key=%5BFiltered%5D&token=<TOKEN>",
    headers: {
      "X-Api-Key": "[Filtered]",
      Cookie: "sid=REDACTED",
      "Content-Type": "application/json",
    },
    body: '{"password":"<PASSWORD>","pin":"[Filtered]"}',
  };
  assert.deepEqual(redact(request), request);
});

Deno.test("a response that repeats secrets in its request's URL or body is masked", () => {
  const { response } = redactInteraction({
    request: {
      method: "POST",
      url: "http://localhost/reset/8f14e45fceea167a?pin=9071",
      headers: { "Content-Type": "application/json" },
      body: '{"password":"Lovelace","user":"ada"}',
    },
    response: {
      status_code: 200,
      headers: { "Content-Type": "application/json" },
      body: '{"at":"/reset/8f14e45fceea167a","said":["Lovelace","ada"],"a":"9071","b":"190712"}',
    },
  });
  assert.equal(
    response?.body,
    '{"at":"/reset/1a11a11aaaaa111a","said":["Aaaaaaaa","ada"],"a":"1111","b":"190712"}',
  );
});

Deno.test("a segment that is secret in a header is hidden in every request, masked before or not", () => {
  for (const secret of ["hunter22abcd", "aaaaaa11aaaa"]) {
    const request = { method: "GET", url: "http://h/", headers: { "X-Info": `token=${secret}` } };
    for (let times = 0; times < 2; times++) {
      assert.equal(hideSecretSegments({ request }, `/books/${secret}`), "/books/***");
    }
  }
});
