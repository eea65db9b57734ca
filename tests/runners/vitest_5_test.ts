import { testVitest } from "./vitest_suite.ts";

testVitest(5, true);
