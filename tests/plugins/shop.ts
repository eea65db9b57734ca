import { CoverageMap } from "../../mod.ts";
import { jsonContent, shopApi } from "../shop_api.ts";

/** The description of the API that plugins are tested with. */
export const SHOP = shopApi({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
        { name: "X-Tag", in: "header", schema: { type: "string", maxLength: 3 } },
      ],
      responses: { 200: { description: "Books" } },
    },
    post: {
      requestBody: jsonContent({
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 2, examples: ["Momo"] } },
      }),
      responses: { 201: { description: "Created" }, 422: { description: "Refused" } },
    },
  },
  "/form": {
    post: {
      requestBody: {
        content: {
          "application/x-www-form-urlencoded": {
            schema: { type: "object", properties: { size: { type: "integer", maximum: 9 } } },
          },
        },
      },
      responses: { 200: { description: "Taken" } },
    },
  },
  "/upload": {
    post: {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: {
                note: { type: "string", maxLength: 5 },
                file: { type: "string", maxLength: 4 },
              },
            },
          },
        },
      },
      responses: { 200: { description: "Taken" } },
    },
  },
  "/raw": {
    put: {
      requestBody: {
        content: { "application/octet-stream": { schema: { type: "string", maxLength: 4 } } },
      },
      responses: { 200: { description: "Taken" } },
    },
  },
  "/text": {
    post: {
      requestBody: { content: { "text/plain": { schema: { type: "string", maxLength: 4 } } } },
      responses: { 200: { description: "Taken" } },
    },
  },
  "/old": { get: { responses: { 302: { description: "Moved" } } } },
  "/flaky": {
    get: { responses: { 200: { description: "Now" }, 503: { description: "Later" } } },
  },
});

/** Names two versions of a library, the newest first, and treats both as the newest's type. */
export function versions<Library>(
  newest: readonly [string, Library],
  older: readonly [string, unknown],
): readonly (readonly [name: string, library: Library])[] {
  return [newest, older as readonly [string, Library]];
}

/** Options of a JSON request. */
export function postJson(body: string) {
  return { method: "POST" as const, headers: { "Content-Type": "application/json" }, body };
}

/** A form with a file. */
export function fileForm(): FormData {
  const form = new FormData();
  form.append("file", new File(["a,b,c"], "list.csv"));
  return form;
}

export function shopMap(): CoverageMap {
  return CoverageMap.fromDict(SHOP, { location: "shop.yaml" });
}

/** Findings that need a response body which somebody has read. */
const OF_BODIES: ReadonlySet<unknown> = new Set([
  "undocumented_body",
  "undocumented_media_type",
  "response_violates_schema",
]);

/** A report without what differs between runs, and without findings in responses, which a test may not read. */
export function timeless(map: CoverageMap): unknown {
  const moments = new Set(["elapsed", "first_at", "last_at", "timeline", "response_keywords"]);
  const { findings, ...report } = map.report({ generatedAt: "now" });
  return JSON.parse(
    JSON.stringify(
      { ...report, findings: findings?.filter(({ kind }) => !OF_BODIES.has(kind)) },
      (key, value) => moments.has(key) ? undefined : value,
    ),
  );
}
