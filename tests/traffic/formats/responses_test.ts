import assert from "node:assert/strict";
import { headerLookup } from "../../../src/http/headers.ts";
import type { HttpResponse, Interaction } from "../../../src/http/interaction.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import { receivedText } from "../recordings.ts";

/** What each recording has of its responses: bodies, of them JSON; empty ones; missing ones; ones that say nothing. */
const EXPECTED: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  "har-1.3-derived/derived-1.3.har": [27, 21, 1, 0, 2],
  "har-browser/chrome-har-capturer-h2.har": [3, 3, 0, 0, 0],
  "har-browser/chrome-har-capturer.har": [26, 23, 1, 7, 2],
  "har-browser/chromium-attach.zip": [27, 24, 1, 1, 1],
  "har-browser/chromium-embed.har": [27, 23, 1, 0, 2],
  "har-browser/chromium-h2.har": [3, 3, 0, 1, 0],
  "har-browser/chromium-minimal.har": [28, 24, 1, 0, 1],
  "har-browser/chromium-omit.har": [0, 0, 1, 28, 1],
  "har-browser/firefox-devtools.har": [34, 23, 1, 1, 2],
  "har-mitmproxy/mitm-h2.har": [11, 10, 0, 0, 1],
  "har-mitmproxy/mitm.har": [27, 21, 1, 0, 2],
  "nock/bookshop.back.json": [10, 8, 0, 0, 0],
  "nock/bookshop.recorder.json": [11, 9, 0, 0, 0],
  "pollyjs/bookshop-fetch_2512500612/recording.har": [9, 8, 0, 0, 1],
  "postman/bookshop.newman-run.json": [22, 20, 0, 0, 1],
  "postman/bookshop.v1.0.0.json": [21, 20, 0, 1, 1],
  "postman/bookshop.v2.0.0.json": [21, 20, 0, 1, 1],
  "postman/bookshop.v2.1.0.json": [22, 20, 0, 0, 1],
  // Examples that a tool made of a description are no answers of an API.
  "postman/from-openapi.json": [0, 0, 0, 0, 42],
  "postman/from-openapi.v1.0.0.json": [0, 0, 0, 0, 42],
  "postman/from-swagger2.json": [0, 0, 0, 0, 42],
  "ruby-vcr/bookshop.yml": [38, 35, 1, 0, 3],
  "ruby-vcr/bookshop_bytes_json.json": [3, 1, 0, 0, 0],
  "ruby-vcr/bookshop_decoded.yml": [1, 0, 0, 0, 0],
  "ruby-vcr/bookshop_gzip.yml": [1, 0, 0, 0, 0],
  "ruby-vcr/bookshop_json.json": [36, 34, 1, 0, 2],
  "ruby-vcr/faraday_hook.yml": [6, 6, 0, 0, 1],
  "ruby-vcr/nested/bookshop_bytes.yml": [39, 36, 1, 0, 2],
  "schemathesis/bookshop-3.39.har": [385, 311, 0, 0, 0],
  "schemathesis/bookshop-bytes.har": [44, 41, 2, 0, 1],
  "schemathesis/bookshop-bytes.ndjson": [44, 41, 2, 0, 1],
  "schemathesis/bookshop-bytes.yaml": [44, 41, 2, 0, 1],
  "schemathesis/bookshop-timeouts.har": [24, 23, 1, 0, 2],
  "schemathesis/bookshop.har": [99, 93, 3, 0, 7],
  "schemathesis/bookshop.ndjson": [99, 93, 3, 0, 7],
  "schemathesis/bookshop.yaml": [99, 93, 3, 0, 7],
  "vcrpy/bookshop-decoded.yaml": [10, 8, 1, 0, 0],
  "vcrpy/bookshop-httpx.yaml": [9, 7, 1, 0, 0],
  "vcrpy/bookshop-requests.json": [4, 4, 0, 0, 1],
  "vcrpy/bookshop-requests.yaml": [9, 7, 1, 0, 1],
};

async function responsesOf(
  name: string,
): Promise<(Interaction & { readonly response: HttpResponse })[]> {
  const bytes = await Deno.readFile(new URL(`../../fixtures/recordings/${name}`, import.meta.url));
  const found: (Interaction & { readonly response: HttpResponse })[] = [];
  for await (const interaction of readRecording(bytes, name)) {
    const { response } = interaction;
    if (response !== undefined) found.push({ ...interaction, response });
  }
  return found;
}

function isJson({ headers }: HttpResponse): boolean {
  return /^application\/(?:\w+\+)?json\b/.test(headerLookup(headers).get("content-type") ?? "");
}

for (const [name, expected] of Object.entries(EXPECTED)) {
  Deno.test(`the bodies of responses in ${name} are those that came`, async () => {
    const counts = [0, 0, 0, 0, 0];
    const add = (index: number) => counts[index] = (counts[index] ?? 0) + 1;
    for (const { request, response } of await responsesOf(name)) {
      const { body, body_truncated, status_code } = response;
      if (body_truncated === true) {
        assert.equal(body, undefined);
        add(3);
      } else if (body === undefined || body === null) add(4);
      else if (body.length === 0) add(2);
      else {
        add(0);
        assert.ok(request.method !== "HEAD" && status_code !== 204 && status_code !== 304);
        if (!isJson(response)) continue;
        add(1);
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
    const csv = (await responsesOf(name)).find(({ response }) =>
      /^text\/csv/.test(headerLookup(response.headers).get("content-type") ?? "")
    );
    const lines = receivedText(csv?.response)?.split("\n") ?? [];
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
    const cookies = (await responsesOf(name)).map(({ response }) =>
      headerLookup(response.headers).values("set-cookie")
    );
    assert.ok(cookies.some((values) => values.length === 2), name);
  }
});
