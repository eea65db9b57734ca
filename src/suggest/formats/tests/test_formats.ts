import { goTestFormat } from "./go_test_format.ts";
import { hurlFormat } from "./hurl_format.ts";
import { JAVASCRIPT_TESTS } from "./javascript_tests.ts";
import { junitFormat } from "./junit_format.ts";
import { pytestFormat } from "./pytest_format.ts";
import { k6Format } from "./k6_format.ts";
import type { TestFormat } from "./test_format.ts";

export const TEST_FORMATS: readonly TestFormat[] = [
  ...JAVASCRIPT_TESTS,
  pytestFormat,
  junitFormat,
  goTestFormat,
  hurlFormat,
  k6Format,
];
