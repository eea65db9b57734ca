import { shopApi } from "../shop_api.ts";

const ID = { name: "id", in: "path", required: true, schema: { type: "integer", maximum: 5 } };
const HARD_TEXT = `$HOME 'a' "b" \\ é\n\`x\` \${y} """ {{z}}\u2028\t`;

function jsonBody(properties: object): object {
  return { content: { "application/json": { schema: { type: "object", properties } } } };
}

/** A description with everything that is hard to write and to format as code. */
export const HARD_API = shopApi({
  "/books/{id}": {
    put: {
      parameters: [
        { ...ID, schema: { type: "string", example: "a b/c'd$e{x}" } },
        { name: "tags", in: "query", schema: { type: "array", items: { enum: ["x", "y&z"] } } },
        {
          name: "X-Note",
          in: "header",
          schema: { type: "string", example: `it's "new" \${x} #1 \`y\` {z}` },
        },
        { name: "session", in: "cookie", schema: { type: "string" } },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["title"],
              properties: {
                title: { type: "string", maxLength: 90, example: HARD_TEXT },
                wide: { type: "string", minLength: 40, example: "雪国".repeat(20) },
                pages: { type: ["integer", "null"], minimum: 1 },
                class: {
                  type: "object",
                  additionalProperties: { type: "array", items: { type: "number" } },
                  example: { "a-b": [1, 2, 3], for: [], "1x": [1e21, -0.5] },
                },
                list: { type: "array", example: [[1, 2], [3, 4]], items: { type: "array" } },
              },
            },
          },
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              properties: { title: { type: "string", minLength: 70 } },
            },
          },
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: {
                file: { type: "string", contentMediaType: "image/png" },
                meta: { type: "object", properties: { a: { type: "integer" } } },
                'we"ird': { type: "string", minLength: 60 },
              },
            },
          },
          "application/merge-patch+json": { schema: { type: ["array", "string"] } },
          "text/plain": { schema: { type: "string", minLength: 3, example: "a\nb`c" } },
        },
      },
      responses: {
        200: {
          description: "Changed",
          content: { "application/json": {}, "text/csv; charset=utf-8": {} },
        },
        422: { description: "Refused", content: { "application/problem+json": {} } },
      },
    },
    get: {
      tags: ["Größe & Maß"],
      parameters: [
        ID,
        {
          name: "filter",
          in: "query",
          style: "deepObject",
          schema: { type: "object", properties: { size: { type: "integer", minimum: 1 } } },
        },
      ],
      responses: { "2XX": { description: "A book" }, default: { description: "A problem" } },
    },
    delete: { parameters: [ID], responses: { 303: { description: "Elsewhere" } } },
  },
  "/{x}": {
    post: {
      servers: [{ url: "https://a-host-with-a-long-name.example/with/a/long/path/v2" }],
      parameters: [{ ...ID, name: "x" }],
      responses: { 201: { description: "Made" }, 202: { description: "Will be" } },
    },
  },
  "/a-path/that-is-so-long/that-no-call-has/room-beside-it/{id}": {
    post: {
      security: [{ aSchemeWithANameThatIsLong: [], "api-key": [] }],
      parameters: [ID, { name: "X", in: "header", schema: { type: "string", minLength: 9 } }],
      requestBody: jsonBody({
        1: { type: "string" },
        numbered: { type: "object", example: { 1: "one", 2.5: "two and a half", "01": 1 } },
        flat: { type: "string", maxLength: 17, minLength: 17 },
        numbers: { type: "array", minItems: 40, maxItems: 40, items: { type: "integer" } },
        settings: {
          type: "object",
          properties: {
            theColumnsThatAreShown: { const: "columns" },
            and: { type: "array", minItems: 1, items: { const: "rows!" } },
            text: { type: "string", minLength: 120 },
          },
        },
      }),
      responses: {
        200: {
          description: "Done",
          content: { "application/json": {}, "text/json": {}, "text/plain": {} },
        },
      },
    },
    put: {
      parameters: [
        ID,
        { name: "X-Note", in: "header", schema: { type: "string", minLength: 65 } },
      ],
      requestBody: jsonBody({
        some: { type: "string", minLength: 25 },
        more: { type: "string", minLength: 25 },
      }),
      responses: { 200: { description: "Done" } },
    },
  },
}, {
  security: [{ bearerAuth: [], "api-key": [] }],
  components: {
    securitySchemes: {
      bearerAuth: { type: "http", scheme: "bearer" },
      aSchemeWithANameThatIsLong: { type: "http", scheme: "bearer" },
      "api-key": { type: "apiKey", in: "query", name: "key" },
    },
  },
});
