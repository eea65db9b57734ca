/**
 * Coverage of the requests that Jest tests send: a reporter, and a collector for clients that setup files don't track.
 *
 * ```js ignore
 * // jest.config.js
 * export default {
 *   setupFilesAfterEnv: ["@covtool/covtool/jest-setup"],
 *   reporters: ["default", ["@covtool/covtool/jest", { schema: "openapi.yaml", failUnder: 80 }]],
 * };
 * ```
 *
 * @module
 */
import { TrafficCollector } from "../runners/traffic_collector.ts";

export { type JestOptions, JestReporter as default } from "../runners/jest_reporter.ts";
export type { RunOptions } from "../runners/run_options.ts";
export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of one file send. Has the plugins `fetch`, `axios`, `supertest` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();
