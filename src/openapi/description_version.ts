import { isObject, type SchemaObject } from "../schema/schema_node.ts";
import { DescriptionError } from "../values/errors.ts";

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2";

export interface DescriptionVersion {
  readonly version: OpenApiVersion;
  /** The name in reports: `OpenAPI 3.1.0`, `Swagger 2.0`. */
  readonly specification: string;
}

/** True if schemas have `$id` and anchors. */
export function hasIdentifiers(version: OpenApiVersion): boolean {
  return version === "3.1" || version === "3.2";
}

/** Throws a DescriptionError if the value isn't an OpenAPI description; the message says what it seems to be. */
export function descriptionVersion(value: unknown, location: string): DescriptionVersion {
  const refuse = (code: string, sentence: string): never => {
    throw new DescriptionError(sentence, { code, location });
  };
  if (!isObject(value)) {
    return refuse(
      "not_openapi",
      `This is not an OpenAPI description but ${
        Array.isArray(value) ? "a list" : value === null ? "empty" : "plain text"
      }: give a JSON or YAML document with a top-level field \`openapi\` or \`swagger\`.`,
    );
  }
  const { openapi, swagger } = value;
  if (openapi !== undefined) {
    const text = versionText(openapi);
    const minor = /^3\.([012])(?:\.|-|$)/.exec(text ?? "")?.[1];
    if (text !== undefined && minor !== undefined) {
      return { version: `3.${minor}` as OpenApiVersion, specification: `OpenAPI ${text}` };
    }
    return refuse(
      "unsupported_version",
      `\`openapi: ${
        excerpt(openapi)
      }\` is not supported: covtool reads Swagger 2.0 (field \`swagger\`) and OpenAPI 3.0, 3.1 and 3.2.`,
    );
  }
  if (swagger !== undefined) {
    const text = versionText(swagger);
    if (text !== undefined && /^2(\.|$)/.test(text)) {
      return { version: "2.0", specification: `Swagger ${text}` };
    }
    return refuse(
      "unsupported_version",
      `\`swagger: ${
        excerpt(swagger)
      }\` is not supported: covtool reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 (field \`openapi\`).`,
    );
  }
  const sentence = OTHER_DOCUMENTS.find(([matches]) => matches(value))?.[1];
  return refuse("not_openapi", sentence ?? NOT_OPENAPI);
}

/** Returns the version as text. Without quotes in YAML, it is a number. */
function versionText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim();
  if (typeof value !== "number") return undefined;
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? text.slice(0, 40) + "…" : text;
}

function asFields(value: unknown): SchemaObject {
  return isObject(value) ? value : {};
}

const RECORDING = "give it as recorded traffic, and an OpenAPI description as the schema.";

const OTHER_DOCUMENTS: readonly (readonly [(top: SchemaObject) => boolean, string])[] = [
  [
    (top) => top["swaggerVersion"] !== undefined,
    "This is a Swagger 1.x description: convert it to OpenAPI 3 first.",
  ],
  [
    (top) =>
      /getpostman\.com|postman/.test(String(asFields(top["info"])["schema"])) ||
      asFields(top["info"])["_postman_id"] !== undefined ||
      (Array.isArray(top["requests"]) && top["name"] !== undefined),
    `This is a Postman collection: ${RECORDING}`,
  ],
  [
    (top) => Array.isArray(asFields(top["log"])["entries"]),
    `This is an HTTP archive (HAR): ${RECORDING}`,
  ],
  [
    (top) => Array.isArray(top["http_interactions"]) || Array.isArray(top["interactions"]),
    `This is a recording of traffic: ${RECORDING}`,
  ],
  [
    (top) => top["asyncapi"] !== undefined,
    "This is an AsyncAPI description; covtool measures HTTP APIs described in OpenAPI.",
  ],
  [
    (top) => top["arazzo"] !== undefined,
    "This is an Arazzo description of workflows: give the OpenAPI description that it builds on.",
  ],
  [
    (top) => top["overlay"] !== undefined,
    "This is an OpenAPI Overlay: give the OpenAPI description, and this with `--overlay`.",
  ],
  [
    (top) => String(top["kind"]).startsWith("discovery#"),
    "This is a Google API discovery document: convert it to OpenAPI first.",
  ],
  [
    (top) => asFields(top["data"])["__schema"] !== undefined || top["__schema"] !== undefined,
    "This is a GraphQL schema; covtool measures HTTP APIs described in OpenAPI.",
  ],
  [
    (top) => top["format_version"] !== undefined && asFields(top["tool"])["name"] === "covtool",
    "This is a covtool report: give the OpenAPI description itself.",
  ],
  [
    (top) => asFields(top["paths"]) === top["paths"],
    'The field that names the version is missing: add `openapi: 3.0.3` (or `swagger: "2.0"`) at the top.',
  ],
  [
    (top) =>
      top["$schema"] !== undefined || top["$id"] !== undefined ||
      (top["type"] !== undefined && top["properties"] !== undefined),
    "This is a JSON Schema, not an OpenAPI description: give the OpenAPI document that refers to it.",
  ],
];

const NOT_OPENAPI =
  "This is not an OpenAPI description: it must have a top-level field `openapi` (such as 3.1.0) or `swagger` (2.0).";
