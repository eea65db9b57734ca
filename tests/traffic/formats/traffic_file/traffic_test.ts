import assert from "node:assert/strict";
import { decodeBase64 } from "../../../../src/http/body_text.ts";
import { TRAFFIC_FILE } from "../../../../src/traffic/formats/traffic_file/traffic.ts";
import { readAs } from "../../read_all.ts";

const REQUEST = { method: "GET", url: "http://localhost/a" };

/** Members of an interaction; its request also has the method and URL above. */
interface Part {
  readonly request?: object;
  readonly response?: object | null;
  readonly [more: string]: unknown;
}

function exchange({ request, ...more }: Part): object {
  return { request: { ...REQUEST, ...request }, ...more };
}

const RESPONSE = {
  status_code: 200,
  headers: { "Set-Cookie": ["a=1", "b=2"], "Content-Type": "text/plain" },
  body: "text",
};
const TIMES = { elapsed_sum: 3, elapsed_max: 2 };
const LOST = { body_truncated: true };
const NO_BASE64 = "`body_base64` is not valid base64: the body counts as not recorded";
const NO_TEXT = "`body` is not a string (write JSON as a string): the body counts as not recorded";
const NO_TEST = "`test` is neither a string nor an object with a `name` and is ignored";
const NO_TIMES =
  "`elapsed_sum` and `elapsed_max` are ignored where one is missing or the sum is too large";

/** Input, the interaction that is read, and the warnings, each with a place in the interaction. */
const CASES: readonly (readonly [written: Part, read: Part, ...warnings: readonly string[]])[] = [
  // Members that are absent or null are left out.
  [{ request: { headers: null, body: null, body_base64: null }, response: null }, {}],
  [{ response: { status_code: null, elapsed: null }, timestamp: null }, { response: {} }],
  [{ response: { status_code: 200, body: null, headers: null } }, {
    response: { status_code: 200 },
  }],
  // The name of a test must be text.
  [{ test: null }, {}],
  [{ test: "" }, {}],
  [{ test: 7 }, {}, `${NO_TEST} (at test)`],
  // Binary bodies are decoded, and empty ones are kept.
  [{ request: { body_base64: "AP8=" } }, { request: { body: Uint8Array.of(0, 255) } }],
  [{ request: { body: "" } }, { request: { body: "" } }],
  [{ request: LOST }, { request: LOST }],
  [{ response: RESPONSE }, { response: RESPONSE }],
  [{ response: { body: "" } }, { response: { body: "" } }],
  [{ response: LOST }, { response: LOST }],
  [{ response: { body_base64: "" } }, { response: { body: new Uint8Array() } }],
  ...["AP8=", "AP8", "AP_-_w==", "A P\n8="].map((body_base64) =>
    [{ response: { body_base64 } }, { response: { body: decodeBase64(body_base64) } }] as const
  ),
  // A body that can't be read counts as not recorded.
  [{ request: { body_base64: "{}" } }, { request: LOST }, `${NO_BASE64} (at request.body_base64)`],
  [{ request: { body: { a: 1 } } }, { request: LOST }, `${NO_TEXT} (at request.body)`],
  ...["#", "AAAAA", "AP8==", "A", 7].map((body_base64) =>
    [
      { response: { status_code: 200, body_base64 } },
      { response: { status_code: 200, ...LOST } },
      `${NO_BASE64} (at response.body_base64)`,
    ] as const
  ),
  [{ response: { body: { a: 1 } } }, { response: LOST }, `${NO_TEXT} (at response.body)`],
  [
    { request: { body: "x", body_base64: "eQ==" } },
    { request: { body: Uint8Array.of(0x79) } },
    "`body` is ignored, as `body_base64` is given too (at request.body)",
  ],
  // Fields of the wrong type are ignored.
  [
    {
      request: { headers: { a: 1, b: ["x", 2], c: "y" }, body_truncated: "no" },
      response: { status_code: "200", elapsed: -1 },
      timestamp: "2020-01-01",
    },
    { request: { headers: { c: "y" } }, response: {} },
    "a header that is neither a string nor a list of strings is ignored (2 times, first at request.headers.a)",
    "`body_truncated` is neither true nor false and is ignored (at request.body_truncated)",
    "`status_code` is not an HTTP status and is ignored (at response.status_code)",
    "`elapsed` is not a number of seconds and is ignored (at response.elapsed)",
    "`timestamp` is not a number of seconds and is ignored (at timestamp)",
  ],
  [
    { request: { headers: "a: b" }, response: [] },
    {},
    "`headers` is neither an object nor a list of pairs and is ignored (at request.headers)",
    "`response` is not an object and is ignored (at response)",
  ],
  [
    { response: { status_code: 999 } },
    { response: { status_code: 999 } },
    "a status outside 100 to 599, which HTTP doesn't have, is counted as recorded (at response.status_code)",
  ],
  [
    { response: { status: 200 } },
    { response: {} },
    "`status` is ignored: the status belongs in `status_code` (at response.status)",
  ],
  [
    { response: { statusCode: "200" } },
    { response: {} },
    "`statusCode` is ignored: the status belongs in `status_code` (at response.statusCode)",
  ],
  // The duration of several requests needs the longest of them.
  [{ response: TIMES, count: 2 }, { response: TIMES, count: 2 }],
  ...[{ elapsed_sum: 3 }, { elapsed_max: 2 }, { elapsed_sum: 1e300, elapsed_max: 1 }].map((times) =>
    [
      { response: { status_code: 200, ...times }, count: 2 },
      { response: { status_code: 200 }, count: 2 },
      `${NO_TIMES} (at response.elapsed_sum)`,
    ] as const
  ),
];

for (const [written, read, ...expected] of CASES) {
  Deno.test(`TRAFFIC_FILE reads ${JSON.stringify(written)}, and warns about what it ignores`, () => {
    const { interactions, warnings } = readAs(TRAFFIC_FILE, {
      interactions: [{ request: REQUEST }, exchange(written)],
    }, "t.json");
    assert.deepEqual(interactions[1], exchange(read));
    assert.deepEqual(
      warnings.map((warning) => warning.replace("interactions[1].", "")),
      expected.map((sentence) => `t.json: ${sentence}.`),
    );
  });
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
  assert.deepEqual(readAs(TRAFFIC_FILE, { interactions: [interaction] }), {
    interactions: [interaction],
    warnings: [],
  });
});

Deno.test("TRAFFIC_FILE leaves out interactions without a method, URL or request, and counts them by kind", () => {
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

Deno.test("decodeBase64() accepts URL-safe text, line breaks and missing padding", () => {
  assert.deepEqual(decodeBase64("-_8"), new Uint8Array([0xfb, 0xff]));
  assert.deepEqual(decodeBase64("aGVs\r\nbG8="), new TextEncoder().encode("hello"));
  assert.deepEqual(decodeBase64(""), new Uint8Array());
  assert.equal(decodeBase64("a"), undefined);
  assert.equal(decodeBase64("ü"), undefined);
});
