import assert from "node:assert/strict";
import { decodeBase64 } from "../../../../src/http/body_text.ts";
import { TRAFFIC_FILE } from "../../../../src/traffic/formats/traffic_file/traffic.ts";
import { readAs } from "../../read_all.ts";

const REQUEST = { method: "GET", url: "http://localhost/a" };

/** What becomes of one request, and the warnings about it. */
function read(request: object, more: object = {}): [unknown, readonly string[]] {
  const { interactions, warnings } = readAs(TRAFFIC_FILE, {
    interactions: [{ request: REQUEST }, { request: { ...REQUEST, ...request }, ...more }],
  }, "t.json");
  return [interactions[1], warnings];
}

Deno.test("TRAFFIC_FILE reads requests, responses and times", () => {
  const interaction = {
    request: {
      method: "POST",
      url: "http://localhost/a?b=1",
      headers: { "Content-Type": "text/plain", Accept: ["a", "b"] },
      body: "text",
    },
    response: { status_code: 201, elapsed: 0.25 },
    timestamp: 1700000000.5,
    test: "books > are added",
  };
  const { interactions, warnings } = readAs(
    TRAFFIC_FILE,
    { interactions: [interaction] },
    "t.json",
  );
  assert.deepEqual(interactions, [interaction]);
  assert.deepEqual(warnings, []);
});

Deno.test("TRAFFIC_FILE warns of a test name that isn't text, and ignores it", () => {
  assert.deepEqual(read({}, { test: null }), [{ request: REQUEST }, []]);
  assert.deepEqual(read({}, { test: "" }), [{ request: REQUEST }, []]);
  assert.deepEqual(read({}, { test: 7 }), [{ request: REQUEST }, [
    "t.json: `test` is neither a string nor an object with a `name` and is ignored (at interactions[1].test).",
  ]]);
});

Deno.test("TRAFFIC_FILE omits members that are absent or null", () => {
  assert.deepEqual(read({ headers: null, body: null, body_base64: null }, { response: null }), [
    { request: REQUEST },
    [],
  ]);
  assert.deepEqual(read({}, { response: { status_code: null, elapsed: null }, timestamp: null }), [
    { request: REQUEST, response: {} },
    [],
  ]);
});

Deno.test("TRAFFIC_FILE decodes binary bodies and keeps empty ones", () => {
  assert.deepEqual(read({ body_base64: "AP8=" }), [
    { request: { ...REQUEST, body: new Uint8Array([0, 255]) } },
    [],
  ]);
  assert.deepEqual(read({ body: "" }), [{ request: { ...REQUEST, body: "" } }, []]);
  assert.deepEqual(read({ body_truncated: true }), [
    { request: { ...REQUEST, body_truncated: true } },
    [],
  ]);
});

Deno.test("TRAFFIC_FILE counts a body that it cannot read as not recorded, and says so", () => {
  const lost = { request: { ...REQUEST, body_truncated: true } };
  assert.deepEqual(read({ body_base64: "{}" }), [lost, [
    "t.json: `body_base64` is not valid base64: the body counts as not recorded (at interactions[1].request.body_base64).",
  ]]);
  assert.deepEqual(read({ body: { a: 1 } }), [lost, [
    "t.json: `body` is not a string (write JSON as a string): the body counts as not recorded (at interactions[1].request.body).",
  ]]);
});

Deno.test("TRAFFIC_FILE prefers body_base64 to body, and says so", () =>
  assert.deepEqual(read({ body: "x", body_base64: "eQ==" }), [
    { request: { ...REQUEST, body: new Uint8Array([0x79]) } },
    ["t.json: `body` is ignored, as `body_base64` is given too (at interactions[1].request.body)."],
  ]));

Deno.test("TRAFFIC_FILE ignores fields of the wrong type, and says which", () => {
  const [interaction, warnings] = read(
    { headers: { a: 1, b: ["x", 2], c: "y" }, body_truncated: "no" },
    { response: { status_code: "200", elapsed: -1 }, timestamp: "2020-01-01" },
  );
  assert.deepEqual(interaction, { request: { ...REQUEST, headers: { c: "y" } }, response: {} });
  assert.deepEqual(warnings, [
    "t.json: a header that is neither a string nor a list of strings is ignored (2 times, first at interactions[1].request.headers.a).",
    "t.json: `body_truncated` is neither true nor false and is ignored (at interactions[1].request.body_truncated).",
    "t.json: `status_code` is not an HTTP status and is ignored (at interactions[1].response.status_code).",
    "t.json: `elapsed` is not a number of seconds and is ignored (at interactions[1].response.elapsed).",
    "t.json: `timestamp` is not a number of seconds and is ignored (at interactions[1].timestamp).",
  ]);
  assert.deepEqual(read({ headers: "a: b" }, { response: [] }), [{ request: REQUEST }, [
    "t.json: `headers` is neither an object nor a list of pairs and is ignored (at interactions[1].request.headers).",
    "t.json: `response` is not an object and is ignored (at interactions[1].response).",
  ]]);
});

Deno.test("TRAFFIC_FILE leaves out interactions without method, url or request, counted by kind", () => {
  const { interactions, warnings } = readAs(TRAFFIC_FILE, {
    interactions: [
      null,
      { request: { url: "http://localhost/a" } },
      { request: { method: "GET", url: "" } },
      { response: {} },
      { request: REQUEST },
    ],
  }, "t.json");
  assert.deepEqual(interactions, [{ request: REQUEST }]);
  assert.deepEqual(warnings, [
    "t.json: an interaction without an object `request` is left out (2 times, first at interactions[0]).",
    "t.json: an interaction whose request has no string `method` is left out (at interactions[1].request.method).",
    "t.json: an interaction whose request has no string `url` is left out (at interactions[2].request.url).",
  ]);
});

Deno.test("TRAFFIC_FILE.recognize() rejects documents without a list of interactions", () => {
  for (const value of [{}, "text", null, { openapi: "3.1.0" }, { interactions: {} }]) {
    assert.equal(TRAFFIC_FILE.recognize(value), false);
  }
});

Deno.test("TRAFFIC_FILE refuses a recording that holds nothing usable", () => {
  assert.throws(() => readAs(TRAFFIC_FILE, [{}, {}], "t.json"), {
    code: "unusable",
    message:
      "Cannot read t.json: None of its 2 entries can be used: an interaction without an object `request` is left out (2 times, first at interactions[0]).",
  });
  assert.deepEqual(readAs(TRAFFIC_FILE, { interactions: [] }, "t.json").interactions, []);
});

Deno.test("TRAFFIC_FILE.recognize() tells traffic files from cassettes and other recordings", () => {
  assert.equal(TRAFFIC_FILE.recognize({ interactions: [] }), true);
  assert.equal(TRAFFIC_FILE.recognize([{ request: REQUEST }]), true);
  assert.equal(TRAFFIC_FILE.recognize({ request: REQUEST }), true);
  assert.equal(
    TRAFFIC_FILE.recognize({ interactions: [{ request: { method: "GET", uri: "http://x" } }] }),
    false,
  );
  assert.equal(TRAFFIC_FILE.recognize({ log: { entries: [] } }), false);
  assert.equal(TRAFFIC_FILE.recognize([]), false);
});

Deno.test("decodeBase64() takes URL-safe text, line breaks and missing padding", () => {
  assert.deepEqual(decodeBase64("-_8"), new Uint8Array([0xfb, 0xff]));
  assert.deepEqual(decodeBase64("aGVs\r\nbG8="), new TextEncoder().encode("hello"));
  assert.deepEqual(decodeBase64(""), new Uint8Array());
  assert.equal(decodeBase64("a"), undefined);
  assert.equal(decodeBase64("ü"), undefined);
});

/** What becomes of one response, and the warnings about it. */
function readAnswer(response: object): [unknown, readonly string[]] {
  const [interaction, warnings] = read({}, { response });
  return [(interaction as { readonly response: unknown }).response, warnings];
}

Deno.test("TRAFFIC_FILE reads the headers and the body of responses", () => {
  const response = {
    status_code: 200,
    headers: { "Set-Cookie": ["a=1", "b=2"], "Content-Type": "text/plain" },
    body: "text",
  };
  assert.deepEqual(readAnswer(response), [response, []]);
  assert.deepEqual(readAnswer({ status_code: 200, body: "" }), [
    { status_code: 200, body: "" },
    [],
  ]);
  assert.deepEqual(readAnswer({ status_code: 200, body: null, headers: null }), [
    { status_code: 200 },
    [],
  ]);
  assert.deepEqual(readAnswer({ status_code: 200, body_truncated: true }), [
    { status_code: 200, body_truncated: true },
    [],
  ]);
  for (const base64 of ["AP8=", "AP8", "AP_-_w==", "A P\n8="]) {
    const body = decodeBase64(base64);
    assert.deepEqual(readAnswer({ body_base64: base64 }), [{ body }, []], base64);
  }
  assert.deepEqual(readAnswer({ body_base64: "" }), [{ body: new Uint8Array() }, []]);
});

Deno.test("TRAFFIC_FILE counts a response body that it cannot read as not recorded, and says so", () => {
  for (const broken of ["#", "AAAAA", "AP8==", "A", 7]) {
    assert.deepEqual(readAnswer({ status_code: 200, body_base64: broken }), [
      { status_code: 200, body_truncated: true },
      [
        "t.json: `body_base64` is not valid base64: the body counts as not recorded (at interactions[1].response.body_base64).",
      ],
    ], String(broken));
  }
  assert.deepEqual(readAnswer({ body: { a: 1 } }), [{ body_truncated: true }, [
    "t.json: `body` is not a string (write JSON as a string): the body counts as not recorded (at interactions[1].response.body).",
  ]]);
});

Deno.test("TRAFFIC_FILE says where a status isn't one of HTTP", () =>
  assert.deepEqual(readAnswer({ status_code: 999 }), [{ status_code: 999 }, [
    "t.json: a status outside 100 to 599, which HTTP doesn't have, is counted as recorded (at interactions[1].response.status_code).",
  ]]));

Deno.test("the duration of several requests is taken with the longest of them, or not at all", () => {
  const [sum, longest] = [{ elapsed_sum: 3 }, { elapsed_max: 2 }];
  const both = { status_code: 200, ...sum, ...longest };
  assert.deepEqual(read({}, { response: both, count: 2 }), [
    { request: REQUEST, response: both, count: 2 },
    [],
  ]);
  for (const one of [sum, longest, { elapsed_sum: 1e300, elapsed_max: 1 }]) {
    assert.deepEqual(read({}, { response: { status_code: 200, ...one }, count: 2 }), [
      { request: REQUEST, response: { status_code: 200 }, count: 2 },
      [
        "t.json: `elapsed_sum` and `elapsed_max` are ignored where one is missing or the sum is too large (at interactions[1].response.elapsed_sum).",
      ],
    ]);
  }
});
