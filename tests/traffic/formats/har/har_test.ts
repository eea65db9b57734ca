import assert from "node:assert/strict";
import { zipSync } from "fflate";
import { gzipSync } from "node:zlib";
import { headerLookup } from "../../../../src/http/headers.ts";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { HAR } from "../../../../src/traffic/formats/har/har.ts";
import { latin1, readAll, readAs, receivedText, type WholeRecording } from "../../read_all.ts";

const URL_SENT = "http://localhost/books";

function read(...entries: readonly unknown[]): WholeRecording {
  return readAs(HAR, { log: { entries } }, "shop.har");
}

/** Reads an entry whose request has these members in addition to method and URL. */
function readRequest(request: Readonly<Record<string, unknown>>): Interaction["request"] {
  const [interaction] =
    read({ request: { method: "POST", url: URL_SENT, ...request } }).interactions;
  assert.ok(interaction !== undefined);
  return interaction.request;
}

function pairs(headers: Readonly<Record<string, string>>): unknown {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function bodyText(request: Interaction["request"]): string | undefined {
  return request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : undefined;
}

Deno.test("entries that aren't HTTP requests are left out, with a warning per kind", () => {
  const good = { request: { method: "get", url: URL_SENT } };
  const urls = [
    ...["data:,", "data:text/plain,x", "blob:http://x/1", "ws://x/", "wss://x/", "about:blank"],
  ];
  const { interactions, warnings } = read(
    good,
    ...urls.map((url) => ({ request: { method: "GET", url } })),
    { request: { method: "CONNECT", url: "localhost:443" } },
    { request: { method: "GET" } },
    { request: { url: URL_SENT } },
    { response: {} },
    null,
  );
  assert.equal(interactions.length, 1);
  assert.deepEqual(warnings, [
    "shop.har: an entry with a `data:` URL is left out (2 times, first at log.entries[1]).",
    "shop.har: an entry with a `blob:` URL is left out (at log.entries[3]).",
    "shop.har: an entry with a `ws:` URL is left out (at log.entries[4]).",
    "shop.har: an entry with a `wss:` URL is left out (at log.entries[5]).",
    "shop.har: an entry with a `about:` URL is left out (at log.entries[6]).",
    "shop.har: a CONNECT request, which opens a tunnel and nothing else, is left out (at log.entries[7]).",
    "shop.har: an entry whose request has no `url` is left out (at log.entries[8]).",
    "shop.har: an entry whose request has no `method` is left out (at log.entries[9]).",
    "shop.har: an entry without an object `request` is left out (2 times, first at log.entries[10]).",
  ]);
});

Deno.test("an archive without entries is valid", () =>
  assert.deepEqual(read(), { interactions: [], warnings: [] }));

Deno.test("the fragment of a URL is removed", () =>
  assert.equal(readRequest({ url: `${URL_SENT}?a=1#top` }).url, `${URL_SENT}?a=1`));

Deno.test("a status of 0 or -1 means no response, and a status as text is read as a number", () => {
  const request = { method: "GET", url: URL_SENT };
  const responses = [0, -1, "204", 200, undefined, 99].map((status) => ({
    request,
    time: 5,
    response: { status },
  }));
  const statuses = read(...responses).interactions.map(({ response }) => response?.status_code);
  assert.deepEqual(statuses, [undefined, undefined, 204, 200, undefined, undefined]);
});

Deno.test("times are in seconds, and undefined if the archive has none", () => {
  const request = { method: "GET", url: URL_SENT };
  const response = { status: 200 };
  const { interactions, warnings } = read(
    { request, response, time: 1500, startedDateTime: "2026-01-31T12:00:00.123456+01:00" },
    { request, response, time: -1, startedDateTime: "soon" },
    { request, response },
  );
  assert.deepEqual(interactions.map(({ response, timestamp }) => [response?.elapsed, timestamp]), [
    [1.5, 1769857200.123456],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  assert.deepEqual(warnings, [
    "shop.har: `startedDateTime` is not a time and is ignored (at log.entries[1].startedDateTime).",
  ]);
});

Deno.test("repeated headers are kept apart, and a missing Cookie header is rebuilt", () => {
  const { headers } = readRequest({
    headers: [{ name: "X-A", value: "1" }, { name: "x-a", value: "2" }, {
      name: ":path",
      value: "/",
    }],
    cookies: [{ name: "session", value: "abc" }, { name: "theme", value: "dark" }],
  });
  const lookup = headerLookup(headers);
  assert.deepEqual(lookup.values("x-a"), ["1", "2"]);
  assert.equal(lookup.get("cookie"), "session=abc; theme=dark");
  assert.equal(lookup.get(":path"), undefined);
  const kept = readRequest({
    headers: pairs({ cookie: "session=abc" }),
    cookies: [{ name: "session", value: "abc" }],
  });
  assert.deepEqual(headerLookup(kept.headers).values("cookie"), ["session=abc"]);
});

Deno.test("a missing Content-Type header is taken from the body, unless it is a placeholder", () => {
  const readType = (mimeType: string) =>
    headerLookup(readRequest({ postData: { mimeType, text: "{}" } }).headers).get("content-type");
  assert.equal(readType("application/json"), "application/json");
  assert.equal(readType("application/octet-stream"), undefined);
  assert.equal(readType("x-unknown"), undefined);
  assert.equal(readType(""), undefined);
});

Deno.test("a body declared as base64 that isn't valid is not recorded", () => {
  const postData = { mimeType: "text/plain", text: "{not base64}", encoding: "base64" };
  const { interactions, warnings } = read({ request: { method: "POST", url: URL_SENT, postData } });
  assert.equal(interactions[0]?.request.body_truncated, true);
  assert.deepEqual(warnings, [
    "shop.har: a body marked as base64 is not valid base64: it counts as not recorded (at log.entries[0]).",
  ]);
});

Deno.test("a body that is still encoded is decoded, in any notation", () => {
  const gzip = gzipSync('{"a":1}');
  const headers = pairs({
    "Content-Type": "application/json",
    "Content-Encoding": "gzip",
    "Content-Length": String(gzip.length),
  });
  const ways = [
    { text: gzip.toString("base64"), encoding: "base64" },
    { text: gzip.toString("base64") },
    { text: gzip.toString("latin1") },
    { text: '{"a":1}' },
  ];
  for (const way of ways) {
    const request = readRequest({ headers, postData: { mimeType: "application/json", ...way } });
    assert.equal(bodyText(request), '{"a":1}');
    assert.equal(headerLookup(request.headers).get("content-encoding"), undefined);
  }
});

Deno.test("a body with a wrong Content-Encoding is kept with its header", () => {
  const headers = pairs({ "Content-Encoding": "gzip", "Content-Length": "7" });
  const request = readRequest({ headers, postData: { mimeType: "", text: '{"a":1}' } });
  assert.equal(bodyText(request), '{"a":1}');
  assert.equal(headerLookup(request.headers).get("content-encoding"), "gzip");
});

Deno.test("a body that wasn't recorded is not empty", () => {
  const isLost = (request: Readonly<Record<string, unknown>>) => {
    const { body, body_truncated } = readRequest(request);
    assert.equal(body, undefined);
    return body_truncated === true;
  };
  const json = pairs({ "Content-Type": "application/json" });
  const multipart = pairs({ "Content-Type": "multipart/form-data; boundary=x" });
  assert.equal(isLost({ headers: pairs({ "Content-Length": "12" }), bodySize: 0 }), true);
  assert.equal(isLost({ headers: pairs({ "Transfer-Encoding": "chunked" }) }), true);
  assert.equal(isLost({ bodySize: 12 }), true);
  // An invalid length says nothing.
  const lengths = pairs({ "Content-Length": "12, 12" });
  assert.equal(isLost({ headers: lengths, bodySize: 12 }), true);
  assert.equal(isLost({ headers: json, bodySize: -1 }), true);
  assert.equal(isLost({ headers: multipart, bodySize: 0 }), true);
  assert.equal(isLost({ postData: { mimeType: "text/plain", params: [] } }), true);
  for (const method of ["PUT", "PATCH", "QUERY"]) {
    assert.equal(isLost({ method, postData: { mimeType: "text/plain" } }), true, method);
  }
  assert.equal(isLost({ method: "GET", postData: { mimeType: "text/plain" } }), false);
  assert.equal(isLost({ postData: { mimeType: "text/plain", text: "" }, bodySize: 4 }), true);
  assert.equal(isLost({ postData: { mimeType: "application/json", text: { a: 1 } } }), true);
  assert.equal(isLost({ _requestBodyStatus: "discarded:too-large" }), true);
  assert.equal(isLost({ postData: { mimeType: "", text: "", _file: "a.bin" } }), true);

  assert.equal(isLost({}), false);
  assert.equal(isLost({ headers: pairs({ "Content-Length": "0" }), bodySize: -1 }), false);
  assert.equal(isLost({ headers: json, bodySize: 0 }), false);
  assert.equal(isLost({ method: "GET", headers: json, bodySize: -1 }), false);
  assert.equal(isLost({ postData: { mimeType: "", text: "" }, bodySize: 0 }), false);
  assert.equal(isLost({ postData: { mimeType: "" } }), false);
});

Deno.test("a field without a name and value is no body (ZAP)", () => {
  const params = [{ name: "", value: "" }];
  const postData = { mimeType: "application/x-www-form-urlencoded", params, text: "" };
  for (const method of ["GET", "POST"]) {
    const sent = { method, url: URL_SENT, headers: [] };
    assert.deepEqual(readRequest({ method, headers: [], bodySize: 0, postData }), sent);
  }
});

Deno.test("binary bodies that HTTP Toolkit writes beside the request are read", () => {
  const request = readRequest({
    _requestBodyStatus: "discarded:not-representable",
    _content: { text: "//4AAQ==", size: 4, encoding: "base64" },
  });
  assert.deepEqual(request.body, latin1("\xff\xfe\x00\x01"));
});

Deno.test("without a Content-Length, the size shows if a body is base64", () => {
  const postData = { mimeType: "text/plain", text: "aGVsbG8=" };
  assert.equal(bodyText(readRequest({ postData, bodySize: 5 })), "hello");
  assert.equal(bodyText(readRequest({ postData, bodySize: 8 })), "aGVsbG8=");
  assert.equal(bodyText(readRequest({ postData })), "aGVsbG8=");
});

Deno.test("a multipart body is rebuilt from its fields, with a new boundary if needed", () => {
  const params = [
    { name: "caption", value: "Łąka" },
    { name: "picture", value: "PNG", fileName: "a.png", contentType: "image/png" },
  ];
  const request = readRequest({ postData: { mimeType: "multipart/form-data", params } });
  const type = headerLookup(request.headers).get("content-type") ?? "";
  const boundary = /boundary=(.+)/.exec(type)?.[1];
  assert.equal(
    bodyText(request),
    `--${boundary}\r\nContent-Disposition: form-data; name="caption"\r\n\r\nŁąka\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n` +
      `Content-Type: image/png\r\n\r\nPNG\r\n--${boundary}--\r\n`,
  );
});

Deno.test("a query that is recorded only beside the URL is added to it (Insomnia)", () => {
  const queryString = [
    { name: "limit", value: "7" },
    { name: "q", value: "a b&c%2F" },
    { name: "", value: "no name" },
    { name: "filter[x]" },
  ];
  assert.equal(
    readRequest({ queryString }).url,
    `${URL_SENT}?limit=7&q=a%20b%26c%2F&filter%5Bx%5D=`,
  );
  assert.equal(readRequest({ queryString, url: `${URL_SENT}?limit=8` }).url, `${URL_SENT}?limit=8`);
  assert.equal(readRequest({ queryString: [{}, null] }).url, URL_SENT);
  assert.equal(readRequest({ url: ` ${URL_SENT}?a=1#top ` }).url, `${URL_SENT}?a=1`);
});

Deno.test("headers may be an object and have numbers as values", () => {
  const postData = { mimeType: "", text: "eyJhIjoxfQ==" };
  const asObject = readRequest({
    headers: { "Content-Type": "application/json", "Content-Length": 7, "X-Tag": ["a", "b"] },
    postData,
  });
  assert.equal(headerLookup(asObject.headers ?? {}).get("x-tag"), "a, b");
  assert.equal(bodyText(asObject), '{"a":1}');
  const headers = [{ name: "Content-Length", value: 7 }, { name: "X-None", value: null }];
  assert.equal(bodyText(readRequest({ headers, postData })), '{"a":1}');
  // Polly.js once wrote lists of values.
  const lists = readRequest({ headers: [{ name: "X-Tag", value: ["a", "b"] }] });
  assert.equal(headerLookup(lists.headers ?? {}).get("x-tag"), "a, b");
});

Deno.test("a body may be plain text, and a time may be a number", () => {
  assert.equal(bodyText(readRequest({ postData: '{"a":1}' })), '{"a":1}');
  const readTimes = (startedDateTime: unknown, time: unknown): unknown => {
    const [interaction] = read({
      startedDateTime,
      time,
      request: { method: "GET", url: URL_SENT },
      response: { status: "200" },
    }).interactions;
    return [interaction?.timestamp, interaction?.response?.elapsed];
  };
  assert.deepEqual(readTimes(1769860800500, "12.5"), [1769860800.5, 0.0125]);
  assert.deepEqual(readTimes(1769860800.5, "soon"), [1769860800.5, undefined]);
  assert.deepEqual(readTimes(0, -1), [undefined, undefined]);
});

Deno.test("a body whose file is missing from a zip is lost, whatever the file name", async () => {
  const names = ["constructor", "__proto__", "toString", "body.json"];
  const entries = names.map((_file) => ({
    request: { method: "POST", url: URL_SENT, postData: { mimeType: "application/json", _file } },
    response: {
      status: 200,
      headers: pairs({ "Content-Type": "application/json" }),
      content: { mimeType: "application/json", _file },
    },
  }));
  const archive = new TextEncoder().encode(JSON.stringify({ log: { entries } }));
  const body = new TextEncoder().encode("{}");
  const zip = zipSync({ "har.har": archive, "body.json": body });
  const { interactions } = await readAll(zip, "shop.zip");
  assert.deepEqual(
    interactions.map(({ request, response }) => [request.body_truncated, response?.body_truncated]),
    [[true, true], [true, true], [true, true], [undefined, undefined]],
  );
  assert.deepEqual(interactions[3]?.request.body, body);
});

Deno.test("compressed responses of Polly.js are lists of chunks in base64 or hexadecimal", () => {
  const gzip = gzipSync('{"a":1}');
  const parts = [gzip.subarray(0, 5), gzip.subarray(5)];
  const chunks = (encoding: "base64" | "hex") =>
    JSON.stringify(parts.map((part) => part.toString(encoding)));
  const headers = pairs({ "Content-Type": "application/json", "Content-Encoding": "gzip" });
  const readContent = (content: object) =>
    read({
      request: { method: "GET", url: URL_SENT },
      response: { status: 200, headers, content: { size: gzip.length, ...content } },
    });
  for (
    const content of [
      { text: chunks("base64"), encoding: "base64" },
      { text: chunks("hex"), _isBinary: true },
      { text: gzip.toString("hex"), _isBinary: true },
      // Secrets were removed from this text.
      { text: '{"a":1}', encoding: "base64" },
    ]
  ) {
    const { interactions: [interaction], warnings } = readContent(content);
    assert.equal(receivedText(interaction?.response), '{"a":1}');
    assert.deepEqual(warnings, []);
  }
  const { interactions: [lost], warnings } = readContent({ text: '{"a":1', encoding: "base64" });
  assert.equal(lost?.response?.body_truncated, true);
  assert.deepEqual(warnings, [
    "shop.har: the body of a response is cut or damaged and counts as not recorded (at log.entries[0].response).",
  ]);
});
