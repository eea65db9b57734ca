import assert from "node:assert/strict";
import { checkComplexity, InputLimitError } from "../../src/values/input_limits.ts";
import { parseDocument } from "../../src/openapi/parse_document.ts";

Deno.test("a description that is small as text but large when parsed is refused", () => {
  const json = `{"openapi": "3.1.0", "x": [${"{},".repeat(2 ** 24 + 1)}1]}`;
  const yaml = `openapi: 3.1.0\nx:\n${"-\n".repeat(2 ** 23 + 1)}`;
  for (const text of [json, yaml]) {
    assert.throws(
      () => parseDocument(text, "openapi.yaml"),
      /^DescriptionError: Cannot load openapi\.yaml: It has more than [\d,]+ parts/,
    );
  }
});

Deno.test("checkComplexity() counts values, not characters in strings", () => {
  checkComplexity(JSON.stringify('[{\\"['.repeat(2 ** 23)), "json");
  checkComplexity(`"${"[".repeat(2 ** 24 + 5)}`, "json");
  assert.throws(() => checkComplexity(`["\\"[", ${"[".repeat(2 ** 24)}`, "json"), InputLimitError);
});
