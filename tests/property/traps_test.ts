// Mistakes that a coverage tool makes easily, each of which would tell users that something is tested when it is not.
import assert from "node:assert/strict";
import { CoverageMap, type Gap, type HttpRequest } from "../../mod.ts";
import { apiOf } from "../api_of.ts";

const JSON_HEADERS = { "Content-Type": "application/json" };

function mapOf(paths: object, more: object = {}): CoverageMap {
  return CoverageMap.fromDict(apiOf(paths, more));
}

function bodyOf(schema: object, mediaType = "application/json"): object {
  return { requestBody: { content: { [mediaType]: { schema } } }, responses: {} };
}

function post(body: unknown): HttpRequest {
  return { method: "POST", url: "/users", headers: JSON_HEADERS, body: JSON.stringify(body) };
}

/** The ends of the pointers of the keywords that lack a kind, with that kind. */
function lacking(map: CoverageMap): string[] {
  return map.gaps().flatMap((gap: Gap) =>
    gap.kind === "keyword_uncovered"
      ? [`${gap.schema_path.slice(gap.schema_path.indexOf("/schema/") + 8)} ${gap.state}`]
      : []
  );
}

Deno.test("percentages are the same in the model, in JSON and in the thresholds, to the last digit", () => {
  for (let total = 1; total <= 60; total++) {
    const paths = Object.fromEntries(
      Array.from({ length: total }, (_, index) => [`/p${index}`, {
        get: {
          parameters: [{ name: "q", in: "query", schema: { type: "integer" } }],
          responses: { 200: {}, 404: {} },
        },
      }]),
    );
    const map = mapOf(paths);
    const seen = Math.ceil(total / 3);
    for (let index = 0; index < seen; index++) {
      map.record({ method: "GET", url: `/p${index}?q=1` }, { status_code: 200 });
    }
    const report = map.report();
    const printed = JSON.parse(map.generateReport({ format: "json" }));
    assert.deepEqual(printed.summary, report.summary);
    for (const dimension of ["operations", "parameters", "keywords", "responses"] as const) {
      const exact = report.summary[dimension].percent;
      assert.equal(exact, 100 * seen / (dimension === "responses" ? 2 * total : total));
      assert.deepEqual(map.checkThresholds({ [dimension]: exact }), []);
      const above = Math.min(100, exact + 1e-9);
      const shortfalls = map.checkThresholds({ [dimension]: above });
      assert.deepEqual(
        shortfalls,
        above > exact ? [{ dimension, actual: exact, minimum: above }] : [],
      );
    }
  }
});

Deno.test("JSON sent instead of the documented form leaves the form as a gap", () => {
  const form = "application/x-www-form-urlencoded";
  const schema = { type: "object", properties: { name: { type: "string", minLength: 2 } } };
  const map = mapOf({ "/users": { post: bodyOf(schema, form) } });
  map.record(post({ name: "Ann" }));
  assert.deepEqual(map.gaps().map(({ id: _, ...gap }) => gap), [{
    kind: "parameter_uncovered",
    method: "POST",
    path: "/users",
    location: "body",
    parameter: form,
  }]);
  assert.equal(map.statistic().operations.seen, 1);
  map.record({
    method: "POST",
    url: "/users",
    headers: { "Content-Type": form },
    body: "name=Ann",
  });
  assert.deepEqual(lacking(map), ["properties invalid", "properties/name/minLength invalid"]);
});

Deno.test("fields of a Swagger 2.0 form that are sent as JSON leave each of them as a gap", () => {
  const map = CoverageMap.fromDict({
    swagger: "2.0",
    info: { title: "Traps", version: "1" },
    paths: {
      "/users": {
        post: {
          parameters: [
            { name: "name", in: "formData", type: "string" },
            { name: "avatar", in: "formData", type: "file" },
          ],
          responses: {},
        },
      },
    },
  });
  map.record(post({ name: "Ann", avatar: "x" }));
  const gaps = map.gaps().map((gap) => gap.kind === "parameter_uncovered" && gap.parameter);
  assert.deepEqual(gaps, ["name", "avatar"]);
});

Deno.test("an optional field that is never sent shows, though every request is valid", () => {
  const schema = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", maxLength: 9 }, nick: { type: "string", maxLength: 5 } },
  };
  const map = mapOf({ "/users": { post: bodyOf(schema) } });
  for (const name of ["Ann", "Bob", "far too long a name"]) map.record(post({ name }));
  const missing = lacking(map).filter((gap) => gap.startsWith("properties/nick"));
  assert.deepEqual(missing, [
    "properties/nick/type valid",
    "properties/nick/type invalid",
    "properties/nick/maxLength valid",
    "properties/nick/maxLength invalid",
  ]);
  map.record(post({ name: "Ann", nick: "A" }));
  assert.equal(lacking(map).filter((gap) => gap.startsWith("properties/nick")).length, 2);
});

Deno.test("one value of an enum, however often it is sent, leaves its other kind and its other examples as gaps", () => {
  const schema = { type: "string", enum: ["cat", "dog", "fish"], examples: ["cat", "dog"] };
  const map = mapOf({ "/users": { post: bodyOf(schema) } });
  for (let index = 0; index < 100; index++) map.record(post("cat"));
  assert.deepEqual(lacking(map), ["type invalid", "enum invalid"]);
  const examples = map.gaps().flatMap((gap) => gap.kind === "example_uncovered" ? [gap.value] : []);
  assert.deepEqual(examples, ["dog"]);
  assert.deepEqual(map.statistic().keywords, { partial: 2, full: 0, total: 2 });
});

Deno.test("a status counts for itself before its range, and for its range before the default", () => {
  const responses = { default: {}, "2XX": {}, 200: {}, 404: {} };
  const map = mapOf({ "/users": { get: { responses } } });
  for (const status_code of [200, 204, 500]) {
    map.record({ method: "GET", url: "/users" }, { status_code });
  }
  const hits = map.report().operations[0]?.responses.map(({ status_code, hits }) =>
    `${status_code} ${hits}`
  );
  assert.deepEqual(hits?.sort(), ["200 1", "2XX 1", "404 0", "default 1"]);
});

Deno.test("parameters of one name in different locations are distinguished", () => {
  const parameters = ["path", "query", "header", "cookie"].map((location) => ({
    ...{ name: "id", in: location, required: location === "path", schema: { type: "string" } },
  }));
  const map = mapOf({ "/users/{id}": { get: { parameters, responses: {} } } });
  // Without any header field, it would have been recorded without them.
  map.record({ method: "GET", url: "/users/7?id=8", headers: { host: "localhost" } });
  const missing = map.gaps().flatMap((gap) =>
    gap.kind === "parameter_uncovered" ? [gap.location] : []
  );
  assert.deepEqual(missing, ["header", "cookie"]);
});
