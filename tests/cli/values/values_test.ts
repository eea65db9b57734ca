import assert from "node:assert/strict";
import { formatMessage } from "@optique/core/message";
import type { ValueParser } from "@optique/core/valueparser";
import { dimensionsValue } from "../../../src/run/values/dimensions_value.ts";
import { fileValue } from "../../../src/cli/values/file_value.ts";
import { outputValue } from "../../../src/run/values/output_value.ts";
import { percentValue } from "../../../src/cli/values/percent_value.ts";

function read<Value>(parser: ValueParser<"sync", Value>, input: string): Value | string {
  const result = parser.parse(input);
  return result.success ? result.value : `Error: ${formatMessage(result.error, { quotes: false })}`;
}

Deno.test("a percentage is a number from 0 to 100, with or without its sign", () => {
  assert.equal(read(percentValue(), "80"), 80);
  assert.equal(read(percentValue(), "99.5%"), 99.5);
  assert.equal(read(percentValue(), "0"), 0);
  assert.equal(read(percentValue(), "100"), 100);
  for (const input of ["100.1", "-1", "", "abc", "1e1", "NaN", "0x10", "80%%"]) {
    assert.match(
      String(read(percentValue(), input)),
      /^Error: Expected a percentage from 0 to 100/,
    );
  }
});

Deno.test("a format is a name, with a path if it likes", () => {
  assert.deepEqual(read(outputValue(), "json"), { format: "json", path: undefined });
  assert.deepEqual(read(outputValue(), "HTML"), { format: "html", path: undefined });
  assert.deepEqual(read(outputValue(), "text=a=b.txt"), { format: "text", path: "a=b.txt" });
  assert.equal(
    read(outputValue(), "xml=a.xml"),
    'Error: Unknown format "xml". Did you mean cobertura or junit? Choose html, json, text, markdown, lcov, cobertura, sarif, junit, badge or hits.',
  );
  for (const [input, meant] of [["yaml"], ["csv"], ["toml"], ["hmtl", "html"], ["xjson", "json"]]) {
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    assert.match(
      String(read(outputValue(), input ?? "")),
      new RegExp(`^Error: Unknown format "${input}"\\.${hint.replace("?", "\\?")} Choose html, `),
    );
  }
  assert.equal(read(outputValue(), "json="), "Error: The path behind json= is empty.");
});

Deno.test("dimensions are a list with commas, or all", () => {
  assert.deepEqual(read(dimensionsValue(), "responses"), ["responses"]);
  assert.deepEqual(read(dimensionsValue(), "Parameters, keywords"), ["parameters", "keywords"]);
  assert.deepEqual(read(dimensionsValue(), "all"), [
    "operations",
    "parameters",
    "keywords",
    "examples",
    "responses",
  ]);
  assert.match(
    String(read(dimensionsValue(), "query")),
    /^Error: Unknown dimension "query"\. Choose operations, /,
  );
});

Deno.test("a path must not be empty", () => {
  assert.equal(read(fileValue("PATH"), "a b.json"), "a b.json");
  assert.equal(read(fileValue("PATH"), ""), "Error: Expected a path, but got an empty text.");
});

Deno.test("shells complete formats, their paths, and the last of several dimensions", () => {
  assert.deepEqual([...outputValue().suggest?.("js") ?? []], [{ kind: "literal", text: "json" }]);
  assert.deepEqual([...outputValue().suggest?.("json=co") ?? []], [
    { kind: "file", type: "file", pattern: "json=co", prefix: "json=" },
  ]);
  assert.deepEqual([...dimensionsValue().suggest?.("keywords,re") ?? []], [
    { kind: "literal", text: "keywords,responses" },
  ]);
  assert.deepEqual([...fileValue("SCHEMA", [".json"]).suggest?.("o") ?? []], [
    { kind: "file", type: "file", pattern: "o", extensions: [".json"] },
  ]);
});
