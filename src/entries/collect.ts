/**
 * The parts of the test runner integrations, for other runners and for your own setups: a collector in each
 * process that runs tests, and a run that makes the reports when all of them are done.
 *
 * @module
 */
import { TrafficCollector } from "../runners/traffic_collector.ts";

export { TrafficCollector } from "../runners/traffic_collector.ts";
export { TestRun } from "../runners/test_run.ts";
export type { RunOptions } from "../runners/run_options.ts";
export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficFolder } from "../run/traffic_folder.ts";

/** The collector of this process; it sleeps where no run of covtool is under way. */
export const collector: TrafficCollector = TrafficCollector.shared();
