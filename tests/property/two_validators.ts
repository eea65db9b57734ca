import type { Json } from "../../src/values/json.ts";
import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Draft, Schema } from "./schema_arbitrary.ts";

const AJV = { "draft-07": Ajv, "2019-09": Ajv2019, "2020-12": Ajv2020 };
const CFWORKER: Readonly<Record<Draft, SchemaDraft>> = {
  "draft-07": "7",
  "2019-09": "2019-09",
  "2020-12": "2020-12",
};

/** What both validators say; undefined where they differ, or cannot read the schema. */
export function agreed(draft: Draft, schema: Schema): (instance: Json) => boolean | undefined {
  const options = { strict: false, validateFormats: false, ownProperties: true };
  let first: (instance: Json) => unknown;
  try {
    first = new AJV[draft]({ ...options, logger: false }).compile<unknown>(schema);
  } catch {
    return () => undefined;
  }
  const second = new Validator(schema as boolean, CFWORKER[draft], true);
  return (instance) => {
    try {
      const valid = first(instance) === true;
      return second.validate(instance).valid === valid ? valid : undefined;
    } catch {
      return undefined; // code that ajv generates can fail at unevaluatedProperties
    }
  };
}
