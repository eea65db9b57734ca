import { addTest, type ParameterTests, type TestList } from "./covered_by.ts";
import type { ParameterPlan } from "./parameter_plan.ts";

/** The tests that covered one keyword. */
export interface KeywordTests {
  /** Those that sent a value which passed. */
  readonly valid: TestList;
  /** Those that sent a value which failed. */
  readonly invalid: TestList;
}

/** The tests that covered the parts of a parameter, by the pointer that users see; parts that no test covered are absent. */
export interface ParameterPartTests {
  /** By the keyword's pointer. */
  readonly keywords: ReadonlyMap<string, KeywordTests>;
  /** By the example's pointer. */
  readonly examples: ReadonlyMap<string, TestList>;
}

const NONE: TestList = [];

/**
 * Gathers which tests covered the parts of a parameter. A schema that is written inside one and referred to by another
 * has two blocks of counters; they are one keyword, and so their tests are.
 */
export function parameterTests(plan: ParameterPlan, tests: ParameterTests): ParameterPartTests {
  const keywords = new Map<string, KeywordTests>();
  const examples = new Map<string, TestList>();
  for (const [unit, slots] of tests.units) {
    for (const { node, keyword, slot } of unit.keywords) {
      const valid = slots[slot];
      const invalid = slots[slot + 1];
      if (valid === undefined && invalid === undefined) continue;
      const path = node.pathOf(keyword);
      const known = keywords.get(path);
      keywords.set(path, {
        valid: union(known?.valid, valid),
        invalid: union(known?.invalid, invalid),
      });
    }
    for (const { schema_path, slot } of unit.examples) {
      const found = slots[slot];
      if (found !== undefined) examples.set(schema_path, union(examples.get(schema_path), found));
    }
  }
  plan.ownExamples.forEach(({ schema_path }, index) => {
    const found = tests.examples[index];
    if (found !== undefined) examples.set(schema_path, found);
  });
  return { keywords, examples };
}

function union(left: TestList = NONE, right: TestList = NONE): TestList {
  if (left.length === 0) return right;
  const all = [...left];
  for (const test of right) addTest(all, test);
  return all;
}
