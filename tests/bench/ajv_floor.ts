// A validator says whether each sent value is valid, and stops at the first failure. Counting every keyword can't be
// cheaper, so its time is the second floor of recording.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { SentValue } from "./generate_traffic.ts";

type Fields = Readonly<Record<string, unknown>>;

const DOCUMENT = "document:";

/** Members of a Swagger 2.0 parameter, which is its own schema, that mean something else in a schema. */
const NO_SCHEMA = new Set(["in", "name", "required", "collectionFormat", "allowEmptyValue"]);

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts the notations of older versions of OpenAPI to JSON Schema 2020-12. */
function modern(value: unknown, isParameter = false): unknown {
  if (Array.isArray(value)) return value.map((item) => modern(item));
  if (!isFields(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key in value) {
    if (isParameter && NO_SCHEMA.has(key)) continue;
    if (key === "discriminator" || key === "example" || key === "$schema") continue;
    result[key] = modern(value[key]);
  }
  for (const [flag, limit] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]]) {
    if (typeof value[flag!] !== "boolean") continue; // both names are listed above
    delete result[flag!];
    if (value[flag!] === true) result[flag!] = value[limit!];
  }
  if (Array.isArray(value["items"])) delete result["items"];
  if (value["nullable"] !== undefined && typeof value["type"] !== "string") {
    delete result["nullable"];
  }
  if (typeof value["$ref"] === "string") {
    result["$ref"] = value["$ref"].replace(/^#/, `${DOCUMENT}#`);
  }
  return result;
}

/** Compiles the schemas of a parsed description with ajv; undefined for schemas that ajv refuses. */
export function ajvFloor(document: unknown): (sent: SentValue) => ValidateFunction | undefined {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    addUsedSchema: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(modern(document) as Fields, DOCUMENT);
  const compiled = new Map<Fields, ValidateFunction | undefined>();
  return ({ schema }) => {
    if (compiled.has(schema)) return compiled.get(schema);
    let validate: ValidateFunction | undefined;
    try {
      validate = ajv.compile(modern(schema, typeof schema["in"] === "string") as Fields);
    } catch {
      validate = undefined; // no floor for what ajv refuses; its share is beside the number
    }
    compiled.set(schema, validate);
    return validate;
  };
}
