import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import type { Gap } from "../../../src/map/results.ts";
import { gapSentence, nextGap } from "../../../src/report/html/app/model/gaps.ts";
import { pageModel } from "../page_model.ts";
import { gapText } from "../../../src/report/text/gap_text.ts";
import { keywordAdvice, keywordText } from "../../../src/report/wording/gap_wording.ts";
import { isTracked, keywordTable } from "../../../src/values/keyword_table.ts";
import { shopReport } from "../shop_report.ts";
import { withSourceShop } from "../source_shop.ts";

/** The words about a keyword or a response after its name. */
const ENDING = / (never (?:failed|passed)(?:: .*)?|was never returned(?:: .*)?)$/;

function endings(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => ENDING.exec(sentence)?.[1] ?? []).sort();
}

Deno.test("SARIF and the page say in the same words what to send", () =>
  withSourceShop((map) => {
    const report = map.report();
    const model = pageModel(report, map.descriptionView(report));
    const page: string[] = [];
    for (const operation of model.operations) {
      for (let stop = nextGap(model, operation, "", 1); stop?.operation === operation;) {
        page.push(gapSentence(stop));
        stop = nextGap(model, operation, stop.gap.at, 1);
      }
    }
    const { runs: [{ results }] } = JSON.parse(map.generateReport({ format: "sarif" })) as {
      readonly runs: readonly [
        { readonly results: readonly { readonly message: { readonly text: string } }[] },
      ];
    };
    const sarif = results.map(({ message }) => message.text.replace(/ \(g-\w{8}\)\.$|\.$/, ""));
    assert.ok(endings(page).includes("never failed: send fewer than 3 characters"));
    assert.deepEqual(endings(sarif), endings(page));
  }));

Deno.test("keywordAdvice() says what to send in terms of the limit", () => {
  const cases: readonly (readonly [string, unknown, "valid" | "invalid" | "both", string])[] = [
    ["maximum", 100, "invalid", "Send more than 100."],
    ["minimum", 1, "valid", "Send 1 or more."],
    ["exclusiveMinimum", 0, "invalid", "Send 0 or less."],
    ["exclusiveMinimum", true, "invalid", "Send the minimum itself."],
    ["maxLength", 1, "invalid", "Send more than 1 character."],
    ["minLength", 1, "invalid", "Send an empty string."],
    ["minItems", 2, "invalid", "Send fewer than 2 items."],
    ["maxProperties", 5000, "valid", "Send at most 5,000 properties."],
    ["type", "integer", "invalid", "Send something other than an integer."],
    ["type", ["string", "null"], "valid", "Send a string or null."],
    ["enum", ["new", "used"], "valid", 'Send "new" or "used".'],
    ["enum", ["a", "b", "c", "d"], "valid", 'Send "a", "b", "c" or 1 other.'],
    ["required", ["name", "email"], "invalid", 'Leave out "name" or "email".'],
    ["additionalProperties", false, "invalid", "Send an undeclared property."],
    ["additionalProperties", {}, "invalid", "Send an invalid additional property."],
    ["uniqueItems", true, "invalid", "Send the same item twice."],
    ["format", "date", "both", "Send a valid and an invalid date."],
    [
      ...["multipleOf", 0.5, "both"] as const,
      "Send a multiple of 0.5, then a number that isn't a multiple of 0.5.",
    ],
    ["required", ["id"], "both", 'Send "id", then leave out "id".'],
  ];
  for (const [keyword, value, missing, expected] of cases) {
    const text = keywordText(value) ?? null;
    assert.equal(keywordAdvice(keyword, text, missing), expected, keyword);
  }
});

Deno.test("every tracked keyword has its own sentences without placeholders", () => {
  const values: Readonly<Record<string, string>> = {
    ...{ type: '"string"', format: '"date"', pattern: '"^a"', enum: "[1]", required: '["id"]' },
  };
  for (const [keyword, facts] of keywordTable) {
    assert.equal(facts.advice !== undefined, isTracked(facts), keyword);
    if (!isTracked(facts)) continue;
    for (const missing of ["valid", "invalid", "both"] as const) {
      const sentence = keywordAdvice(keyword, values[keyword] ?? "3", missing);
      assert.doesNotMatch(sentence, /[{}]|undefined|(?:in)?valid value\.$/, keyword);
      assert.match(sentence, /^[A-Z].*\.$/, keyword);
    }
  }
});

Deno.test("keywordAdvice() leaves out a value that is unknown, cut or unsuitable", () => {
  assert.equal(keywordAdvice("maximum", null, "invalid"), "Send an invalid value.");
  assert.equal(keywordAdvice("maxLength", '"x"', "both"), "Send a valid and an invalid value.");
  const cut = keywordText(["x".repeat(500)]) ?? "";
  assert.equal(keywordAdvice("enum", cut, "valid"), "Send a listed value.");
  assert.equal(keywordAdvice("required", "[]", "invalid"), "Leave out a required property.");
  assert.equal(
    keywordAdvice("allOf", null, "invalid"),
    "Send a value that doesn't match every schema.",
  );
  assert.equal(keywordAdvice("x-made-up", "1", "valid"), "Send a valid value.");
});

/** The value of a keyword of the shop. */
function keywordValue(path: string): unknown {
  return path.endsWith("/maximum") ? 100 : path.endsWith("/maxLength") ? 120 : undefined;
}

Deno.test("every kind of gap has advice on what to send", () =>
  assert.deepEqual(shopReport().gaps.map((gap) => gapText(gap, keywordValue)), [
    "maximum of query limit never failed: send more than 100",
    "the example 10 of query limit was never used",
    "header X-Trace was never sent",
    "response 404 was never returned: request something that doesn't exist",
    "User/type of body application/json never failed",
    "User/properties of body application/json never passed: send only valid properties",
    "User/properties of body application/json never failed: send an invalid property",
    "User/properties/name/type of body application/json never passed",
    "User/properties/name/type of body application/json never failed",
    "User/properties/name/maxLength of body application/json never passed: send at most 120 characters",
    "User/properties/name/maxLength of body application/json never failed: send more than 120 characters",
    "was never called",
    "path id was never sent",
    "response 204 was never returned",
  ]));

Deno.test("the advice for a keyword with an unknown value leaves it out", () => {
  const of = {
    kind: "keyword_uncovered",
    method: "GET",
    path: "/",
    location: "query",
    parameter: "a",
    state: "invalid",
  } as const;
  assert.equal(
    gapText({ ...of, schema_path: "/x/schema/maximum" }),
    "maximum of query a never failed",
  );
  assert.equal(
    gapText({ ...of, schema_path: "/x/schema/uniqueItems" }),
    "uniqueItems of query a never failed: send the same item twice",
  );
});

Deno.test("escape sequences in a keyword's value are removed", () => {
  const text = gapText({
    kind: "keyword_uncovered",
    method: "GET",
    path: "/",
    location: "query",
    parameter: "a",
    schema_path: "/x/schema/pattern",
    state: "invalid",
  }, () => "a\u001b[2J");
  assert.equal(
    text,
    "pattern of query a never failed: send a string that doesn't match a\\u001b[2J",
  );
});

Deno.test("a long example is cut, and control characters are escaped", () => {
  const gap: Gap = {
    kind: "example_uncovered",
    method: "GET",
    path: "/",
    location: "form_data",
    parameter: "a\u001b",
    schema_path: "/x/example",
    value: "x".repeat(500),
  };
  const text = gapText(gap);
  assert.match(text, /^the example "x{20,80}… of form data a\\u001b was never used$/);
});

Deno.test("values between limits are described by the limits that exist", () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ type: "integer", minimum: 1, maximum: 50 }, "sent as a number between 1 and 50"],
    [{ type: "number", exclusiveMinimum: 0.5 }, "sent as a number above 0.5"],
    [{ type: "integer", maximum: -2 }, "sent as a number below -2"],
    [{ type: "string" }, "sent as a text that isn't empty"],
    [{ type: "string", maxLength: 40 }, "sent with 1 to 39 characters"],
    [{ type: "string", minLength: 1 }, "sent with 2 characters or more"],
    [{ type: "string", minLength: 4, maxLength: 6 }, "sent with 5 characters"],
    [{ type: "array", items: {} }, "sent with several items"],
    [{ type: "array", maxItems: 9 }, "sent with 2 to 8 items"],
    [{ type: "array", minItems: 3 }, "sent with 3 items or more"],
    [{ type: "array", maxItems: 3 }, "sent with 2 items"],
  ];
  const properties = Object.fromEntries(cases.map(([schema], index) => [`p${index}`, schema]));
  const schema = { type: "object", properties };
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { post: { requestBody: { content: { "application/json": { schema } } } } } },
  });
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: "http://localhost/a", headers, body: "{}" });
  const said = map.gaps().flatMap((gap) =>
    "class" in gap && /^(?:between|several_items)$/.test(gap.class) ? [gapText(gap)] : []
  );
  assert.deepEqual(
    said,
    cases.map(([, text], index) => `body p${index} was never ${text}`),
  );
});
