import assert from "node:assert/strict";
import { FULL_VISIBILITY, NO_REQUEST_HEADERS } from "../../../../src/http/visibility.ts";
import { Place, Problems } from "../../../../src/traffic/formats/recording.ts";
import {
  readTrafficEntry,
  readVisibility,
} from "../../../../src/traffic/formats/traffic_file/traffic.ts";
import { trafficLine } from "../../../../src/traffic/write/traffic_line.ts";

const REQUEST = { method: "GET", url: "/books" };

Deno.test("a traffic line keeps what its source can't show when it is written and read", () => {
  for (
    const [visibility, written] of [
      [NO_REQUEST_HEADERS, { request_headers: "none" }],
      [{ ...FULL_VISIBILITY, query: false, response_headers: ["date"] }, {
        query: false,
        response_headers: ["date"],
      }],
      [{ ...FULL_VISIBILITY, path_parameters: false, request_headers: "public" }, {
        path_parameters: false,
        request_headers: "public",
      }],
      [{ ...FULL_VISIBILITY, request_headers: { all_but: ["x-*"], and: ["x-a"] } }, {
        request_headers: { all_but: ["x-*"], and: ["x-a"] },
      }],
      [FULL_VISIBILITY, undefined],
    ] as const
  ) {
    const line = JSON.parse(trafficLine({ request: REQUEST, visibility }));
    assert.deepEqual(line.visibility, written);
    const problems = new Problems("a.jsonl");
    const read = readTrafficEntry(line, new Place("line 1", problems));
    assert.deepEqual(read?.visibility, written && visibility);
    assert.deepEqual(problems.sentences(), []);
  }
});

Deno.test("interactions with equal visibility share one object", () => {
  const read = () =>
    readVisibility({ request_body: false }, new Place("line 1", new Problems("a.jsonl")));
  assert.equal(read(), read());
});

Deno.test("an invalid visibility is counted as a problem each time", () => {
  const warnings = (...values: unknown[]): readonly string[] => {
    const problems = new Problems("a.jsonl");
    values.forEach((value, index) =>
      readVisibility(value, new Place(`line ${index + 1}`, problems))
    );
    return problems.sentences();
  };
  assert.deepEqual(warnings(undefined, null), []);
  assert.deepEqual(warnings("none", []), [
    "a.jsonl: `visibility` is not an object and is ignored (2 times, first at line 1).",
  ]);
  assert.deepEqual(warnings({ query: "no", request_body: false }, { query: "no" }), [
    "a.jsonl: `visibility.query` is not known and is ignored (2 times, first at line 1).",
  ]);
  assert.deepEqual(warnings({ toString: "all" }), [
    "a.jsonl: `visibility.toString` is not known and is ignored (at line 1).",
  ]);
  for (const wrong of [[1], { all_but: "x" }, { all_but: [], and: 1 }, { but: ["x"] }, "some", 1]) {
    assert.deepEqual(warnings({ request_headers: wrong }), [
      "a.jsonl: `visibility.request_headers` is not known and is ignored (at line 1).",
    ]);
  }
});
