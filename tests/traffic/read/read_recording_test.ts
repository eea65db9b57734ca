import { deflateSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { RecordingError } from "../../../src/values/errors.ts";
import { formatsInFamily } from "../../../src/traffic/formats/formats.ts";
import { readRecording } from "../../../src/traffic/read/read_recording.ts";
import { encode, fixtureBytes, inPieces, latin1, readAll } from "../read_all.ts";
import { closeJson } from "../../../src/traffic/read/read_text.ts";
import assert from "node:assert/strict";

Deno.test("closeJson() drops the incomplete item with everything in it", () => {
  assert.equal(
    closeJson('{"a": [{"b": [{"c": 1}]}, {"b": [{"c": 2}, {"c"'),
    '{"a": [{"b": [{"c": 1}]}]}',
  );
  assert.equal(closeJson('[{"a": "]}"}, {"a": "\\'), '[{"a": "]}"}]');
  assert.equal(closeJson('{"run": {"list": [{"a": 1}, {'), '{"run": {"list": [{"a": 1}]}}');
});

Deno.test("closeJson() returns undefined without a complete item and for other errors", () => {
  assert.equal(closeJson('{"a": [{"b": 1'), undefined);
  assert.equal(closeJson(""), undefined);
  assert.equal(closeJson('[{"a": 1}}'), undefined);
  assert.equal(closeJson('[{"a": 1}]'), undefined);
});

const REQUEST = { method: "GET", url: "http://localhost/books" };

function writeHar(count: number): string {
  const entries = Array.from({ length: count }, (_, index) => ({
    startedDateTime: "2026-01-31T12:00:00Z",
    time: 1,
    request: { ...REQUEST, url: `${REQUEST.url}/${index}`, headers: [] },
    response: { status: 200 },
  }));
  return JSON.stringify({ log: { version: "1.2", entries, pages: [] } });
}

function makeTraffic(count: number): unknown[] {
  return Array.from(
    { length: count },
    (_, index) => ({ request: { ...REQUEST, url: `${REQUEST.url}/${index}` } }),
  );
}

async function failsWith(source: string | Uint8Array, pattern: RegExp): Promise<RecordingError> {
  let caught: unknown;
  try {
    await readAll(source, "traffic");
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof RecordingError, String(caught));
  assert.match(caught.message, pattern);
  return caught;
}

Deno.test("an archive whose entries aren't a list is refused, not read as empty", async () => {
  for (const entries of ['"x"', "null", "{}", "5"]) {
    await failsWith(
      `{"log":{"version":"1.2","entries":${entries},"pages":[]}}`,
      /It looks like a HAR, but `log` has no list `entries`/,
    );
  }
  const { interactions } = await readAll('{"log":{"entries":[]}}', "empty.har");
  assert.deepEqual(interactions, []);
});

Deno.test("values that nest too deeply are left out, or are an error that names the recording", async () => {
  const lists = "[".repeat(20_000) + "]".repeat(20_000);
  const list =
    /^Cannot read traffic: This is a list that begins with a list that begins with a list, not a recording/;
  await failsWith(lists, list);
  await failsWith(lists.slice(0, -5_000), list);
  await failsWith(`# YAML\n${lists}`, /^Cannot read traffic: .*\(line 2, column \d+/);
  await failsWith(`{"x": ${lists}}`, /^Cannot read traffic: This is an object with `x`/);
  const nock = { scope: "http://h:80", method: "POST", path: "/a", status: 200, response: "" };
  const { interactions } = await readAll(
    `[${JSON.stringify(nock).replace("}", `,"body":${lists}}`)}]`,
    "nock.json",
  );
  assert.equal(interactions.length, 1);
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  const items = '[{"item":'.repeat(5_000) + '[{"request":{}}]' + "}]".repeat(5_000);
  const { message } = await failsWith(
    `{"info":{"schema":"${schema}"},"item":${items}}`,
    /\(at item\[0\]\.item\[0\].*…/,
  );
  assert.ok(message.length < 500, `${message.length} characters`);
});

Deno.test("the error about a stack overflow names the recording", async () => {
  const endless = (depth: number): number => 1 + endless(depth + 1);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield encode("[");
    endless(0);
  }
  const reader = readRecording(pieces(), "deep.json");
  await assert.rejects(async () => {
    for await (const _ of reader.batches());
  }, {
    name: "RecordingError",
    message: "Cannot read deep.json: The recording is nested too deeply.",
  });
});

Deno.test("a recording is read the same as text, as bytes, and in pieces of any size", async () => {
  for (
    const path of [
      "har-mitmproxy/mitm.har",
      "postman/bookshop.sdk.json",
      "vcrpy/bookshop-httpx.yaml",
    ]
  ) {
    const bytes = fixtureBytes(path);
    const whole = await readAll(bytes);
    assert.deepEqual(await readAll(new TextDecoder().decode(bytes)), whole);
    for (const size of [1, 1_000, 65_536]) {
      assert.deepEqual(await readAll(inPieces(bytes, size)), whole, `${path} in ${size}`);
    }
  }
});

Deno.test("a long text is not split within a character", async () => {
  const url = `${REQUEST.url}?q=${"📿".repeat(200_000)}`;
  const { interactions } = await readAll(JSON.stringify([{ request: { ...REQUEST, url } }]));
  assert.equal(interactions[0]?.request.url, url);
});

Deno.test("lines of a log may have an object `log`, as those of an archive have", async () => {
  const entry = { time: "2026-01-31T12:00:00Z", method: "GET", path: "/books", status: 200 };
  const line = JSON.stringify({ log: { level: "info" }, ...entry });
  for (const text of [line, `${line}\n${line}\n`, `${JSON.stringify(entry)}\n${line}`]) {
    const { interactions } = await readAll(text);
    assert.equal(interactions.length, text.trim().split("\n").length);
  }
});

Deno.test("gzip and zlib are decoded", async () => {
  for (const path of ["har-mitmproxy/mitm.har", "ruby-vcr/bookshop.yml"]) {
    const bytes = fixtureBytes(path);
    const whole = await readAll(bytes);
    for (const packed of [gzipSync(bytes), deflateSync(bytes), gzipSync(gzipSync(bytes))]) {
      assert.deepEqual(await readAll(new Uint8Array(packed)), whole);
      assert.deepEqual(await readAll(inPieces(new Uint8Array(packed), 100)), whole);
    }
  }
});

Deno.test("a gzip of several members is one recording", async () => {
  const text = writeHar(100);
  const members = [gzipSync(text.slice(0, 1_000)), gzipSync(text.slice(1_000))];
  const packed = new Uint8Array(members.flatMap((member) => [...member]));
  assert.equal((await readAll(packed)).interactions.length, 100);
  // A piece of a file can end where a member does.
  for (const size of [1, members[0]?.length ?? 0]) {
    assert.equal((await readAll(inPieces(packed, size))).interactions.length, 100, String(size));
  }
  const [first = [], second = []] = members.map((member) => [...member]);
  const padded = Uint8Array.from([...first, ...second, ...new Array<number>(512).fill(0)]);
  assert.equal((await readAll(inPieces(padded, first.length + second.length))).warnings.length, 0);
});

Deno.test("a byte order mark and UTF-16 are read", async () => {
  const text = JSON.stringify([{ request: { ...REQUEST, body: "雪" } }]);
  const utf16 = (isLittle: boolean) => {
    const bytes = new Uint8Array(2 + text.length * 2);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0xfeff, isLittle);
    for (let index = 0; index < text.length; index++) {
      view.setUint16(2 + index * 2, text.charCodeAt(index), isLittle);
    }
    return bytes;
  };
  for (const bytes of [encode(`\ufeff${text}`), utf16(true), utf16(false)]) {
    for (const size of [1, 3, 10_000]) {
      const { interactions } = await readAll(inPieces(bytes, size));
      assert.equal(interactions[0]?.request.body, "雪");
    }
  }
});

Deno.test("lone surrogates and invalid UTF-8 don't lose interactions", async () => {
  const [begin, end] = [
    '[{"request": {"method": "GET", "url": "http://localhost/',
    '?q=\\udcff"}}]',
  ];
  const bytes = new Uint8Array([...encode(begin), 0xff, 0xed, ...encode(end)]);
  const { interactions } = await readAll(bytes);
  assert.equal(interactions[0]?.request.url, "http://localhost/\ufffd\ufffd?q=\udcff");
});

Deno.test("the keys of a recording may come in any order", async () => {
  const other = { list: [{ request: 1 }], text: 'a "quoted" ] }' };
  const { log } = JSON.parse(writeHar(3)) as { readonly log: { readonly entries: unknown } };
  const documents = [
    { comment: other, log: { pages: [other], entries: log.entries, browser: other }, more: other },
    { meta: other, interactions: makeTraffic(3), more: other },
  ];
  for (const document of documents) {
    const { interactions, warnings } = await readAll(JSON.stringify(document, null, 2));
    assert.equal(interactions.length, 3);
    assert.deepEqual(warnings, []);
  }
});

Deno.test("a traffic file may be an object, a list, one interaction, or one per line", async () => {
  const three = makeTraffic(3);
  const lines = three.map((interaction) => JSON.stringify(interaction));
  const pretty = three.map((interaction) => JSON.stringify(interaction, null, 2));
  const sources = [
    JSON.stringify({ interactions: three }),
    JSON.stringify(three),
    lines.join("\n"),
    `${lines.join("\r\n\r\n")}\r\n`,
    `\n${pretty.join("\n")}\n`,
  ];
  const whole = await readAll(JSON.stringify(three));
  assert.equal(whole.interactions.length, 3);
  for (const source of sources) assert.deepEqual(await readAll(source), whole);
  assert.equal((await readAll(JSON.stringify(three[0], null, 2))).interactions.length, 1);
  assert.deepEqual(await readAll('{"interactions": []}'), { interactions: [], warnings: [] });
});

Deno.test("a broken line doesn't affect other lines", async () => {
  const [first, second] = makeTraffic(2).map((interaction) => JSON.stringify(interaction));
  const { interactions, warnings } = await readAll(
    `${first}\n\n{"request":\n${second}\n`,
    "t.jsonl",
  );
  assert.equal(interactions.length, 2);
  assert.deepEqual(warnings, [
    "t.jsonl: an interaction that is not valid JSON is left out (at line 3).",
  ]);
});

Deno.test("a truncated recording gives its complete entries and the byte where it ends", async () => {
  const whole = writeHar(10);
  const cutAt = whole.indexOf("books/7");
  const traffic = JSON.stringify({ interactions: makeTraffic(10) });
  const lines = makeTraffic(10).map((interaction) => JSON.stringify(interaction)).join("\n");
  for (const text of [whole, traffic, lines]) {
    const end = text.indexOf("books/7");
    const { interactions, warnings } = await readAll(text.slice(0, end), "cut");
    assert.equal(interactions.length, 7);
    assert.deepEqual(warnings, [
      "cut: the recording is cut off: incomplete entries are left out " +
      `(at byte ${end.toLocaleString("en-US")}).`,
    ]);
  }
  const packed = gzipSync(writeHar(5_000));
  const half = new Uint8Array(packed.subarray(0, packed.length / 2));
  const { interactions, warnings } = await readAll(half, "cut.gz");
  assert.ok(interactions.length > 1_000 && interactions.length < 5_000);
  assert.match(warnings.join("\n"), /^cut\.gz: the compressed data ends too early/);
  assert.ok(cutAt > 0);
});

Deno.test("truncated recordings of other formats give their complete entries too", async () => {
  const files: readonly (readonly [string, string, number])[] = [
    ["ruby-vcr/bookshop_json.json", '"recorded_at"', 20],
    ["postman/bookshop.newman-run.json", '"responseTime"', 10],
    ["nock/bookshop.recorder.json", '"rawHeaders"', 6],
  ];
  for (const [path, mark, wanted] of files) {
    const text = new TextDecoder().decode(fixtureBytes(path));
    const end = text.split(mark).slice(0, wanted + 1).join(mark).length;
    const { interactions, warnings } = await readAll(text.slice(0, end), "cut");
    assert.ok(interactions.length >= wanted - 1 && interactions.length <= wanted, path);
    assert.match(warnings.join("\n"), /cut: the recording is cut off/);
  }
});

Deno.test("a YAML cassette that breaks off gives its complete entries", async () => {
  const text = new TextDecoder().decode(fixtureBytes("vcrpy/bookshop-decoded.yaml"));
  const starts = [...text.matchAll(/^- request:/gm)].map(({ index }) => index);
  const { interactions, warnings } = await readAll(
    `${text.slice(0, starts[5])}- request:\n    "bo`,
    "c.yaml",
  );
  assert.equal(interactions.length, 5);
  assert.match(warnings.join("\n"), /c\.yaml: the recording is broken: the rest is left out/);
});

Deno.test("a recording that is broken in the middle gives the entries before that", async () => {
  const text = JSON.stringify({ interactions: makeTraffic(3) }).replace("},{", "} {");
  const { interactions, warnings } = await readAll(text, "broken");
  assert.equal(interactions.length, 1);
  assert.match(
    warnings.join("\n"),
    /^broken: the recording is broken: the rest is left out \(at byte \d+\)/,
  );
});

Deno.test("if no entry can be used, the error says why, even for a truncated or broken recording", async () => {
  await failsWith(
    '{"run": {"executions": [{"item": {"name": "a"}}, {"item": {"name": "b"}}, {"item"',
    /: None of its 2 entries can be used: an execution without a request .* is left out \(2 times/,
  );
  await failsWith(
    'http_interactions:\n- request: {method: get}\n- request: {"me',
    /: Its only entry can't be used: an entry whose request has no URL is left out/,
  );
});

Deno.test("a warning reports data after the end of a recording", async () => {
  const { interactions, warnings } = await readAll(writeHar(2) + writeHar(2), "two");
  assert.equal(interactions.length, 2);
  assert.match(warnings.join("\n"), /^two: the recording is broken: the rest is left out/);
});

Deno.test("several cassettes in one file are all read, whatever their formats", async () => {
  const entry = (path: string) =>
    JSON.stringify({ request: { method: "get", uri: `http://x/${path}` }, response: {} });
  const list = (path: string) => `---\n- ${entry(path)}\n`;
  const [vcr, vcrpy, old] = [
    `---\nhttp_interactions: &a\n- ${entry("a")}\nothers: *a\n`,
    `---\ninteractions:\n- ${entry("b")}\nversion: 1\n`,
    list("c"),
  ];
  const json = ["a", "b"].map((path) => `{"http_interactions":[${entry(path)}]}`);
  for (
    const [text, wanted] of [
      [vcr + vcr, "aa"],
      [vcr + vcrpy, "ab"],
      [vcrpy + old, "bc"],
      [old + list("d"), "cd"],
      [old + vcr + vcrpy, "cab"],
      [json.join("\n"), "ab"],
      [json.join(""), "ab"],
    ] as const
  ) {
    const { interactions, warnings } = await readAll(text, "two");
    assert.equal(interactions.map(({ request }) => request.url.at(-1)).join(""), wanted, text);
    assert.deepEqual(warnings, []);
  }
  assert.deepEqual((await readAll(`--- {a: 1}\n${old}`, "two")).warnings, [
    "two: a document that isn't a recording is left out (at document 1).",
  ]);
});

Deno.test("several interactions on one line are read", async () => {
  const line = JSON.stringify({ request: REQUEST });
  for (const text of [line + line, `${line} ${line}\n${line}${line}\n`]) {
    const { interactions, warnings } = await readAll(text, "one");
    assert.equal(interactions.length, text.split(line).length - 1);
    assert.deepEqual(warnings, []);
  }
});

Deno.test("data after a JSON cassette on its line doesn't affect the cassette", async () => {
  const text = JSON.stringify({ http_interactions: [{ request: { method: "get", uri: "/a" } }] });
  for (const rest of ["\0\0", " rest"]) {
    const { interactions, warnings } = await readAll(text + rest, "tail");
    assert.equal(interactions.length, 1);
    assert.match(warnings.join(), /^tail: the recording is (?:cut off|broken): /);
  }
});

Deno.test("an error says that a recording is cut off before its first entry or its format", async () => {
  await failsWith(
    writeHar(1).slice(0, 60),
    /: Nothing in it can be used: the recording is cut off: incomplete entries are left out/,
  );
  await failsWith(
    '{"item":[{"request":"http://x/a"},{"req',
    /: The recording is cut off before the part that tells its format\./,
  );
});

Deno.test("the error about another kind of file says what it is", async () => {
  for (const version of ['"openapi": "3.1.0"', '"swagger": "2.0"']) {
    await failsWith(
      `{${version}, "info": {}, "paths": {}}`,
      /^Cannot read traffic: This is an API description, not a recording\. Name it before the recordings\.$/,
    );
  }
  await failsWith(
    '{\n  "covtool_hits": 2\n}\n',
    /These are hits that another program has reformatted\. Copy the file unchanged/,
  );
  for (
    const insomnia of [
      '{"_type": "export", "__export_format": 4}',
      "type: collection.insomnia.rest/5.0\n",
    ]
  ) {
    await failsWith(
      insomnia,
      /an export of Insomnia's requests, not a recording\. Export .* as HAR\./,
    );
  }
  // The journal of WireMock is no collection.
  await failsWith('{"requests": [{"request": {}}]}', /not a recording\. Expected HAR, /);
  await failsWith("[]", /an empty list/);
  await failsWith('{"log": {"version": "1.2"}}', /an object with `log`/);
  await failsWith("a: 1\n", /an object with `a`/);
  await failsWith("GET / HTTP/1.1\nHost: x", /neither JSON nor YAML \(.*\)\. Expected HAR, /);
  await failsWith("id,name\n1,x\n", /: This is text, not a recording\. Expected .*--log-format/);
  for (
    const line of [
      "Jul 12 10:13:23 ada haproxy[30]: 203.0.113.7:54824 closed",
      'INFO:     203.0.113.7:52782 - "GET /books HTTP/1.1" 200 OK',
      '[22/Nov/2026:16:57:08 +0000] shop.example 203.0.113.7 "GET /books HTTP/2.0" 200',
      "[2026-11-22 16:57:08 +0000] info started",
    ]
  ) {
    await failsWith(
      `${line}\n${line}\n`,
      /^Cannot read traffic: This is text, not a recording\. Expected .*--log-format/,
    );
  }
  await failsWith(" \n", /The recording is empty/);
  await failsWith("", /The recording is empty/);
  const packed = new Uint8Array(gzipSync("[]").subarray(0, 11));
  await failsWith(
    packed,
    /Nothing in it can be read: the compressed data ends too early. Download or compress the file again\.$/,
  );
  await failsWith('{"a": 1,}', /line 1, column 9: The JSON is broken/);
  await failsWith('{"a": [1, 2', /The JSON is broken/);
  await failsWith(
    '[{"scope": fals, "path": ""}, {"scope"',
    /line 1, column 12: The JSON is broken/,
  );
  await failsWith('interactions:\n- "a', /The YAML is broken/);
});

Deno.test("the error about a document that resembles formats compares it with only these, in three lines", async () => {
  const nearly: readonly (readonly [unknown, string])[] = [
    [{ log: { version: "1.2" } }, "a HAR, but `log` has no list `entries`."],
    [{ entries: [] }, "a HAR, but `entries` must be in an object `log`."],
    [
      { info: { name: "Shop" } },
      "a Postman collection, but there is no list `item` beside `info`.",
    ],
    [{ item: [] }, "a Postman collection, but there is no object `info` beside `item`."],
    [
      { requests: [] },
      "a Postman collection, but beside `requests` there is no `name` with an `order` or `id`.",
    ],
    [
      { id: "1", values: [], _postman_variable_scope: "environment" },
      "a Postman collection, but this is an environment; export the collection.",
    ],
    [{ run: { stats: {} } }, "a Newman export, but `run` has no list `executions`."],
    [{ http_interactions: {} }, "a VCR cassette, but `http_interactions` is not a list."],
    [[{ path: "/a" }], "a nock recording, but its first entry has no string `scope`."],
    [{ interactions: {} }, "a traffic file, but `interactions` is not a list."],
    [
      { interactions: [{ method: "GET" }] },
      "a traffic file, but its first interaction has no object `request`.",
    ],
    [
      [{ method: "GET", url: "/a" }],
      "a traffic file, but `method` and `url` must be in an object `request`.",
    ],
    ...[
      { interactions: [{ request: { method: "GET", path: "/a" }, response: { status: 200 } }] },
      { request: { method: "GET", urlPath: "/a" }, response: { status: 200 } },
      { request: { method: "GET", url: "/a" }, response: { status: 200, jsonBody: {} } },
    ].map((value, index): [object, string] => [
      value,
      `a traffic file, but \`${
        ["path", "urlPath", "jsonBody"][index]
      }\` belongs to stubs (WireMock) and contracts (Pact), which nobody sent. Record with \`covtool proxy\`.`,
    ]),
    [
      { run: {}, interactions: 1 },
      "a Newman export, but `run` has no list `executions`; or a traffic file, but `interactions` is not a list.",
    ],
  ];
  for (const [value, expected] of nearly) {
    const { message } = await failsWith(JSON.stringify(value), /not a recording\./);
    assert.ok(message.endsWith(`not a recording. It looks like ${expected}`), message);
    assert.ok(message.length < 240, message);
  }
  const { message } = await failsWith('{"a": 1}', /an object with `a`/);
  assert.ok(message.length < 240, message);
});

Deno.test("the error about other kinds of files names the kind and the expected formats", async () => {
  const kinds: readonly (readonly [string, RegExp])[] = [
    [
      "<!DOCTYPE html><title>Login</title>",
      /This is an HTML page, perhaps of an error or a login, not a recording/,
    ],
    ['<?xml version="1.0"?><a/>', /This is XML or HTML, not a recording/],
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", /This is a PNG image, not a recording/],
    ["%PDF-1.4\n%\xe2\xe3", /This is a PDF, not a recording/],
    ["\xd4\xc3\xb2\xa1\x02\0\x04\0", /This is a capture of network packets, not a recording/],
    ["\x7fELF\x02\x01\x01\0", /This is binary data, not a recording/],
  ];
  for (const [text, expected] of kinds) {
    const { message } = await failsWith(latin1(text), expected);
    assert.match(
      message,
      /not a recording\. Expected HAR, Postman, Newman, Schemathesis, access logs, OpenTelemetry, goreplay, mitmproxy, VCR, vcrpy, nock or traffic files\.$/,
    );
  }
});

Deno.test("the error about a recording without a usable entry says why", async () => {
  const { code } = await failsWith(
    '{"interactions": [{"request": {"url": "/"}}]}',
    /Its only entry can't be used: an interaction whose request has no string `method`/,
  );
  assert.equal(code, "unusable");
  await failsWith(
    '{"log": {"entries": [{"request": {"method": "GET", "url": "data:,"}}]}}',
    /Its only entry can't be used: an entry with a `data:` URL/,
  );
  await failsWith(
    '{"http_interactions": [{}, {}]}',
    /None of its 2 entries can be used: an entry without a request is left out \(2 times, first at/,
  );
});

Deno.test("only the requested formats are read", async () => {
  const read = async (text: string) => {
    const recording = readRecording(text, "t", { formats: formatsInFamily("archive") });
    let count = 0;
    for await (const batch of recording.batches()) count += batch.length;
    return count;
  };
  assert.equal(await read(writeHar(2)), 2);
  await assert.rejects(
    read(JSON.stringify(makeTraffic(2))),
    /a list that begins with an object with `request`/,
  );
  await assert.rejects(
    read(JSON.stringify({ interactions: makeTraffic(2) })),
    /not a recording\. Expected HAR\.$/,
  );
});

Deno.test("a zip is read only if the requested formats can be in one", async () => {
  const zip = fixtureBytes("har-browser/chromium-attach.zip");
  const read = async (family: "archive" | "cassette") => {
    const recording = readRecording(zip, "t.zip", { formats: formatsInFamily(family) });
    return (await Array.fromAsync(recording)).length;
  };
  assert.ok(await read("archive") > 0);
  await assert.rejects(read("cassette"), {
    code: "unknown_format",
    message: "Cannot read t.zip: This is a zip, not a recording. " +
      "Expected Schemathesis, VCR, vcrpy or nock.",
  });
});

Deno.test("errors report a zip without an archive and a broken zip", async () => {
  await failsWith(zipSync({ "a.txt": encode("x") }), /holds no HTTP Archive.*found a\.txt/);
  await failsWith(
    zipSync({ "har.har": encode("{}") }),
    /har\.har in the zip is not an HTTP Archive/,
  );
  await failsWith(
    zipSync({ "har.har": encode("{") }),
    /The JSON of har\.har in the zip is broken/,
  );
  await failsWith(
    zipSync({ "har.har": encode(writeHar(3)) }).subarray(0, 60),
    /The zip cannot be read/,
  );
});

Deno.test("all archives in a zip are read, each with the bodies beside it", async () => {
  const files: Record<string, Uint8Array> = { "__MACOSX/a/._har.har": encode("\0 fork") };
  for (const folder of ["a", "b"]) {
    const content = { mimeType: "text/plain", _file: "body.txt" };
    const entry = {
      request: { ...REQUEST, url: `http://h/${folder}` },
      response: { status: 200, headers: [{ name: "X", value: "1" }], content },
    };
    files[`${folder}/har.har`] = encode(JSON.stringify({ log: { entries: [entry] } }));
    files[`${folder}/body.txt`] = encode(folder);
  }
  const { interactions, warnings } = await readAll(zipSync(files));
  assert.deepEqual(interactions.map(({ request }) => request.url), ["http://h/a", "http://h/b"]);
  assert.deepEqual(interactions.map(({ response }) => response?.body), [encode("a"), encode("b")]);
  assert.deepEqual(warnings, []);
});

Deno.test("the archive in a zip may be in a folder, with its bodies beside it", async () => {
  const postData = { mimeType: "text/plain", text: "", _file: "body.txt" };
  const har = { log: { entries: [{ request: { ...REQUEST, method: "POST", postData } }] } };
  const { interactions } = await readAll(
    zipSync({ "run/har.har": encode(JSON.stringify(har)), "run/body.txt": encode("hello") }),
  );
  assert.deepEqual(interactions[0]?.request.body, encode("hello"));
});

Deno.test("a recording can be read only once", async () => {
  const recording = readRecording(writeHar(1), "once");
  for await (const _ of recording);
  await assert.rejects(async () => {
    for await (const _ of recording);
  }, /can be read once only/);
});

Deno.test("a source that is not read to its end is closed", async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* inPieces(encode(writeHar(5_000)), 10_000);
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of readRecording(source(), "part")) break;
  assert.equal(isClosed, true);
});

Deno.test("an error of the source is rethrown", async () => {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield encode('{"log": {"entries": [');
    await Promise.resolve();
    throw new Error("the disk is gone");
  }
  await assert.rejects(readAll(source()), /the disk is gone/);
});

Deno.test("skipped data is not kept in memory", async () => {
  const page = encode(`${JSON.stringify({ title: "x".repeat(99_000) })},`);
  let held = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    const before = Deno.memoryUsage().external;
    yield encode('{"log": {"pages": [');
    for (let index = 0; index < 1_000; index++) yield page;
    held = Deno.memoryUsage().external - before;
    yield encode(`{}], "entries": [{"request": ${JSON.stringify(REQUEST)}}]}}`);
  }
  const { interactions } = await readAll(source());
  assert.equal(interactions.length, 1);
  assert.ok(held < 50_000_000, `${held} of 100,000,000 bytes are held`);
});
