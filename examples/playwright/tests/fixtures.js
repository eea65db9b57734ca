import { test as base } from "@playwright/test";
import { trackTest } from "covtool/playwright";

/** Records everything that goes through `request`, `page` and `context` of these tests. */
export const test = trackTest(base);
export { expect } from "@playwright/test";
