/**
 * Coverage of the requests that Playwright tests send: a reporter, and fixtures that record.
 *
 * ```ts ignore
 * // playwright.config.ts
 * import { defineConfig } from "@playwright/test";
 *
 * export default defineConfig({
 *   reporter: [["list"], ["@covtool/covtool/playwright", { schema: "openapi.yaml", failUnder: 80 }]],
 * });
 * ```
 *
 * ```ts ignore
 * // tests/fixtures.ts, whose `test` the tests import
 * import { test as base } from "@playwright/test";
 * import { trackTest } from "@covtool/covtool/playwright";
 *
 * export const test = trackTest(base);
 * ```
 *
 * @module
 */
import { TrafficCollector } from "../runners/traffic_collector.ts";

export { PlaywrightReporter as default } from "../runners/playwright_reporter.ts";
export { type TestLike, trackTest } from "../runners/track_test.ts";
export type { RunOptions } from "../runners/run_options.ts";
export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of this worker send. Has the plugins `fetch`, `axios` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();
