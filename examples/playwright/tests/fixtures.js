import { test as base } from "@playwright/test";
import { trackTest } from "covtool/playwright";

/** What goes through `request`, `page` and `context` of these tests is recorded. */
export const test = trackTest(base);
export { expect } from "@playwright/test";
