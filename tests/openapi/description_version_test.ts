import assert from "node:assert/strict";
import { descriptionVersion } from "../../src/openapi/description_version.ts";

Deno.test("descriptionVersion() accepts OpenAPI 2.0 to 3.2, quoted or not", () => {
  const cases: [unknown, string, string][] = [
    [{ swagger: "2.0" }, "2.0", "Swagger 2.0"],
    [{ swagger: 2 }, "2.0", "Swagger 2.0"],
    [{ openapi: "3.0.4" }, "3.0", "OpenAPI 3.0.4"],
    [{ openapi: 3.1 }, "3.1", "OpenAPI 3.1"],
    [{ openapi: 3 }, "3.0", "OpenAPI 3.0"],
    [{ openapi: "3.1.0-rc0" }, "3.1", "OpenAPI 3.1.0-rc0"],
    [{ openapi: "3.2.0" }, "3.2", "OpenAPI 3.2.0"],
  ];
  for (const [value, version, specification] of cases) {
    assert.deepEqual(descriptionVersion(value, "x"), { version, specification });
  }
});

Deno.test("descriptionVersion() refuses unknown versions and lists the known ones", () => {
  for (
    const value of [{ openapi: "4.0.0" }, { openapi: "3.3.0" }, { swagger: "1.2" }, { openapi: {} }]
  ) {
    assert.throws(() => descriptionVersion(value, "x"), {
      code: "unsupported_version",
      message: /^Cannot load x: .*3\.0, 3\.1 and 3\.2/,
    });
  }
});

Deno.test("descriptionVersion() says what another document seems to be", () => {
  const cases: [unknown, RegExp][] = [
    [[], /a list/],
    [null, /empty/],
    ["text", /plain text/],
    [{ swaggerVersion: "1.2" }, /Swagger 1/],
    [{
      info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      item: [],
    }, /Postman/],
    [{ id: "1", name: "n", requests: [] }, /Postman/],
    [{ log: { entries: [] } }, /HAR/],
    [{ interactions: [] }, /recording/],
    [{ http_interactions: [] }, /recording/],
    [{ asyncapi: "3.0.0" }, /AsyncAPI/],
    [{ arazzo: "1.0.0" }, /Arazzo/],
    [{ overlay: "1.0.0" }, /Overlay/],
    [{ kind: "discovery#restDescription" }, /discovery/],
    [{ data: { __schema: {} } }, /GraphQL/],
    [{ format_version: 1, tool: { name: "covtool" } }, /covtool report/],
    [{ info: {}, paths: {} }, /add `openapi/],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema" }, /JSON Schema/],
    [{ type: "object", properties: {} }, /JSON Schema/],
    [{ name: "thing" }, /it must have a top-level field/],
  ];
  for (const [value, message] of cases) {
    assert.throws(() => descriptionVersion(value, "x"), { name: "DescriptionError", message });
  }
});
