import { testVitest } from "./vitest_suite.ts";

testVitest(4, false);
