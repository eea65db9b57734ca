import type { Raw } from "../corpus/raw_description.ts";

/** A Swagger 2.0 description with some of everything that only this version has. */
export const SWAGGER_DESCRIPTION: Raw = {
  swagger: "2.0",
  info: { title: "Everything", version: "1.0.0" },
  host: "api.example.com",
  basePath: "/v1",
  consumes: ["application/json"],
  paths: {
    "/items": {
      parameters: [{ $ref: "#/parameters/Trace" }],
      get: {
        parameters: [
          {
            name: "limit",
            in: "query",
            type: "integer",
            minimum: 1,
            exclusiveMinimum: true,
            default: 5,
          },
          {
            name: "ids",
            in: "query",
            type: "array",
            collectionFormat: "multi",
            items: {
              type: "array",
              collectionFormat: "pipes",
              items: { type: "number", maximum: 9 },
            },
            uniqueItems: true,
          },
          {
            name: "tags",
            in: "query",
            type: "array",
            collectionFormat: "ssv",
            items: { type: "string", enum: ["a", "1"] },
          },
          { name: "flag", in: "query", type: "boolean", allowEmptyValue: true },
        ],
        responses: { 200: {}, default: {} },
      },
      post: {
        parameters: [{
          name: "item",
          in: "body",
          required: true,
          schema: { $ref: "#/definitions/Item" },
        }],
        responses: { 201: {} },
      },
    },
    "/items/{id}/photo": {
      post: {
        consumes: ["multipart/form-data", "application/x-www-form-urlencoded"],
        parameters: [
          { name: "id", in: "path", required: true, type: "string", format: "uuid" },
          { name: "photo", in: "formData", type: "file" },
          {
            name: "sizes",
            in: "formData",
            type: "array",
            items: { type: "integer", multipleOf: 2 },
          },
          { name: "caption", in: "formData", type: "string", maxLength: 5, pattern: "^[a-z]" },
        ],
        responses: { 204: {} },
      },
    },
  },
  parameters: {
    Trace: { name: "X-Trace", in: "header", type: "array", items: { type: "integer" } },
  },
  definitions: {
    Item: {
      type: "object",
      required: ["name", "id"],
      properties: {
        id: { type: "integer", readOnly: true },
        name: { type: "string", minLength: 1, example: "Ball" },
        parent: { $ref: "#/definitions/Item" },
        more: { allOf: [{ $ref: "#/definitions/Item" }, { maxProperties: 3 }] },
      },
      additionalProperties: { type: "number" },
    },
  },
};
