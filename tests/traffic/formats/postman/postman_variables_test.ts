import assert from "node:assert/strict";
import { postmanDynamicVariable } from "../../../../src/traffic/formats/postman/postman_dynamic_variables.ts";
import { PostmanVariables } from "../../../../src/traffic/formats/postman/postman_variables.ts";
import { Problems } from "../../../../src/traffic/formats/recording.ts";

function warningsOf(variables: PostmanVariables): readonly string[] {
  const problems = new Problems("c.json");
  variables.report(problems);
  return problems.sentences();
}

Deno.test("PostmanVariables follows variables in values, and ends where they run in circles", () => {
  const variables = new PostmanVariables().extend([
    { key: "a", value: "{{b}}{{b}}" },
    { key: "b", value: "1" },
    { key: "x", value: "{{y}}" },
    { key: "y", value: "{{x}}" },
    { key: "part", value: "b" },
  ]);
  assert.equal(variables.resolve("{{a}} {{ b }} {{{{part}}}}", "p"), "11 1 1");
  assert.match(variables.resolve("{{x}}", "p"), /^\{\{[xy]\}\}$/);
});

Deno.test("PostmanVariables leaves variables that double each other in a circle as they are", () => {
  const variables = new PostmanVariables({ environment: { a: "{{b}}", b: "{{a}}{{a}}" } });
  assert.equal(variables.resolve("{{a}}/tags", "p"), "{{a}}{{a}}/tags");
  assert.match(warningsOf(variables).join(), /\{\{a\}\}/);
});

Deno.test("PostmanVariables does not let variables grow without end", () => {
  const list = Array.from({ length: 19 }, (_, index) => ({
    key: `v${index}`,
    value: `{{v${index + 1}}}`.repeat(8),
  }));
  const text = new PostmanVariables().extend(list).resolve("{{v0}}", "p");
  assert.ok(text.length < 1 << 25);
});

Deno.test("PostmanVariables keeps empty values, and takes null for a missing one", () => {
  const variables = new PostmanVariables().extend([
    { key: "empty", value: "" },
    { key: "none", value: null },
    { key: "list", value: [1] },
  ]);
  assert.equal(variables.resolve("[{{empty}}] {{none}} {{list}}", "p"), "[] {{none}} [1]");
});

Deno.test("PostmanVariables gives each dynamic identifier a value of its own, the same each time", () => {
  const texts = [1, 2].map(() =>
    new PostmanVariables().resolve("{{$guid}} {{$randomUUID}} {{$timestamp}}", "p")
  );
  assert.equal(
    texts[0],
    "7f3d9a52-6c1e-4b08-9a4d-000000000001 7f3d9a52-6c1e-4b08-9a4d-000000000002 1767268800",
  );
  assert.equal(texts[0], texts[1]);
});

Deno.test("postmanDynamicVariable() gives values of the right kind", () => {
  const value = (name: string, occurrence = 1) => postmanDynamicVariable(name, occurrence) ?? "";
  assert.equal(value("$isoTimestamp"), "2026-01-01T12:00:00.000Z");
  assert.equal(value("$timestamp"), String(Date.parse(value("$isoTimestamp")) / 1000));
  for (const occurrence of [1, 2, 27, 28, 1000]) {
    assert.match(value("$randomInt", occurrence), /^(?:\d{1,3}|1000)$/);
    assert.match(value("$randomAlphaNumeric", occurrence), /^[a-z\d]$/);
    assert.match(value("$randomBoolean", occurrence), /^(?:true|false)$/);
    assert.match(
      value("$guid", occurrence),
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  }
  assert.ok(URL.canParse(value("$randomUrl")));
  assert.match(value("$randomEmail"), /^[^@]+@example\.com$/);
  assert.match(value("$randomFileExt"), /^[a-z]+$/);
  assert.equal(postmanDynamicVariable("$toString", 1), undefined);
  assert.equal(postmanDynamicVariable("toString", 1), undefined);
});

Deno.test("PostmanVariables lists variables without a value in one sentence", () => {
  const variables = new PostmanVariables();
  assert.deepEqual(warningsOf(variables), []);
  variables.resolve("{{a}} {{}}", "item[0]");
  assert.deepEqual(warningsOf(variables), [
    "c.json: the variable has no value in the collection and stays as written: {{a}} (at item[0]).",
  ]);
  const text = Array.from({ length: 14 }, (_, index) => `{{v${index}}}`).join("");
  variables.extend([{ key: "b", value: "1" }]).resolve(`${text}{{$unknown}}{{a}}`, "item[1]");
  assert.deepEqual(warningsOf(variables), [
    "c.json: variables have no value in the collection and stay as written: {{a}}, {{v0}}, " +
    "{{v1}}, {{v2}}, {{v3}}, {{v4}}, {{v5}}, {{v6}}, {{v7}}, {{v8}}, {{v9}}, {{v10}} and 4 more " +
    "(17 times, first at item[0]).",
  ]);
});
