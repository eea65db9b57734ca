import assert from "node:assert/strict";
import { headerLookup } from "../../../src/http/headers.ts";
import type { HttpResponse, Interaction } from "../../../src/http/interaction.ts";
import { fixtureBytes, readAll } from "../read_all.ts";
import { receivedText } from "../recordings.ts";

/**
 * What each recording has, as far as it was counted by hand: interactions, those without an answer, with a body, with one
 * that was lost; and of responses: bodies, of them JSON; empty ones; missing ones; ones that say nothing.
 */
const EXPECTED: Readonly<Record<string, readonly number[]>> = {
  "har-1.3-derived/derived-1.3.har": [31, 1, 12, 0, 27, 21, 1, 0, 2],
  "har-browser/chrome-har-capturer-h2.har": [3, 0, 0, 0, 3, 3, 0, 0, 0],
  "har-browser/chrome-har-capturer.har": [36, 0, 12, 1, 26, 23, 1, 7, 2],
  "har-browser/chromium-attach.zip": [32, 2, 12, 2, 27, 24, 1, 1, 1],
  "har-browser/chromium-embed.har": [32, 2, 11, 3, 27, 23, 1, 0, 2],
  "har-browser/chromium-h2.har": [4, 0, 1, 0, 3, 3, 0, 1, 0],
  "har-browser/chromium-minimal.har": [32, 2, 11, 3, 28, 24, 1, 0, 1],
  "har-browser/chromium-omit.har": [32, 2, 1, 13, 0, 0, 1, 28, 1],
  "har-browser/firefox-devtools.har": [40, 2, 14, 0, 34, 23, 1, 1, 2],
  "har-mitmproxy/mitm-h2.har": [12, 0, 2, 0, 11, 10, 0, 0, 1],
  "har-mitmproxy/mitm.har": [31, 1, 12, 0, 27, 21, 1, 0, 2],
  "nock/bookshop.back.json": [10, 0, 3, 0, 10, 8, 0, 0, 0],
  "nock/bookshop.recorder.json": [11, 0, 3, 0, 11, 9, 0, 0, 0],
  "pollyjs/bookshop-fetch_2512500612/recording.har": [10, 0, 1, 1, 9, 8, 0, 0, 1],
  "postman/bookshop.newman-run.json": [24, 1, 9, 2, 22, 20, 0, 0, 1],
  "postman/bookshop.sdk.json": [24, 24, 9, 2, 0, 0, 0, 0, 0],
  "postman/bookshop.v1.0.0.json": [24, 1, 9, 2, 21, 20, 0, 1, 1],
  "postman/bookshop.v2.0.0.json": [24, 1, 9, 2, 21, 20, 0, 1, 1],
  "postman/bookshop.v2.1.0-from-v1.json": [24, 1, 9, 2, 21, 20, 0, 1, 1],
  "postman/bookshop.v2.1.0.json": [24, 1, 9, 2, 22, 20, 0, 0, 1],
  // Examples that a tool made of a description are no answers of an API.
  "postman/from-openapi-schema.json": [44, 2, 22, 0, 0, 0, 0, 0, 42],
  "postman/from-openapi.json": [44, 2, 22, 0, 0, 0, 0, 0, 42],
  "postman/from-openapi.v1.0.0.json": [44, 2, 22, 0, 0, 0, 0, 0, 42],
  "postman/from-openapi.v2.0.0.json": [44, 2, 22, 0, 0, 0, 0, 0, 42],
  "postman/from-swagger2.json": [44, 2, 19, 3, 0, 0, 0, 0, 42],
  "ruby-vcr/bookshop.yml": [42, 0, 16, 1, 38, 35, 1, 0, 3],
  "ruby-vcr/bookshop_bytes_json.json": [3, 0, 1, 0, 3, 1, 0, 0, 0],
  "ruby-vcr/bookshop_decoded.yml": [1, 0, 0, 0, 1, 0, 0, 0, 0],
  "ruby-vcr/bookshop_gzip.yml": [1, 0, 0, 0, 1, 0, 0, 0, 0],
  "ruby-vcr/bookshop_json.json": [39, 0, 14, 1, 36, 34, 1, 0, 2],
  "ruby-vcr/by_host.yml": [1, 0, 0, 0, 1, 1, 0, 0, 0],
  "ruby-vcr/faraday_hook.yml": [7, 0, 2, 0, 6, 6, 0, 0, 1],
  "ruby-vcr/nested/bookshop_bytes.yml": [42, 0, 16, 1, 39, 36, 1, 0, 2],
  "schemathesis/bookshop-3.39.har": [385, 0, 249, 0, 385, 311, 0, 0, 0],
  "schemathesis/bookshop-3.39.yaml": [649, 0, 485, 0, 648, 576, 0, 0, 1],
  "schemathesis/bookshop-bytes.har": [47, 0, 24, 0, 44, 41, 2, 0, 1],
  "schemathesis/bookshop-bytes.ndjson": [47, 0, 24, 0, 44, 41, 2, 0, 1],
  "schemathesis/bookshop-bytes.yaml": [47, 0, 24, 0, 44, 41, 2, 0, 1],
  "schemathesis/bookshop-coverage.har": [248, 0, 178, 0, 243, 233, 3, 0, 2],
  "schemathesis/bookshop-coverage.yaml": [248, 0, 178, 0, 243, 233, 3, 0, 2],
  "schemathesis/bookshop-timeouts.har": [31, 4, 14, 0, 24, 23, 1, 0, 2],
  "schemathesis/bookshop-timeouts.yaml": [31, 4, 14, 0, 24, 23, 1, 0, 2],
  "schemathesis/bookshop.har": [109, 0, 56, 1, 99, 93, 3, 0, 7],
  "schemathesis/bookshop.ndjson": [109, 0, 57, 0, 99, 93, 3, 0, 7],
  "schemathesis/bookshop.yaml": [109, 0, 56, 1, 99, 93, 3, 0, 7],
  "vcrpy/bookshop-decoded.yaml": [11, 0, 3, 0, 10, 8, 1, 0, 0],
  "vcrpy/bookshop-httpx.yaml": [10, 0, 3, 0, 9, 7, 1, 0, 0],
  "vcrpy/bookshop-requests.json": [5, 0, 2, 0, 4, 4, 0, 0, 1],
  "vcrpy/bookshop-requests.yaml": [11, 0, 3, 0, 9, 7, 1, 0, 1],
};

async function interactionsOf(name: string): Promise<readonly Interaction[]> {
  return (await readAll(fixtureBytes(name), name)).interactions;
}

async function responsesOf(name: string): Promise<readonly HttpResponse[]> {
  return (await interactionsOf(name)).flatMap(({ response }) => response ?? []);
}

function isJson({ headers }: HttpResponse): boolean {
  return /^application\/(?:\w+\+)?json\b/.test(headerLookup(headers).get("content-type") ?? "");
}

for (const [name, expected] of Object.entries(EXPECTED)) {
  Deno.test(`${name} has all requests and answers, and the bodies that came`, async () => {
    const counts = Array.from({ length: 9 }, () => 0);
    const add = (index: number, is = true) => counts[index] = (counts[index] ?? 0) + Number(is);
    for (const { request, response, timestamp } of await interactionsOf(name)) {
      assert.match(request.method, /^[A-Z]+$/);
      assert.match(request.url, /^https?:\/\//);
      assert.ok(timestamp === undefined || timestamp > 1.795e9 && timestamp < 1.796e9);
      assert.equal(timestamp === undefined, /^(?:postman|nock|vcrpy)\//.test(name), name);
      add(0);
      add(1, response === undefined);
      add(2, request.body !== undefined);
      add(3, request.body_truncated === true);
      if (response === undefined) continue;
      const { body, body_truncated, status_code = 0, elapsed = 0 } = response;
      assert.ok(status_code >= 200 && elapsed < 100, request.url);
      if (body_truncated === true) {
        assert.equal(body, undefined);
        add(7);
      } else if (body === undefined || body === null) add(8);
      else if (body.length === 0) add(6);
      else {
        add(4);
        assert.ok(request.method !== "HEAD" && status_code !== 204 && status_code !== 304);
        if (!isJson(response)) continue;
        add(5);
        assert.doesNotThrow(() => JSON.parse(receivedText(response) ?? ""), request.url);
      }
    }
    assert.deepEqual(counts, expected);
  });
}

Deno.test("every recorder's table of books is the same text, compressed or not", async () => {
  for (
    const name of [
      "har-mitmproxy/mitm-h2.har",
      "nock/bookshop.recorder.json",
      "pollyjs/bookshop-fetch_2512500612/recording.har",
      "ruby-vcr/bookshop_decoded.yml",
      "ruby-vcr/bookshop_gzip.yml",
      "schemathesis/bookshop.har",
      "schemathesis/bookshop.ndjson",
      "vcrpy/bookshop-decoded.yaml",
      "vcrpy/bookshop-requests.yaml",
    ]
  ) {
    const csv = (await responsesOf(name)).find(({ headers }) =>
      /^text\/csv/.test(headerLookup(headers).get("content-type") ?? "")
    );
    const lines = receivedText(csv)?.split("\n") ?? [];
    assert.equal(lines[0], "id,title,price", name);
    // Its own data are what it made up.
    if (name.startsWith("schemathesis")) continue;
    assert.equal(lines[1], "1,Solaris,12.5", name);
    assert.match(lines[2] ?? "", /^2,Пикник на обочине,9.9/, name);
  }
});

Deno.test("headers of responses that repeat are kept apart where the recorder does", async () => {
  for (
    const name of [
      "har-browser/chromium-embed.har",
      "vcrpy/bookshop-httpx.yaml",
      "ruby-vcr/bookshop.yml",
    ]
  ) {
    const cookies = (await responsesOf(name)).map(({ headers }) =>
      headerLookup(headers).values("set-cookie")
    );
    assert.ok(cookies.some((values) => values.length === 2), name);
  }
});
