import assert from "node:assert/strict";
import { type OptionKind, path } from "../../../src/run/options/option_kind.ts";
import {
  DIMENSION_LIST,
  GROUPING,
  OUTPUT,
  PERCENTAGE,
  readRate,
  SORTING,
  TOP,
} from "../../../src/run/options/option_kinds.ts";

function read(kind: OptionKind, input: string): unknown {
  try {
    return kind.read(input);
  } catch (error) {
    return String(error).replace(/^TypeError/, "Error");
  }
}

Deno.test("a percentage is a number from 0 to 100, with or without a percent sign", () => {
  assert.equal(read(PERCENTAGE, "80"), 80);
  assert.equal(read(PERCENTAGE, "99.5%"), 99.5);
  assert.equal(read(PERCENTAGE, "0"), 0);
  assert.equal(read(PERCENTAGE, "100"), 100);
  for (const input of ["100.1", "-1", "", "abc", "1e1", "NaN", "0x10", "80%%"]) {
    assert.match(
      String(read(PERCENTAGE, input)),
      /^Error: Expected a percentage from 0 to 100/,
    );
  }
});

Deno.test("a format is a name with an optional path", () => {
  assert.deepEqual(read(OUTPUT, "json"), { format: "json", path: undefined });
  assert.deepEqual(read(OUTPUT, "HTML"), { format: "html", path: undefined });
  assert.deepEqual(read(OUTPUT, "text=a=b.txt"), { format: "text", path: "a=b.txt" });
  assert.equal(
    read(OUTPUT, "xml=a.xml"),
    'Error: Unknown format "xml". Did you mean cobertura or junit? Choose html, json, text, markdown, lcov, cobertura, sarif, junit, badge, overlay or hits.',
  );
  const likely = { hmtl: "html", xjson: "json", cobrtr: "cobertura", hatm: "html" };
  for (const [input, meant] of [["toml"], ["csv"], ...Object.entries(likely)]) {
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    assert.match(
      String(read(OUTPUT, input ?? "")),
      new RegExp(`^Error: Unknown format "${input}"\\.${hint.replace("?", "\\?")} Choose html, `),
    );
  }
  assert.equal(read(OUTPUT, "json="), "Error: The path behind json= is empty.");
});

Deno.test("dimensions are a comma-separated list, or all", () => {
  assert.deepEqual(read(DIMENSION_LIST, "responses"), ["responses"]);
  assert.deepEqual(read(DIMENSION_LIST, "Parameters, keywords"), ["parameters", "keywords"]);
  assert.deepEqual(read(DIMENSION_LIST, "all"), [
    "operations",
    "parameters",
    "keywords",
    "examples",
    "responses",
  ]);
  assert.match(
    String(read(DIMENSION_LIST, "query")),
    /^Error: Unknown dimension "query"\. Choose operations, /,
  );
});

Deno.test("the error about an empty value, as from an unset variable, says that it is empty", () => {
  assert.equal(
    read(PERCENTAGE, ""),
    "Error: Expected a percentage from 0 to 100, but got an empty text.",
  );
  assert.equal(
    read(TOP, " "),
    "Error: Expected a number of operations or all, but got an empty text.",
  );
});

Deno.test("a path must not be empty", () => {
  assert.equal(read(path("PATH"), "a b.json"), "a b.json");
  assert.equal(read(path("PATH"), ""), "Error: Expected a path, but got an empty text.");
});

Deno.test("shells complete formats, their paths, and the last of several dimensions", () => {
  const complete = (kind: OptionKind, prefix: string) => [...kind.complete?.(prefix) ?? []];
  assert.deepEqual(complete(OUTPUT, "js"), [{ text: "json" }]);
  assert.deepEqual(complete(OUTPUT, "json=co"), [{ extensions: undefined, prefix: "json=" }]);
  assert.deepEqual(complete(DIMENSION_LIST, "keywords,re"), [{ text: "keywords,responses" }]);
  assert.deepEqual(complete(path("SCHEMA", [".json"]), "o"), [{ extensions: [".json"] }]);
});

Deno.test("the error about an unknown grouping or order suggests the intended one", () => {
  assert.equal(
    read(GROUPING, "tags"),
    'Error: Unknown grouping "tags". Did you mean tag? Choose tag or path.',
  );
  assert.match(
    String(read(SORTING, "gap")),
    /Did you mean gaps\? Choose gaps, hits, coverage or path\.$/,
  );
});

Deno.test("--top accepts a whole number or all", () => {
  assert.equal(read(TOP, "10"), 10);
  assert.equal(read(TOP, "All"), "all");
  for (const wrong of ["-1", "1.5", "", "many"]) assert.match(String(read(TOP, wrong)), /^Error/);
});

for (
  const [text, perSecond] of [
    ["10", 10],
    ["0.5", 0.5],
    ["5/s", 5],
    ["5/second", 5],
    ["30/m", 0.5],
    ["6/minute", 0.1],
  ] as const
) {
  Deno.test(`readRate() reads ${text} as ${perSecond} requests per second`, () => {
    assert.equal(readRate(text), perSecond);
  });
}

for (const text of ["", "0", "-1", "0/m", "ten", "5/h", "5/", "/s", "5 per second"]) {
  Deno.test(`readRate() refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => readRate(text), {
      name: "TypeError",
      message: `"${text}" is not a rate. Write requests per second, such as 10/s.`,
    });
  });
}
