import { testJest } from "./jest_suite.ts";

testJest(30, true);
