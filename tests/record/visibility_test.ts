import assert from "node:assert/strict";
import { CoverageMap } from "../../mod.ts";
import { FULL_VISIBILITY, NO_REQUEST_HEADERS, type Visibility } from "../../src/http/visibility.ts";
import { shopApi } from "../shop_api.ts";

const RESPONSES = { 200: { description: "Books" }, 400: { description: "Wrong" } };

function newMap(parameters: readonly object[], body?: object): CoverageMap {
  const operation = {
    parameters,
    responses: RESPONSES,
    ...(body && { requestBody: { required: true, content: { "application/json": body } } }),
  };
  return CoverageMap.fromDict(shopApi({ "/books": { post: operation } }));
}

const LIMIT = {
  name: "limit",
  in: "query",
  required: true,
  schema: { type: "integer", maximum: 10 },
};
const TENANT = { name: "X-Tenant", in: "header", required: true, schema: { type: "string" } };
const HEADERS = { host: "localhost" };

function kinds(
  map: CoverageMap,
  url: string,
  status: number,
  visibility: Visibility | undefined,
  headers: Record<string, string> | undefined = HEADERS,
): string[] {
  const request = { method: "POST", url, headers };
  map.record(request, { status_code: status }, undefined, undefined, { visibility });
  return map.findings().map(({ kind }) => kind).filter((kind) => kind !== "never_succeeded");
}

Deno.test("a required header isn't missing if the source can't show headers", () => {
  const visible = newMap([LIMIT, TENANT]);
  assert.deepEqual(kinds(visible, "/books?limit=1", 200, undefined), ["keyword_not_enforced"]);
  const hidden = newMap([LIMIT, TENANT]);
  assert.deepEqual(kinds(hidden, "/books?limit=1", 200, NO_REQUEST_HEADERS), []);
  const bare = newMap([LIMIT, TENANT]);
  assert.deepEqual(kinds(bare, "/books?limit=1", 200, undefined, {}), []);
});

Deno.test("a header can be missing if the source has a field for it", () => {
  const named = { ...FULL_VISIBILITY, request_headers: ["x-tenant"] };
  assert.deepEqual(kinds(newMap([TENANT]), "/books", 200, named, {}), ["keyword_not_enforced"]);
  const other = { ...FULL_VISIBILITY, request_headers: ["referer"] };
  assert.deepEqual(kinds(newMap([TENANT]), "/books", 200, other, {}), []);
});

Deno.test("a required query or body isn't missing if the source can't show it", () => {
  const noQuery = { ...FULL_VISIBILITY, query: false };
  assert.deepEqual(kinds(newMap([LIMIT]), "/books", 200, undefined), ["keyword_not_enforced"]);
  assert.deepEqual(kinds(newMap([LIMIT]), "/books", 200, noQuery), []);
  const noBody = { ...FULL_VISIBILITY, request_body: false };
  const body = { schema: { type: "object" } };
  assert.deepEqual(kinds(newMap([], body), "/books", 200, undefined), ["keyword_not_enforced"]);
  assert.deepEqual(kinds(newMap([], body), "/books", 200, noBody), []);
});

Deno.test("a refused request is no evidence if it may have broken a rule out of sight", () => {
  const optional = { ...TENANT, required: false };
  const refused = (visibility: Visibility | undefined) =>
    kinds(newMap([LIMIT, optional]), "/books?limit=1", 400, visibility);
  assert.deepEqual(refused(undefined), ["valid_request_refused"]);
  assert.deepEqual(refused(NO_REQUEST_HEADERS), []);
});

Deno.test("an accepted request is evidence against a rule, whatever is out of sight", () => {
  const map = newMap([LIMIT, TENANT]);
  assert.deepEqual(
    kinds(map, "/books?limit=11", 200, NO_REQUEST_HEADERS),
    ["keyword_not_enforced"],
  );
});

Deno.test("a path parameter that a source can't show counts as sent, and its value as not recorded", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const map = CoverageMap.fromDict(
    shopApi({ "/books/{id}": { get: { parameters: [id], responses: RESPONSES } } }),
  );
  const visibility = { ...FULL_VISIBILITY, path_parameters: false };
  const request = { method: "GET", url: "/books/abc", headers: HEADERS };
  map.record(request, { status_code: 200 }, undefined, undefined, { visibility });
  const [parameter] = map.report().operations[0]?.parameters ?? [];
  assert.deepEqual([parameter?.hits, parameter?.not_recorded], [1, 1]);
  assert.deepEqual(map.findings(), []);
});
