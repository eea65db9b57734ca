import assert from "node:assert/strict";
import { readRunOptions, type RunOptions } from "../../src/runners/run_options.ts";
import { inFolder } from "../in_folder.ts";

const read = (options: Partial<RunOptions>, root?: string) =>
  readRunOptions({ schema: "openapi.yaml", ...options }, "options", root);

Deno.test("only the text is printed, and nothing is written, unless formats are given", () => {
  assert.deepEqual(read({}).outputs, [{ format: "text", path: undefined }]);
  assert.deepEqual(read({ print: false }).outputs, []);
  assert.deepEqual(read({ format: "text", print: false }).outputs, []);
});

Deno.test("reports are written to files, with default names if none are given", () => {
  assert.deepEqual(read({ format: ["html", "json=out/api.json"], print: false }).outputs, [
    { format: "html", path: "coverage.html" },
    { format: "json", path: "out/api.json" },
  ]);
  assert.deepEqual(read({ output: "page.html", print: false }).outputs, [
    { format: "html", path: "page.html" },
  ]);
  assert.deepEqual(read({ format: "json", output: "api.json", print: false }).outputs, [
    { format: "json", path: "api.json" },
  ]);
  assert.deepEqual(read({ format: "text", output: "api.txt" }).outputs, [
    { format: "text", path: "api.txt" },
    { format: "text", path: undefined },
  ]);
});

Deno.test("paths are relative to the runner's root", async () => {
  await inFolder({ "main.json": "{}" }, (root) => {
    const { options, outputs } = read(
      { format: "json", baseReport: "main.json", print: false },
      root,
    );
    assert.equal(options.schema, `${root}/openapi.yaml`);
    assert.equal(options.baseline, `${root}/main.json`);
    assert.deepEqual(outputs, [{ format: "json", path: `${root}/coverage.json` }]);
    const url = "https://shop.example/openapi.json";
    assert.equal(read({ schema: url }, root).options.schema, url);
    assert.equal(read({}, Deno.cwd()).options.schema, "openapi.yaml");
    return Promise.resolve();
  });
});

Deno.test("conditions that compare need a baseline, and the error comes before the tests run", async () => {
  assert.throws(() => read({ failOn: ["no-traffic", "new-gaps"] }), {
    message: /: --fail-on new-gaps compares with a baseline\. Add --baseline PATH, /,
  });
  await inFolder({ "main.json": "{}" }, (root) => {
    const { options } = read({ failOn: "new-gaps,decrease=keywords", baseline: "main.json" }, root);
    assert.deepEqual(options.failOn.flat(), [
      { kind: "new-gaps" },
      { kind: "decrease", argument: "keywords" },
    ]);
    return Promise.resolve();
  });
});

Deno.test("the error about a missing baseline comes before the tests run", () => {
  assert.throws(() => read({ baseline: "gone.json" }), {
    message:
      "options: Cannot compare with gone.json: There is no such file: check the path. Make it with --format json=gone.json, in a run of the main branch for example.",
  });
});

Deno.test("a run that only writes hits doesn't check the config file's thresholds", async () => {
  await inFolder({ "covtool.yaml": "failUnder: 80\n" }, (root) => {
    const { options } = read({ format: "hits=a.hits", failUnderKeywords: 10 }, root);
    assert.equal(options.failUnder, undefined);
    assert.match(options.unjudged ?? "", /covtool\.yaml$/);
    assert.equal(options.failUnderKeywords, 10, "the runner's own options are checked");
    return Promise.resolve();
  });
});

Deno.test("dimensions, groupBy, sort and top accept the same values as the command line", () => {
  const arranged = { groupBy: "tag", sort: "gaps", top: "all" } as const;
  const { options } = read({ showMissing: "all", badgeDimensions: ["keywords"], ...arranged });
  assert.deepEqual({ ...options, ...arranged }, options);
  assert.equal(options.showMissing.flat().length, 5);
  assert.deepEqual(options.badgeDimensions.flat(), ["keywords"]);
});

for (
  const [options, sentence] of [
    [
      { failUnderAll: 5 },
      /^options: Unknown option "failUnderAll"\. Did you mean failUnder\? Choose schema, /,
    ],
    [{ schema: undefined }, /^options: schema is missing/],
    [{ schema: 7 }, /^options: schema must be a non-empty string\.$/],
    [{ format: "docx" }, /^options: format: Unknown format "docx"\. Choose html, /],
    [{ format: ["json", "json"] }, /Two reports would be written to coverage\.json/],
    [
      { format: ["html", "json"], output: "a" },
      /^options: output works with a single report\. Use format: \["html=coverage\.html", "json=coverage\.json"\] instead\.$/,
    ],
    [
      { format: "html=a.html", output: "b.html" },
      /^options: output works with a single report\./,
    ],
    [{ top: -1 }, /^options: top must be a number of operations, or "all"\.$/],
    [{ sort: "name" }, /^options: sort: Unknown order "name"\. Did you mean path\?/],
  ] as readonly [Record<string, unknown>, RegExp][]
) {
  Deno.test(`${JSON.stringify(options)} is refused with a message`, () => {
    assert.throws(() => read(options), (error: Error) => {
      assert.match(error.message, sentence);
      return true;
    });
  });
}

Deno.test('scope patterns have the source "options" unless they name another one', () => {
  const { exclude, include } = read({
    exclude: ["deprecated", { pattern: "tag:a", reason: "Old", source: "covtool.yaml:4" }],
    include: "tag:b",
  }).options;
  assert.deepEqual(exclude, [
    { pattern: "deprecated", source: "options" },
    { pattern: "tag:a", reason: "Old", source: "covtool.yaml:4" },
  ]);
  assert.deepEqual(include, [{ pattern: "tag:b", source: "options" }]);
  assert.throws(() => read({ exclude: "tags:a" }), /options: exclude: "tags:a" is not a pattern\./);
  const wrong = { name: "a" } as unknown as string;
  assert.throws(() => read({ exclude: wrong }), /exclude must be a pattern, \{ pattern, reason/);
});
