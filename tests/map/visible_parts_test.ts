import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { FULL_VISIBILITY, type Visibility } from "../../src/http/visibility.ts";
import { type Visible, VisibleParts } from "../../src/map/visible_parts.ts";
import { apiOf } from "../api_of.ts";

const NOTHING: Visibility = {
  path_parameters: false,
  query: false,
  request_headers: "none",
  request_body: false,
  response_headers: "none",
  response_body: false,
  status: false,
  time: false,
};
const REQUEST = { method: "GET", url: "/", headers: { host: "localhost" } };
const RESPONSE = { status_code: 200, headers: { date: "now" }, body: "" };

function partsOf(...visibilities: (Partial<Visibility> | undefined)[]): Visible {
  const visible = new VisibleParts();
  for (const shown of visibilities) {
    visible.add(shown && { ...NOTHING, ...shown }, REQUEST, RESPONSE);
  }
  return visible.parts;
}

Deno.test("a part is visible if any of the traffic shows it, in any order", () => {
  const { status: _, time: __, ...nothing } = NOTHING;
  assert.deepEqual(partsOf({}), nothing);
  const some = [{ query: true }, { request_headers: ["referer"] }, {
    request_headers: ["X-Tenant"],
  }];
  const expected = { ...nothing, query: true, request_headers: ["referer", "x-tenant"] };
  assert.deepEqual(partsOf(...some), expected);
  assert.deepEqual(partsOf(...some.toReversed()), expected);
  assert.equal(partsOf(...some, undefined).request_headers, "all");
  assert.equal(partsOf(undefined, ...some).request_headers, "all");
  assert.equal(partsOf({ path_parameters: true }, {}).path_parameters, true);
  const hidden = [{ request_headers: { all_but: ["cookie", "x-*"] } }, {
    request_headers: ["cookie", "x-tenant"],
  }];
  const either = { all_but: ["x-*"], and: ["x-tenant"] };
  assert.deepEqual(partsOf(...hidden).request_headers, either);
  assert.deepEqual(partsOf(...hidden.toReversed(), ...hidden).request_headers, either);
});

Deno.test("header fields and response bodies are not visible if no message has them", () => {
  const visible = new VisibleParts();
  visible.add(FULL_VISIBILITY, { method: "GET", url: "/" }, { status_code: 200 });
  assert.deepEqual(visible.parts, {
    path_parameters: true,
    query: true,
    request_headers: "none",
    request_body: true,
    response_headers: "none",
    response_body: false,
  });
});

Deno.test("hits keep which parts their traffic shows, and merging adds up the parts", () => {
  const load = () => CoverageMap.fromDict(apiOf({ "/": { get: { responses: {} } } }));
  const hitsOf = (visibility: Visibility | undefined, headers = {}): Uint8Array => {
    const map = load();
    map.record({ method: "GET", url: "/", headers }, undefined, undefined, undefined, {
      visibility,
    });
    return map.exportHits();
  };
  const visibleOf = (bytes: Uint8Array): unknown =>
    JSON.parse(new TextDecoder().decode(bytes)).visible;
  const full = hitsOf(undefined, REQUEST.headers);
  const bare = hitsOf(undefined);
  const log = hitsOf({ ...NOTHING, query: true, request_headers: ["referer"] });
  assert.equal(visibleOf(full), undefined);
  assert.deepEqual(visibleOf(bare), { request_headers: "none" });
  assert.deepEqual(visibleOf(log), {
    path_parameters: false,
    request_headers: ["referer"],
    request_body: false,
  });
  const some = hitsOf({ ...FULL_VISIBILITY, request_headers: { all_but: ["referer", "via"] } }, {
    host: "localhost",
  });
  assert.deepEqual(visibleOf(some), { request_headers: { all_but: ["referer", "via"] } });
  const merged = (...files: Uint8Array[]): Uint8Array => {
    const map = load();
    for (const bytes of files) map.mergeHits(bytes);
    return map.exportHits();
  };
  assert.deepEqual(merged(log), log);
  assert.deepEqual(visibleOf(merged(log, bare)), { request_headers: ["referer"] });
  assert.deepEqual(merged(log, bare), merged(bare, log));
  assert.deepEqual(visibleOf(merged(some, log)), { request_headers: { all_but: ["via"] } });
  assert.deepEqual(merged(some, log), merged(log, some));
  assert.equal(visibleOf(merged(log, bare, full)), undefined);
  assert.deepEqual(merged(load().exportHits(), log), log); // an empty map adds no visible part
});
