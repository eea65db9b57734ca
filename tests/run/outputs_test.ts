import assert from "node:assert/strict";
import { OutputGuard } from "../../src/files/output_guard.ts";
import { chooseOutputs, guardedReports } from "../../src/run/outputs.ts";

Deno.test("without a format, the report is a page in coverage.html or in the file of -o", () => {
  assert.deepEqual(chooseOutputs([], undefined), [{ format: "html", path: "coverage.html" }]);
  assert.deepEqual(chooseOutputs([], "out.html"), [{ format: "html", path: "out.html" }]);
});

Deno.test("json and text are printed unless they have a path", () => {
  for (const format of ["json", "text"] as const) {
    assert.deepEqual(chooseOutputs([{ format, path: undefined }], undefined), [
      { format, path: undefined },
    ]);
    assert.deepEqual(chooseOutputs([{ format, path: "a" }], undefined), [{ format, path: "a" }]);
    assert.deepEqual(chooseOutputs([{ format, path: undefined }], "b"), [{ format, path: "b" }]);
  }
});

Deno.test("a dash means standard output, also for a page", () => {
  assert.deepEqual(chooseOutputs([], "-"), [{ format: "html", path: undefined }]);
  assert.deepEqual(chooseOutputs([{ format: "html", path: "-" }], undefined), [
    { format: "html", path: undefined },
  ]);
});

Deno.test("several formats are written at once", () =>
  assert.deepEqual(
    chooseOutputs([
      { format: "html", path: undefined },
      { format: "json", path: "a.json" },
      { format: "text", path: undefined },
    ], undefined),
    [
      { format: "html", path: "coverage.html" },
      { format: "json", path: "a.json" },
      { format: "text", path: undefined },
    ],
  ));

Deno.test("-o with several formats or with a path is refused, and the message has a correct command", () => {
  assert.throws(
    () =>
      chooseOutputs([{ format: "html", path: undefined }, { format: "json", path: "a.json" }], "b"),
    {
      name: "CommandError",
      message:
        "-o works with a single report. Use --format html=coverage.html --format json=a.json instead.",
    },
  );
  assert.throws(() => chooseOutputs([{ format: "text", path: "a.txt" }], "b"), {
    message: "-o works with a single report. Use --format text=a.txt instead.",
  });
});

Deno.test("two reports at the same place are refused", () => {
  assert.throws(
    () =>
      chooseOutputs(
        [{ format: "json", path: undefined }, { format: "text", path: undefined }],
        undefined,
      ),
    {
      message:
        "Only one report can go to standard output. Give the others a path, for example --format text=coverage.txt.",
    },
  );
  const same = [{ format: "json", path: "a" }, { format: "text", path: "a" }] as const;
  assert.throws(
    () => new OutputGuard(guardedReports(chooseOutputs(same, undefined))),
    { message: "Two reports would be written to a. Give each its own path." },
  );
});
