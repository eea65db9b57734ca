import assert from "node:assert/strict";
import { type Dialect, DRAFT_04, OPENAPI_3_0_SCHEMA } from "../../src/schema/dialect.ts";
import { keywordDefinitions } from "../../src/schema/keywords/keyword_definitions.ts";
import { draftGroups, DRAFTS, needsSuite, validator } from "./json_schema_test_suite.ts";
import { SKIPPED } from "./skipped.ts";
import { needing } from "../requirement.ts";

interface Outcomes {
  readonly failures: string[];
  readonly skipped: Set<string>;
  passed: number;
}

async function runDraft(
  draft: string,
  dialect: Dialect,
  usable: (schema: unknown) => boolean,
): Promise<Outcomes> {
  const outcomes: Outcomes = { failures: [], skipped: new Set(), passed: 0 };
  const placed = await draftGroups([[draft, dialect]]);
  for (const { title, group: { schema, tests }, documents } of placed) {
    if (!usable(schema)) continue;
    const evaluate = validator(schema, dialect, documents);
    for (const { description, data, valid } of tests) {
      const name = `${title}: ${description}`;
      const prefix = Object.keys(SKIPPED).find((prefix) => name.startsWith(prefix));
      const outcome = evaluate(data);
      if (outcome === valid) outcomes.passed++;
      else if (prefix === undefined) outcomes.failures.push(name);
      else outcomes.skipped.add(prefix);
    }
  }
  return outcomes;
}

for (const [draft, dialect] of DRAFTS) {
  Deno.test({
    ...needing(needsSuite(), `the evaluation agrees with every required test of ${draft}`),
    async fn() {
      const { failures, skipped, passed } = await runDraft(draft, dialect, () => true);
      assert.deepEqual(failures, []);
      assert.ok(passed > 500, `only ${passed} tests ran`);
      const needless = Object.keys(SKIPPED).filter((prefix) =>
        prefix.startsWith(`${draft}/`) && !skipped.has(prefix)
      );
      assert.deepEqual(needless, [], "skipped without need");
    },
  });
}

/** True if a draft 4 schema only uses what OpenAPI 3.0 supports. */
function isOpenApi30(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isOpenApi30);
  if (typeof schema !== "object" || schema === null) return true;
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === "id" || keyword === "$ref" && /^http/.test(String(value))) return false;
    if (Array.isArray(value) && (keyword === "type" || keyword === "items")) return false;
    const lacks = DRAFT_04.keywords.has(keyword) && !OPENAPI_3_0_SCHEMA.keywords.has(keyword);
    return !lacks && isOpenApi30(value);
  });
}

Deno.test({
  ...needing(needsSuite(), "the evaluation of OpenAPI 3.0 agrees with draft 4 on what they share"),
  async fn() {
    const { failures, passed } = await runDraft("draft4", OPENAPI_3_0_SCHEMA, isOpenApi30);
    assert.deepEqual(failures, []);
    assert.ok(passed > 350, `only ${passed} tests ran`);
  },
});

Deno.test("every dialect only tracks keywords with a definition", () => {
  for (const [, dialect] of DRAFTS) {
    for (const keyword of dialect.keywords) assert.ok(keywordDefinitions.has(keyword), keyword);
  }
});
