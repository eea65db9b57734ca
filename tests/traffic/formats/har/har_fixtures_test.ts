import assert from "node:assert/strict";
import { headerLookup } from "../../../../src/http/headers.ts";
import type { Interaction } from "../../../../src/http/interaction.ts";
import { bytesOf, fixtureBytes, latin1, readAll } from "../../read_all.ts";
import { headOf } from "../../recordings.ts";

async function interactionOf(path: string, index: number): Promise<Interaction> {
  const { interactions } = await readAll(fixtureBytes(path), path);
  const interaction = interactions[index];
  assert.ok(interaction !== undefined);
  return interaction;
}

function header({ request }: Interaction, name: string): string | undefined {
  return headerLookup(request.headers).get(name);
}

const BOOK = '{"title":"雪国","genre":"novel","price":8,"isbn":"9780000001051",' +
  '"authors":[{"name":"川端康成"}],"format":{"kind":"print","pages":3}}';

Deno.test("Playwright: a request is as it was sent, with its time in seconds", async () => {
  const sent = await interactionOf("har-browser/chromium-embed.har", 3);
  assert.equal(sent.request.method, "POST");
  assert.equal(sent.request.url, "http://127.0.0.1:8901/api/v1/books");
  assert.equal(header(sent, "content-type"), "application/json");
  assert.deepEqual(sent.request.body, bytesOf(BOOK));
  assert.deepEqual(headOf(sent.response), { status_code: 201, elapsed: 0.297271 });
  assert.equal(sent.timestamp, 1795214912.382);
});

Deno.test("Playwright: uploads and binary bodies are known to be missing", async () => {
  const { interactions, warnings } = await readAll(
    fixtureBytes("har-browser/chromium-embed.har"),
    "embed.har",
  );
  const lost = interactions.filter(({ request }) => request.body_truncated === true);
  assert.deepEqual(lost.map(({ request }) => new URL(request.url).pathname), [
    "/api/v1/books/1/cover",
    "/api/v1/books/1/review",
    "/api/v1/books/1/cover",
  ]);
  assert.ok(lost.every(({ request }) => request.body === undefined));
  assert.deepEqual(warnings, [
    "embed.har: a body, or a part of it, is missing from the recording: it counts as not recorded " +
    "(3 times, first at log.entries[11]).",
    "embed.har: an entry with a `blob:` URL is left out (at log.entries[26]).",
    "embed.har: an entry with a `ws:` URL is left out (at log.entries[30]).",
  ]);
});

Deno.test("Playwright: refused and aborted requests stay, without a response", async () => {
  const aborted = await interactionOf("har-browser/chromium-embed.har", 26);
  assert.equal(aborted.request.url, "http://127.0.0.1:8901/api/v1/books?page=2");
  assert.equal(aborted.response, undefined);
});

Deno.test("Playwright: content that was omitted is made again from the fields of a form", async () => {
  const login = await interactionOf("har-browser/chromium-omit.har", 29);
  const form = "username=%C5%81ucja+%26+co&password=pass+word&scope=read&scope=write";
  assert.deepEqual(login.request.body, bytesOf(form));
});

Deno.test("Playwright: a zip holds the bodies, binary ones too", async () => {
  const review = await interactionOf("har-browser/chromium-attach.zip", 19);
  assert.deepEqual(review.request.body, latin1("\x00\x01\x02\xfa\xff"));
  const book = await interactionOf("har-browser/chromium-attach.zip", 3);
  assert.match(new TextDecoder().decode(book.request.body as Uint8Array), /^\{"title":"雪国"/);
});

Deno.test("Playwright: the pseudo headers of HTTP/2 are left out", async () => {
  const login = await interactionOf("har-browser/chromium-h2.har", 3);
  const names = [...login.request.headers as Iterable<[string, string]>].map(([name]) => name);
  assert.deepEqual(names.slice(0, 2), ["accept", "accept-encoding"]);
  assert.ok(names.every((name) => !name.startsWith(":")));
  assert.deepEqual(login.request.body, bytesOf("username=h2&password=abcd"));
});

Deno.test("Firefox: a multipart body has one character per byte, other bodies are text", async () => {
  const upload = await interactionOf("har-browser/firefox-devtools.har", 38);
  const boundary = "------geckoformboundaryd4c299d8d4772a6a391bfd9c9649f03";
  assert.equal(header(upload, "content-length"), "340");
  assert.deepEqual(
    upload.request.body,
    latin1(
      `${boundary}\r\nContent-Disposition: form-data; name="caption"\r\n\r\n\xc3\x84 caption\r\n` +
        `${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="zdj\xc4\x99cie.png"\r\n` +
        `Content-Type: image/png\r\n\r\n\x89PNG\x00\xff\r\n${boundary}--\r\n`,
    ),
  );
  const review = await interactionOf("har-browser/firefox-devtools.har", 25);
  assert.deepEqual(review.request.body, bytesOf("zażółć"));
});

Deno.test("Firefox: preflights and the page itself stay, in the order of the file", async () => {
  const { interactions } = await readAll(fixtureBytes("har-browser/firefox-devtools.har"));
  assert.deepEqual(interactions.slice(0, 4).map(({ request }) => request.method), [
    ...["GET", "GET", "GET", "OPTIONS"],
  ]);
  assert.equal(interactions[0]?.request.url, "http://127.0.0.1:8923/?run");
  assert.equal(interactions[1]?.response?.elapsed, 0.001);
});

Deno.test("chrome-har-capturer: binary bodies have one character per byte, without any length", async () => {
  const review = await interactionOf("har-browser/chrome-har-capturer.har", 24);
  assert.deepEqual(review.request.body, latin1("\x00\x01\x02\xfa\xff"));
  const text = await interactionOf("har-browser/chrome-har-capturer.har", 23);
  assert.deepEqual(text.request.body, bytesOf("zażółć"));
});

Deno.test("chrome-har-capturer: an upload is known to be missing by its boundary", async () => {
  const upload = await interactionOf("har-browser/chrome-har-capturer.har", 14);
  assert.equal(upload.request.body_truncated, true);
});

Deno.test("mitmproxy: a body that was decoded loses its Content-Encoding", async () => {
  const patch = await interactionOf("har-mitmproxy/mitm.har", 21);
  assert.deepEqual(patch.request.body, bytesOf('{"notes":"gz"}'));
  assert.equal(header(patch, "content-encoding"), undefined);
  assert.equal(header(patch, "content-type"), "application/json");
});

Deno.test("mitmproxy: a body is in the charset of its Content-Type", async () => {
  const review = await interactionOf("har-mitmproxy/mitm.har", 19);
  assert.deepEqual(review.request.body, latin1("caf\xe9"));
  assert.equal(review.timestamp, 1795215296.833284);
  assert.deepEqual(headOf(review.response), { status_code: 201, elapsed: 0.0018939971923828125 });
});

Deno.test("HAR 1.3: base64 is decoded, and the length tells bodies that were encoded twice", async () => {
  const derived = await readAll(fixtureBytes("har-1.3-derived/derived-1.3.har"));
  const original = await readAll(fixtureBytes("har-mitmproxy/mitm.har"));
  assert.deepEqual(
    derived.interactions.map(({ request }) => request.body),
    original.interactions.map(({ request }) => request.body),
  );
});

Deno.test("Polly.js: a recording is a HAR; a body that isn't a string counts as missing", async () => {
  const path = "pollyjs/bookshop-fetch_2512500612/recording.har";
  const first = await interactionOf(path, 0);
  assert.equal(
    first.request.url,
    "http://127.0.0.1:8901/api/v1/books?genre=poetry&genre=novel&q=%C3%A5%20b",
  );
  assert.deepEqual(headOf(first.response), { status_code: 200, elapsed: 0.026 });
  assert.equal(first.timestamp, 1795215679.388);
  const login = await interactionOf(path, 5);
  assert.equal(login.request.body_truncated, true);
  assert.equal(header(login, "content-type"), undefined);
});

Deno.test("Schemathesis: base64 without a flag is proved by the length", async () => {
  const login = await interactionOf("schemathesis/bookshop-bytes.har", 12);
  assert.deepEqual(login.request.body, bytesOf("password=0000&username=0"));
});

Deno.test("Schemathesis: the HAR and the events of one run have the same requests", async () => {
  for (const name of ["bookshop", "bookshop-bytes"]) {
    const har = await readAll(fixtureBytes(`schemathesis/${name}.har`));
    const events = await readAll(fixtureBytes(`schemathesis/${name}.ndjson`));
    const requests = ({ interactions }: typeof har, lost: ReadonlySet<number>) =>
      interactions.filter((_, index) => !lost.has(index)).map(({ request, response }) => ({
        method: request.method,
        url: request.url,
        body: request.body,
        status: response?.status_code,
      }));
    const lost = new Set(
      har.interactions.flatMap(({ request }, index) => request.body_truncated ? [index] : []),
    );
    assert.deepEqual(requests(har, lost), requests(events, lost));
  }
});

Deno.test("Schemathesis: a request that timed out has no response", async () => {
  const sent = await interactionOf("schemathesis/bookshop-timeouts.har", 0);
  assert.equal(sent.request.method, "POST");
  assert.equal(sent.response, undefined);
  assert.equal((sent.request.body as Uint8Array).length, 122);
});
