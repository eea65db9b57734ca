// Tests examples/findings-fastify, an API that lies, as Schemathesis recorded it in two formats:
// st run openapi.yaml --url http://localhost:8080 -H "Authorization: Bearer box-office" --report vcr,har
//   --phases coverage,fuzzing --seed 1 --continue-on-failure -n 3
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { CoverageMap, type Finding } from "../../mod.ts";

const path = (from: string): string => fileURLToPath(new URL(`../../${from}`, import.meta.url));
const DESCRIPTION = path("examples/findings-fastify/openapi.yaml");
const RECORDINGS = path("tests/fixtures/recordings/findings");

async function recorded(...formats: readonly ("har" | "yaml")[]): Promise<CoverageMap> {
  const map = await CoverageMap.fromPath(DESCRIPTION);
  for (const format of formats) {
    const importer = format === "har" ? map.archive : map.cassette;
    await importer.recordFromPath(`${RECORDINGS}/schemathesis.${format}`);
  }
  return map;
}

/** A finding in short. */
function brief(finding: Finding): string {
  const { kind, method, path, count } = finding;
  const more = "schema_path" in finding
    ? finding.schema_path.replace(/.*\/(?=\w+\/\w+$)/, "")
    : "media_type" in finding
    ? finding.media_type
    : "status_code" in finding
    ? finding.status_code
    : "";
  return `${kind} ${method} ${path} ${more} ${count}`.replace("  ", " ");
}

/** The lies that app.js lists, in its order, as recordings of Schemathesis show them. */
const LIES = [
  "response_violates_schema GET /events seats/type 6",
  "keyword_not_enforced GET /events schema/maximum 1",
  "server_error GET /events/{id} 500 6",
  "credentials_not_required GET /bookings 3",
  "valid_request_refused POST /bookings 422 2",
  "undocumented_status POST /bookings 200 4",
  "never_succeeded DELETE /bookings/{id} 6",
];

/** Consequences of lies, deliberate mistakes of Schemathesis, and Fastify's refusals. */
const BESIDES = [
  "undocumented_status GET /events/{id} 500 6",
  "never_succeeded GET /events/{id} 6",
  "undocumented_body POST /bookings multipart/form-data 1",
  "undocumented_body POST /bookings text/plain 1",
  "undocumented_status DELETE /bookings/{id} 415 1",
];

Deno.test("Schemathesis' HAR and VCR of an API that lies give the same findings: every lie", async () => {
  const har = await recorded("har");
  assert.deepEqual(har.findings().map(brief).sort(), [...LIES, ...BESIDES].sort());
  const vcr = await recorded("yaml");
  const withoutTimes = (map: CoverageMap) =>
    map.findings().map(({ first_at: _, ...finding }) => finding);
  assert.deepEqual(withoutTimes(vcr), withoutTimes(har));
});

Deno.test("both recordings show response keywords and missing credentials, although credentials are masked", async () => {
  for (const format of ["har", "yaml"] as const) {
    const { summary, operations } = (await recorded(format)).report();
    assert.deepEqual(summary.response_keywords?.measured, true);
    const shown = operations.flatMap(({ method, path, credentials }) =>
      credentials === undefined ? [] : [[`${method} ${path}`, Object.values(credentials)]]
    );
    assert.deepEqual(shown, [["GET /bookings", [3, 0, 3, 0]], ["DELETE /bookings/{id}", [
      ...[0, 1, 0, 0],
    ]]]);
  }
});

Deno.test("a recording without response bodies doesn't measure them, and has no findings about them", async () => {
  const text = await Deno.readTextFile(`${RECORDINGS}/schemathesis.har`);
  const har = JSON.parse(text) as {
    readonly log: { readonly entries: { response: { content: Record<string, unknown> } }[] };
  };
  for (const { response } of har.log.entries) {
    const { text: _, ...content } = response.content;
    response.content = content;
  }
  const map = await CoverageMap.fromPath(DESCRIPTION);
  map.archive.recordFromDict(har);
  const { response_keywords } = map.report().summary;
  assert.deepEqual([response_keywords?.measured, response_keywords?.percent], [false, null]);
  const kinds = map.findings().map(({ kind }) => kind);
  assert.ok(!kinds.includes("response_violates_schema") && kinds.includes("server_error"));
});
