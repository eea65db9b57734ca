import assert from "node:assert/strict";
import type { Interaction } from "../../../../src/http/interaction.ts";
import {
  SCHEMATHESIS,
  SCHEMATHESIS_EVENTS,
} from "../../../../src/traffic/formats/schemathesis/schemathesis.ts";
import { parseYamlRecording } from "../../../../src/traffic/cassette/yaml_recording.ts";
import { headOf, receivedText, recordingText, sentText } from "../../recordings.ts";
import { readAs, type WholeRecording } from "../../read_all.ts";

function readCassette(name: string): WholeRecording {
  const value = parseYamlRecording(recordingText(`schemathesis/${name}`), name);
  assert.equal(SCHEMATHESIS.recognize(value), true);
  return readAs(SCHEMATHESIS, value, name);
}

function readEvents(name: string): WholeRecording {
  const value = recordingText(`schemathesis/${name}`).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.equal(SCHEMATHESIS_EVENTS.recognize(value), true);
  return readAs(SCHEMATHESIS_EVENTS, value, name);
}

function identity({ request, response }: Interaction): unknown {
  return [request.method, request.url, headOf(response), receivedText(response)];
}

Deno.test("SCHEMATHESIS reads an entry of version 4, its bytes preserved", () => {
  const [first] = readCassette("bookshop-bytes.yaml").interactions;
  assert.deepEqual(first?.request.headers, {
    "User-Agent": "schemathesis/4.32.5",
    "Accept-Encoding": "gzip, deflate, br",
    "Accept": "*/*",
    "Connection": "keep-alive",
    "X-Api-Key": "k-123",
    "Authorization": "Basic YW5uOnBhc3M=",
    "X-Schemathesis-TestCaseId": "smgiqe",
    "Content-Type": "application/json",
    "Content-Length": "247",
  });
  assert.equal(first?.request.method, "POST");
  assert.equal(first?.request.url, "http://127.0.0.1:8901/api/v1/books");
  assert.equal(
    sentText(first),
    '{"authors": [{"name": "Stanis\\u0142aw Lem", "born": null}], "genre": "novel", "title": "0", ' +
      '"price": 0.0, "isbn": "9780000000000", "format": {"kind": "audio", "minutes": 1, ' +
      '"narrators": [""]}, "tags": [], "notes": null, "shelf": null, "extra": {}}',
  );
  assert.deepEqual(headOf(first?.response), { status_code: 409, elapsed: 0.002419 });
  assert.equal(first?.timestamp, 1795214619.891536);
});

Deno.test("SCHEMATHESIS reads an entry of version 3, whose duration is elsewhere", () => {
  const [first] = readCassette("bookshop-3.39.yaml").interactions;
  assert.equal(
    first?.request.url,
    "http://127.0.0.1:8901/api/v1/books?page=2&q=%D0%BF%D0%B8%D0%BA%D0%BD%D0%B8%D0%BA",
  );
  assert.equal(first?.request.body, undefined);
  assert.deepEqual(headOf(first?.response), { status_code: 200, elapsed: 0.016122 });
  assert.equal(first?.timestamp, 1795215831.142348);
});

Deno.test("SCHEMATHESIS reads requests that were never answered", () => {
  const { interactions } = readCassette("bookshop-timeouts.yaml");
  assert.equal(interactions.filter(({ response }) => response === undefined).length, 4);
  assert.deepEqual(Object.keys(interactions[0] ?? {}), ["request", "timestamp"]);
});

Deno.test("SCHEMATHESIS marks the body whose bytes were replaced", () => {
  const { interactions, warnings } = readCassette("bookshop.yaml");
  const truncated = interactions.filter(({ request }) => request.body_truncated);
  assert.deepEqual(truncated, [interactions[27]]);
  assert.ok(warnings.some((warning) => warning.includes("is missing or damaged")));
  // The events of the same run have the bytes.
  const body = readEvents("bookshop.ndjson").interactions[27]?.request.body;
  assert.ok(body instanceof Uint8Array);
  assert.equal(body.length, 5);
});

Deno.test("SCHEMATHESIS says where values were filtered out, and keeps them as they stand", () => {
  const { interactions, warnings } = readCassette("bookshop-timeouts.yaml");
  assert.deepEqual(warnings, [
    "bookshop-timeouts.yaml: values that Schemathesis replaced by [Filtered] are not recorded " +
    "(with `--output-sanitize false` it keeps them) (3 times, first at http_interactions[9].request).",
  ]);
  const headers = interactions[9]?.request.headers as Record<string, string>;
  assert.equal(headers["Authorization"], "[Filtered]");
  assert.deepEqual(readCassette("bookshop-bytes.yaml").warnings, []);
  const request = { method: "GET", uri: "http://localhost/a?key=%5BFiltered%5D" };
  const cassette = { recorded_with: "Schemathesis 4", http_interactions: [{ request }] };
  assert.equal(readAs(SCHEMATHESIS, cassette, "c.yaml").warnings.length, 1);
});

Deno.test("SCHEMATHESIS_EVENTS reads the exchanges that the cassette of the same run has", () => {
  for (const [name, count] of [["bookshop", 109], ["bookshop-bytes", 47]] as const) {
    const events = readEvents(`${name}.ndjson`).interactions;
    const cassette = readCassette(`${name}.yaml`).interactions;
    assert.equal(events.length, count);
    assert.deepEqual(events.map(identity), cassette.map(identity));
    cassette.forEach((interaction, index) => {
      const event = events[index];
      // Cassettes have whole microseconds.
      assert.ok(Math.abs((event?.timestamp ?? 0) - (interaction.timestamp ?? 0)) < 2e-6);
      if (interaction.request.body_truncated) return;
      assert.equal(sentText(event), sentText(interaction));
    });
  }
});

Deno.test("SCHEMATHESIS_EVENTS reads a single event, and events without exchanges", () => {
  const exchange = { request: { method: "GET", uri: "/a" }, timestamp: 1.5 };
  const finished = { ScenarioFinished: { recorder: { interactions: { x: exchange } } } };
  const interaction = { request: { method: "GET", url: "/a", headers: {} }, timestamp: 1.5 };
  assert.equal(SCHEMATHESIS_EVENTS.recognize(finished), true);
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, finished, "e.ndjson").interactions, [interaction]);
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, [{ Initialize: {} }], "e.ndjson").interactions, []);
  assert.equal(SCHEMATHESIS_EVENTS.recognize("text"), false);
});

Deno.test("SCHEMATHESIS_EVENTS leaves out exchanges without a request", () => {
  const interactions = { x: { request: null }, y: { request: { method: "GET", uri: "/a" } } };
  const events = [{ Initialize: {} }, { ScenarioFinished: { recorder: { interactions } } }];
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, events, "e.ndjson").warnings, [
    "e.ndjson: an entry without a request is left out (at event 2, x).",
  ]);
});

Deno.test("SCHEMATHESIS_EVENTS.recognize() tells events from other lines", () => {
  assert.equal(SCHEMATHESIS_EVENTS.recognize([{ EngineStarted: { id: "1" } }]), true);
  assert.equal(SCHEMATHESIS_EVENTS.recognize([{ request: { method: "GET", url: "/" } }]), false);
  assert.equal(SCHEMATHESIS_EVENTS.recognize([{ EngineStarted: {}, other: 1 }]), false);
  assert.equal(SCHEMATHESIS_EVENTS.recognize([]), false);
});

Deno.test("SCHEMATHESIS.recognize() knows cassettes by the program or by the checks", () => {
  assert.equal(
    SCHEMATHESIS.recognize({ http_interactions: [], recorded_with: "Schemathesis 3" }),
    true,
  );
  assert.equal(SCHEMATHESIS.recognize({ http_interactions: [{ checks: [] }] }), true);
  assert.equal(
    SCHEMATHESIS.recognize({ http_interactions: [{}], recorded_with: "VCR 5.0.0" }),
    false,
  );
});
