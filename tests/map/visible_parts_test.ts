import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { FULL_VISIBILITY, type Visibility } from "../../src/http/visibility.ts";
import { type TrafficVisibility, VisibleParts } from "../../src/map/visible_parts.ts";
import { shopApi } from "../shop_api.ts";

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

function collect(...visibilities: (Partial<Visibility> | undefined)[]): TrafficVisibility {
  const visible = new VisibleParts();
  for (const shown of visibilities) {
    visible.add(shown && { ...NOTHING, ...shown }, REQUEST, RESPONSE);
  }
  return visible.parts;
}

Deno.test("a part is visible if any of the traffic shows it, in any order", () => {
  const { status: _, time: __, ...nothing } = NOTHING;
  assert.deepEqual(collect({}), nothing);
  const some = [{ query: true }, { request_headers: ["referer"] }, {
    request_headers: ["X-Tenant"],
  }];
  const expected = { ...nothing, query: true, request_headers: ["referer", "x-tenant"] };
  assert.deepEqual(collect(...some), expected);
  assert.deepEqual(collect(...some.toReversed()), expected);
  assert.equal(collect(...some, undefined).request_headers, "all");
  assert.equal(collect(undefined, ...some).request_headers, "all");
  assert.equal(collect({ path_parameters: true }, {}).path_parameters, true);
  const hidden = [{ request_headers: { all_but: ["cookie", "x-*"] } }, {
    request_headers: ["cookie", "x-tenant"],
  }];
  const either = { all_but: ["x-*"], and: ["x-tenant"] };
  assert.deepEqual(collect(...hidden).request_headers, either);
  assert.deepEqual(collect(...hidden.toReversed(), ...hidden).request_headers, either);
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
  const load = () => CoverageMap.fromDict(shopApi({ "/": { get: { responses: {} } } }));
  const exported = (visibility: Visibility | undefined, headers = {}): Uint8Array => {
    const map = load();
    map.record({ method: "GET", url: "/", headers }, undefined, undefined, undefined, {
      visibility,
    });
    return map.exportHits();
  };
  const readVisible = (bytes: Uint8Array): unknown =>
    JSON.parse(new TextDecoder().decode(bytes)).visible;
  const full = exported(undefined, REQUEST.headers);
  const bare = exported(undefined);
  const log = exported({ ...NOTHING, query: true, request_headers: ["referer"] });
  assert.equal(readVisible(full), undefined);
  assert.deepEqual(readVisible(bare), { request_headers: "none" });
  assert.deepEqual(readVisible(log), {
    path_parameters: false,
    request_headers: ["referer"],
    request_body: false,
  });
  const some = exported({ ...FULL_VISIBILITY, request_headers: { all_but: ["referer", "via"] } }, {
    host: "localhost",
  });
  assert.deepEqual(readVisible(some), { request_headers: { all_but: ["referer", "via"] } });
  const merged = (...files: Uint8Array[]): Uint8Array => {
    const map = load();
    for (const bytes of files) map.mergeHits(bytes);
    return map.exportHits();
  };
  assert.deepEqual(merged(log), log);
  assert.deepEqual(readVisible(merged(log, bare)), { request_headers: ["referer"] });
  assert.deepEqual(merged(log, bare), merged(bare, log));
  assert.deepEqual(readVisible(merged(some, log)), { request_headers: { all_but: ["via"] } });
  assert.deepEqual(merged(some, log), merged(log, some));
  assert.equal(readVisible(merged(log, bare, full)), undefined);
  assert.deepEqual(merged(load().exportHits(), log), log); // an empty map adds no visible part
});
