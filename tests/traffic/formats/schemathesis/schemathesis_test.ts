import assert from "node:assert/strict";
import {
  SCHEMATHESIS,
  SCHEMATHESIS_EVENTS,
} from "../../../../src/traffic/formats/schemathesis/schemathesis.ts";
import { readAs } from "../../read_all.ts";

Deno.test("SCHEMATHESIS keeps filtered values, and warns about them", () => {
  const request = { method: "GET", uri: "http://localhost/a?key=%5BFiltered%5D" };
  const cassette = { recorded_with: "Schemathesis 4", http_interactions: [{ request }] };
  assert.equal(readAs(SCHEMATHESIS, cassette, "c.yaml").warnings.length, 1);
});

Deno.test("SCHEMATHESIS_EVENTS reads a single event and events without exchanges", () => {
  const exchange = { request: { method: "GET", uri: "/a" }, timestamp: 1.5 };
  const finished = { ScenarioFinished: { recorder: { interactions: { x: exchange } } } };
  const interaction = { request: { method: "GET", url: "/a", headers: {} }, timestamp: 1.5 };
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, finished, "e.ndjson").interactions, [interaction]);
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, [{ Initialize: {} }], "e.ndjson").interactions, []);
});

Deno.test("SCHEMATHESIS_EVENTS skips exchanges without a request", () => {
  const interactions = { x: { request: null }, y: { request: { method: "GET", uri: "/a" } } };
  const events = [{ Initialize: {} }, { ScenarioFinished: { recorder: { interactions } } }];
  assert.deepEqual(readAs(SCHEMATHESIS_EVENTS, events, "e.ndjson").warnings, [
    "e.ndjson: an entry without a request is left out (at event 2, x).",
  ]);
});
