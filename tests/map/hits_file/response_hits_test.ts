import assert from "node:assert/strict";
import { CoverageMap, type HttpResponse } from "../../../mod.ts";
import { shopApi } from "../../shop_api.ts";

function description(
  limit: number,
  more: object = {},
  name = "application/json",
  example?: object,
): object {
  return shopApi({
    "/books": {
      get: {
        responses: {
          200: {
            description: "Books",
            headers: { "X-Total": { required: true, schema: { type: "integer" } } },
            content: {
              [name]: {
                schema: { $ref: "#/components/schemas/Book" },
                ...(example && { example }),
              },
            },
          },
        },
      },
    },
  }, {
    components: {
      schemas: { Book: { properties: { title: { type: "string", maxLength: limit } }, ...more } },
    },
  });
}

const BROKEN: readonly HttpResponse[] = [
  { headers: { "content-type": "application/json" }, body: '{"title":"Too long"}' },
  { headers: { "content-type": "application/json", "x-total": "1" }, body: "{" },
  { headers: { "content-type": "text/html", "x-total": "1" }, body: "<" },
];

function exported(api: object, responses: readonly HttpResponse[] = BROKEN): Uint8Array {
  const map = CoverageMap.fromDict(api);
  for (const response of responses) {
    map.record({ method: "GET", url: "/books" }, { status_code: 200, ...response }, 5);
  }
  return map.exportHits();
}

/** Carries hits from one description over to another. Returns the findings and what was dropped. */
function carried(from: object, to: object): { findings: string[]; dropped: string[] } {
  const map = CoverageMap.fromDict(to);
  const dropped = map.mergeHits(exported(from), { carry: true });
  return {
    findings: map.findings().map((finding) =>
      `${finding.kind} ${
        "schema_path" in finding
          ? finding.schema_path.split("/").pop()
          : "media_type" in finding
          ? finding.media_type
          : ""
      } ${finding.count}`
    ),
    dropped: dropped.map(({ kind, schema_path = "", hits }) =>
      `${kind} ${schema_path.split("/").pop()} ${hits}`
    ),
  };
}

const ALL = [
  "response_violates_schema maxLength 1",
  "response_violates_schema application~1json 1",
  "response_violates_schema required 1",
  "undocumented_media_type text/html 1",
];

Deno.test("hits of responses without bodies and headers have no members for them", () => {
  const text = new TextDecoder().decode(exported(description(5), [{}, { headers: {} }]));
  assert.ok(!/answered_bodies|response_parts|undocumented_answers|violations/.test(text));
});

Deno.test("findings about responses are carried over to a description with equal schemas", () => {
  const { findings, dropped } = carried(description(5), description(5, { minProperties: 1 }));
  assert.deepEqual([findings, dropped], [ALL, []]);
});

Deno.test("findings about a body that doesn't parse are carried over even if the media type changed", () => {
  const { findings, dropped } = carried(
    description(5),
    description(5, {}, undefined, { title: "" }),
  );
  assert.deepEqual([findings, dropped], [ALL, []]);
});

Deno.test("hits name the place in a value only where the keyword's pointer doesn't say it", () => {
  const referred = new TextDecoder().decode(exported(description(5)));
  assert.match(
    referred,
    /"\/components\/schemas\/Book\/properties\/title\/maxLength"[^\]]*"\/title"\]/,
  );
  const name = "application/json";
  const content = { [name]: { schema: { properties: { title: { maxLength: 5 } } } } };
  const paths = { "/books": { get: { responses: { 200: { description: "Books", content } } } } };
  const written = new TextDecoder().decode(exported({ ...description(5), paths }));
  assert.match(written, /"\.\/properties\/title\/maxLength"/);
  assert.ok(!written.includes('"/title"'));
});

Deno.test("a violation is dropped, once, with the keyword that changed", () => {
  const { findings, dropped } = carried(description(5), description(6));
  assert.deepEqual(findings, ALL.slice(1));
  assert.deepEqual(dropped, ["keyword properties 1", "keyword maxLength 1"]);
});

Deno.test("counts of removed media types are dropped, and documented ones are findings no more", () => {
  const { findings, dropped } = carried(description(5), description(5, {}, "text/html"));
  assert.deepEqual(findings, ["response_violates_schema required 1"]);
  assert.deepEqual(dropped, ["parameter  2"]);
});
