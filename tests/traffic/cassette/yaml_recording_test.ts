import assert from "node:assert/strict";
import { RecordingError } from "../../../src/values/errors.ts";
import { parseYamlRecording } from "../../../src/traffic/cassette/yaml_recording.ts";

const HI = new Uint8Array([104, 105]);

Deno.test("parseYamlRecording() decodes the binary tags of Ruby and of other languages", () => {
  const text = "ruby: !binary |-\n  aG\n  k=\npython: !!binary |\n  aGk=\nempty: !binary ''\n";
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], {
    ruby: HI,
    python: HI,
    empty: new Uint8Array(0),
  });
});

Deno.test("parseYamlRecording() keeps an invalid binary text as it is, and reads the rest", () =>
  assert.deepEqual(parseYamlRecording("a: !binary '#'\nb: 1\n", "c.yml")[0], {
    a: { base64_string: "#" },
    b: 1,
  }));

Deno.test("parseYamlRecording() reads values through the tags of Ruby and Python", () => {
  const text = [
    "list: !ruby/array:Items [1]",
    "object: !ruby/struct:VCR::Request",
    "  method: :get",
    "symbol: !ruby/symbol get",
    "old: ! 'text'",
    "text: !!python/unicode 'ü'",
    "stream: !!python/object/new:_io.BytesIO",
    "  state: !!python/tuple",
    "  - !!binary aGk=",
    "  - 0",
  ].join("\n");
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], {
    list: [1],
    object: { method: ":get" },
    symbol: "get",
    old: "text",
    text: "ü",
    stream: { state: [HI, 0] },
  });
});

Deno.test("parseYamlRecording() keeps times and dates as text", () => {
  const text = "a: 2026-11-20\nb: 2026-11-20 22:46:20.5 Z\nc: !!timestamp 2026-11-20\n";
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], {
    a: "2026-11-20",
    b: "2026-11-20 22:46:20.5 Z",
    c: "2026-11-20",
  });
});

Deno.test("parseYamlRecording() follows aliases and merge keys, and uses the last of equal keys", () => {
  const text = "a: &a {x: 1, y: 1}\nb: *a\nc: {<<: *a, y: 2}\nd: 1\nd: 2\n";
  const a = { x: 1, y: 1 };
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], { a, b: a, c: { x: 1, y: 2 }, d: 2 });
});

Deno.test("parseYamlRecording() returns every document that isn't empty", () => {
  const text = "---\nitems: [1]\n---\n---\n- 2\n---\n";
  assert.deepEqual(parseYamlRecording(text, "c.yml"), [{ items: [1] }, [2]]);
  assert.deepEqual(parseYamlRecording("---\n", "c.yml"), [null]);
});

Deno.test("parseYamlRecording() reports where the YAML is broken", () =>
  assert.throws(
    () => parseYamlRecording("a: 1\nb: [1, 2\nc: 3\n", "c.yml"),
    (error) =>
      error instanceof RecordingError && error.code === "syntax" && error.line === 3 &&
      /^Cannot read c\.yml: line 3, column \d+: The YAML is broken: /.test(error.message),
  ));

Deno.test("parseYamlRecording() rejects endless nesting", () =>
  assert.throws(
    () => parseYamlRecording("[".repeat(100_000), "c.yml"),
    (error) => error instanceof RecordingError && error.code === "syntax",
  ));

/** Result of a function that is called so deep in the stack that only what it needs is left. */
function onShortStack<T>(run: () => T): T {
  try {
    return onShortStack(run);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return run();
}

Deno.test("parseYamlRecording() reports that YAML is nested too deeply if the stack overflows", () =>
  assert.throws(
    () => onShortStack(() => parseYamlRecording("[".repeat(900) + "]".repeat(900), "c.yml")),
    { name: "RecordingError", message: "Cannot read c.yml: The YAML is nested too deeply." },
  ));

Deno.test("parseYamlRecording() keeps unquoted text of Ruby and Python that is a number in YAML 1.2", () => {
  const text =
    "a: 123e4567\nb: 1e3\nc: 0o17\nd: 1.5e3\ne: 12345678901234567890\nf: 010\ng: 200\nh: -0.5\n";
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], {
    a: "123e4567",
    b: "1e3",
    c: "0o17",
    d: "1.5e3",
    e: "12345678901234567890",
    f: "010",
    g: 200,
    h: -0.5,
  });
});

Deno.test("parseYamlRecording() accepts closing brackets and quotes at the indentation of the key", () => {
  const text = "interactions: [\n  {uri: 'a\nb'}\n]\n";
  assert.deepEqual(parseYamlRecording(text, "c.yml")[0], { interactions: [{ uri: "a b" }] });
  assert.throws(() => parseYamlRecording("a: [\n]\nb: c: d\n", "c.yml"), { line: 3 });
});
