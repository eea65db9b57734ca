import type { Raw } from "../corpus/raw_description.ts";
import { shopApi } from "../shop_api.ts";

const JSON_TYPE = "application/json";
const ITEM = { $ref: "#/components/schemas/Item" };

/** A description with some of everything that is counted. */
export const RICH_DESCRIPTION: Raw = shopApi({
  "/items": {
    parameters: [{ name: "X-Trace", in: "header", schema: { type: "string", format: "uuid" } }],
    get: {
      operationId: "listItems",
      tags: ["items"],
      parameters: [
        {
          name: "limit",
          in: "query",
          schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
          examples: { few: { value: 5 }, odd: { value: "12" } },
        },
        {
          name: "tags",
          in: "query",
          style: "pipeDelimited",
          explode: false,
          schema: { type: "array", items: { enum: ["a", "b", 1] }, uniqueItems: true },
        },
        {
          name: "filter",
          in: "query",
          style: "deepObject",
          schema: { $ref: "#/components/schemas/Filter" },
        },
        { name: "where", in: "query", content: { [JSON_TYPE]: { schema: { type: "object" } } } },
        { name: "session", in: "cookie", schema: { type: ["boolean", "null"], example: null } },
      ],
      responses: { 200: {}, "4XX": {}, default: {} },
    },
    post: {
      requestBody: {
        required: true,
        content: {
          [JSON_TYPE]: {
            schema: { $ref: "#/components/schemas/Item" },
            examples: { small: { value: { name: "text1" } } },
          },
          "application/x-www-form-urlencoded": {
            schema: { $ref: "#/components/schemas/Filter" },
            encoding: { ids: { style: "spaceDelimited", explode: false } },
          },
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: {
                file: { type: "string", format: "binary" },
                item: { $ref: "#/components/schemas/Item" },
                counts: { type: "array", items: { type: "integer" } },
              },
              required: ["file"],
            },
          },
          "text/plain": { schema: { type: "string", maxLength: 5, example: "text1" } },
          "application/xml": { schema: { type: "object" } },
        },
      },
      responses: { 201: {}, 400: {} },
    },
  },
  "/items/{id}": {
    parameters: [{
      name: "id",
      in: "path",
      required: true,
      schema: { anyOf: [{ type: "integer", minimum: 1 }, { const: "me" }] },
    }],
    get: { responses: { 200: {} } },
    patch: {
      requestBody: {
        content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Node" } } },
      },
      responses: { 204: {}, 404: {} },
    },
  },
  "/items/{id}/files/{name}.{ext}": {
    get: {
      parameters: [
        { name: "id", in: "path", required: true, style: "label", schema: { type: "integer" } },
        { name: "name", in: "path", required: true, schema: { type: "string", minLength: 3 } },
        { name: "ext", in: "path", required: true, schema: { enum: ["txt", "gz"] } },
      ],
      responses: {},
    },
  },
}, {
  servers: [{ url: "https://api.example.com/v1" }],
  security: [{ token: [] }, { key: [], session: [] }],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
    },
    schemas: {
      Filter: {
        type: "object",
        properties: {
          ids: { type: "array", items: { type: "integer" }, maxItems: 2 },
          since: { type: "string", format: "date" },
          nested: { $ref: "#/components/schemas/Filter" },
          flag: { type: "boolean" },
        },
        additionalProperties: false,
      },
      Item: {
        type: "object",
        required: ["name", "id"],
        properties: {
          id: { type: "integer", readOnly: true },
          name: { type: "string", pattern: "^text", examples: ["text1", "text2"] },
          price: { type: "number", multipleOf: 0.5, exclusiveMinimum: 0 },
          parts: { type: "array", items: { $ref: "#/components/schemas/Item" }, contains: true },
          kind: { oneOf: [{ const: "x" }, { type: "string", maxLength: 4 }] },
        },
        if: { required: ["price"] },
        then: { required: ["kind"] },
        else: { maxProperties: 3 },
        dependentRequired: { kind: ["price"] },
        patternProperties: { "^x-": { type: "string" } },
        unevaluatedProperties: false,
      },
      Node: {
        $id: "https://example.com/node",
        $dynamicAnchor: "node",
        type: "object",
        properties: {
          value: { type: ["string", "number", "null"] },
          children: { type: "array", items: { $dynamicRef: "#node" } },
        },
        propertyNames: { maxLength: 8 },
      },
    },
  },
});

const CONTENT = {
  "application/json": { schema: ITEM },
  "application/x-ndjson": { schema: { maxItems: 2 } },
  "text/*": { schema: { type: "string", maxLength: 20 } },
};

const HEADERS = {
  "X-Total": { required: true, schema: { type: "integer", minimum: 0 } },
  "X-Tags": { schema: { type: "array", items: { enum: ["a", "b"] } } },
};

/** Adds bodies and headers to the responses of a description such as {@linkcode RICH_DESCRIPTION}. */
export function withResponses(description: Raw): Raw {
  const copy = structuredClone(description) as {
    readonly paths: Readonly<
      Record<string, Record<string, { responses?: Record<string, object> }>>
    >;
  };
  for (const item of Object.values(copy.paths)) {
    for (const { responses = {} } of Object.values(item)) {
      for (const status of Object.keys(responses)) {
        responses[status] = status === "404"
          ? { content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } } }
          : status === "400"
          ? {}
          : { content: CONTENT, headers: HEADERS };
      }
    }
  }
  return copy as Raw;
}
