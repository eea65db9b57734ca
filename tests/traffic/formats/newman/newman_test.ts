import assert from "node:assert/strict";
import { headerLookup } from "../../../../src/http/headers.ts";
import { NEWMAN } from "../../../../src/traffic/formats/newman/newman.ts";
import { readAs, recordingJson, sentText } from "../../read_all.ts";

Deno.test("NEWMAN makes bodies of the length that was sent", () => {
  const run = recordingJson("postman/bookshop.newman-run.json");
  for (const { request } of readAs(NEWMAN, run).interactions) {
    const length = Number(headerLookup(request.headers).get("content-length") ?? 0);
    const { body, body_truncated, url } = request;
    if (body_truncated !== true) assert.equal(body?.length ?? 0, length, url);
  }
});

Deno.test("NEWMAN keeps a body that was sent with a GET request", () => {
  const request = { method: "GET", url: "http://localhost/a", body: { mode: "raw", raw: "{{x}}" } };
  const header = [{ key: "Content-Length", value: "5" }];
  const run = { executions: [{ request: { ...request, header } }, { request }] };
  const { interactions } = readAs(NEWMAN, { run }, "r.json");
  assert.equal(sentText(interactions[0]), "{{x}}");
  assert.equal(interactions[1]?.request.body, undefined);
});

Deno.test("NEWMAN counts executions without a request", () => {
  const run = { executions: [{ request: { url: "http://localhost/a" } }, { item: {} }, null] };
  const { interactions, warnings } = readAs(NEWMAN, { run }, "r.json");
  assert.deepEqual(interactions, [
    { request: { method: "GET", url: "http://localhost/a", headers: {} } },
  ]);
  assert.deepEqual(warnings, [
    "r.json: an execution without a request (a skipped one) is left out (2 times, first at " +
    "run.executions[1]).",
  ]);
});
