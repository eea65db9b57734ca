/**
 * The parts that integrations of test runners are made of, for other runners and your own setups: a collector in each
 * process that runs tests, and a run that makes the reports when all of them have ended.
 *
 * @module
 */
import { TrafficCollector } from "../runners/traffic_collector.ts";

export { TrafficCollector } from "../runners/traffic_collector.ts";
export { TestRun } from "../runners/test_run.ts";
export type { RunOptions } from "../runners/run_options.ts";
export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficFolder } from "../run/traffic_folder.ts";

/** The collector of this process. It does nothing unless a run of covtool is in progress. */
export const collector: TrafficCollector = TrafficCollector.shared();
