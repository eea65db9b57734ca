import assert from "node:assert/strict";
import type { HttpResponse, Interaction } from "../../../src/http/interaction.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import { type TrafficLayout, writeTraffic } from "../../../src/traffic/write/traffic_line.ts";

const URL = "http://localhost/books";
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

async function written(
  batches: readonly (readonly Interaction[])[],
  layout: TrafficLayout = "jsonl",
): Promise<string> {
  let text = "";
  for await (const piece of writeTraffic(batches, layout)) text += piece;
  return text;
}

async function readBack(interaction: Interaction): Promise<Record<string, unknown>> {
  return JSON.parse(await written([[interaction]])).request;
}

Deno.test("written traffic is read back unchanged, in both layouts", async () => {
  const interactions: Interaction[] = [
    {
      request: {
        method: "POST",
        url: `${URL}?q=%C3%A9`,
        headers: { "Content-Type": "application/json", "X-Tag": ["a", "b"] },
        body: '{"title": "Momo \\ud83d\\udcff 📿"}',
      },
      response: { status_code: 201, elapsed: 0.0125 },
      timestamp: 1_700_000_000.25,
      test: 'books > "are" added',
    },
    { request: { method: "PUT", url: URL, body: bytes(0xff, 0, 1) }, response: {} },
    { request: { method: "POST", url: URL, body: "cut", body_truncated: true } },
    { request: { method: "GET", url: "/books" } },
    {
      request: { method: "GET", url: "/books/1" },
      response: {
        status_code: 200,
        elapsed: 0.5,
        headers: { "Content-Type": "application/json", "Set-Cookie": ["a=1", "b=2"] },
        body: '{"id":1}',
      },
    },
    {
      request: { method: "GET", url: "/cover" },
      response: {
        status_code: 200,
        headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
        body: bytes(0x1f, 0x8b, 0xff),
      },
    },
    {
      request: { method: "GET", url: "/large" },
      response: { status_code: 200, headers: {}, body_truncated: true },
    },
    {
      request: { method: "PUT", url: "/books/1" },
      response: { status_code: 200, headers: {}, body: "" },
    },
  ];
  for (const layout of ["json", "jsonl"] as const) {
    const text = await written([interactions.slice(0, 1), [], interactions.slice(1)], layout);
    const read: Interaction[] = [];
    for await (const interaction of readRecording(text, "traffic")) read.push(interaction);
    assert.deepEqual(read, interactions, layout);
  }
});

Deno.test("a JSON document also has one interaction per line", async () => {
  const interaction = { request: { method: "GET", url: URL } };
  const line = `{"request":{"method":"GET","url":"${URL}"}}`;
  assert.equal(
    await written([[interaction, interaction], [interaction]], "json"),
    `{"interactions":[\n${line},\n${line},\n${line}\n]}\n`,
  );
  assert.equal(await written([[interaction], [interaction]], "jsonl"), `${line}\n${line}\n`);
});

Deno.test("without interactions, the list or the file is empty", async () => {
  assert.equal(await written([], "json"), '{"interactions":[]}\n');
  assert.equal(await written([[]], "jsonl"), "");
});

Deno.test("bytes are written as text if that is equivalent, otherwise as base64", async () => {
  const utf8 = new TextEncoder().encode("é");
  const cases: readonly [Uint8Array, Record<string, string>, Record<string, string>][] = [
    [utf8, {}, { body: "é" }],
    [utf8, { "Content-Type": "text/plain; charset=UTF-8" }, { body: "é" }],
    [utf8, { "content-type": "text/plain; charset=latin1" }, { body_base64: "w6k=" }],
    [utf8, { "Content-Encoding": "gzip" }, { body_base64: "w6k=" }],
    [utf8, { "Content-Type": "multipart/form-data; boundary=x" }, { body_base64: "w6k=" }],
    [bytes(0xe9), {}, { body_base64: "6Q==" }],
    [bytes(0xef, 0xbb, 0xbf, 0x61), {}, { body_base64: "77u/YQ==" }],
    [bytes(), {}, {}],
  ];
  for (const [body, headers, expected] of cases) {
    const request = { method: "POST", url: URL, headers, body };
    assert.deepEqual(await readBack({ request }), {
      method: "POST",
      url: URL,
      headers,
      ...expected,
    });
  }
});

Deno.test("a long body is encoded as one base64 text", async () => {
  const body = new Uint8Array(100_003).fill(0xfe);
  const { body_base64 } = await readBack({ request: { method: "POST", url: URL, body } });
  assert.equal(atob(String(body_base64)).length, body.length);
});

Deno.test("repeated headers are written as lists, in whatever form they were given", async () => {
  for (
    const headers of [
      [["X-Tag", "a"], ["Accept", "*/*"], ["X-Tag", "b"]] as const,
      { "X-Tag": ["a", "b"], Accept: "*/*", Gone: undefined },
    ]
  ) {
    const request = await readBack({ request: { method: "GET", url: URL, headers } });
    assert.deepEqual(request["headers"], { "X-Tag": ["a", "b"], Accept: "*/*" });
  }
  const headers = new Headers({ "X-Tag": "a" });
  const request = await readBack({ request: { method: "GET", url: URL, headers } });
  assert.deepEqual(request["headers"], { "x-tag": "a" });
});

Deno.test("a body with NUL is written as base64, whether it is bytes or text", async () => {
  const json = { "content-type": "application/json" };
  const nul = { method: "POST", url: URL, body_base64: "YQBi" };
  for (const body of ["a\0b", bytes(0x61, 0, 0x62)]) {
    const plain = await readBack({ request: { method: "POST", url: URL, body } });
    assert.deepEqual(plain, nul);
    const typed = await readBack({ request: { method: "POST", url: URL, headers: json, body } });
    assert.equal(typed["body_base64"], "YQBi");
  }
  // As bytes, these would be decoded again, or differently.
  for (
    const headers of [
      { "content-encoding": "gzip" },
      { "content-type": "text/plain; charset=utf-16le" },
    ]
  ) {
    const request = { method: "POST", url: URL, headers, body: "a\0b" };
    assert.equal((await readBack({ request }))["body"], "a\0b");
  }
  const lone = { method: "POST", url: URL, body: "\0\ud800" };
  assert.equal((await readBack({ request: lone }))["body"], "\0\ud800");
});

Deno.test("an empty response body is kept, and bytes of text become text", async () => {
  const line = async (response: HttpResponse): Promise<string> =>
    await written([[{ request: { method: "GET", url: URL }, response }]]);
  const begin = `{"request":{"method":"GET","url":"${URL}"},"response":`;
  assert.equal(
    await line({ status_code: 200, body: bytes() }),
    `${begin}{"status_code":200,"body":""}}\n`,
  );
  assert.equal(
    await line({ status_code: 200, headers: new Headers({ a: "b" }), body: bytes(0xc3, 0xa9) }),
    `${begin}{"status_code":200,"headers":{"a":"b"},"body":"é"}}\n`,
  );
  assert.equal(await line({ status_code: 204 }), `${begin}{"status_code":204}}\n`);
  assert.equal(await line({ body: null }), `${begin}{}}\n`);
});
