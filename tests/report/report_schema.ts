import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../src/report/report.schema.json" with { type: "json" };

const ajv = new Ajv2020({ allErrors: true, strictTypes: false }).addSchema(schema);

/** What keeps a value from being a JSON report, or reports of several APIs: nothing where it is one. */
export function schemaProblems(report: unknown, definition = ""): readonly string[] {
  const fits = ajv.getSchema(`${schema.$id}${definition}`);
  assert.ok(fits !== undefined);
  if (fits(report)) return [];
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
