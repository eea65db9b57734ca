import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../src/report/report.schema.json" with { type: "json" };

const ajv = new Ajv2020({ allErrors: true, strictTypes: false }).addSchema(schema);

/** Problems of a JSON report, or of reports of several APIs; empty if it is valid. */
export function schemaProblems(report: unknown, definition = ""): readonly string[] {
  const fits = ajv.getSchema(`${schema.$id}${definition}`);
  assert.ok(fits !== undefined);
  if (fits(report)) return [];
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
