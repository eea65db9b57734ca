import { testPlaywright } from "./playwright_suite.ts";

testPlaywright("1.65", true);
