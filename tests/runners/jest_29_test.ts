import { testJest } from "./jest_suite.ts";

testJest(29, false);
