/**
 * Coverage of what the tests of Jest send: a reporter, and the collector for clients that setup files do not track.
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

/** Collects what the tests of one file send: has the plugins `fetch`, `axios`, `supertest` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();
