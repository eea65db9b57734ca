/**
 * Coverage of what tests of `node:test` send: `node --import covtool/node-test --test`, run by `covtool run`.
 *
 * ```sh
 * covtool run openapi.yaml --fail-under 80 -- node --import covtool/node-test --test
 * ```
 *
 * It tracks the global `fetch`, and tells which test sends what; other clients are tracked with the {@linkcode collector}.
 * Where no run of covtool is under way it does nothing.
 *
 * @module
 */
import { setUpNodeTest } from "../runners/set_up_node_test.ts";
import { TrafficCollector } from "../runners/traffic_collector.ts";

export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of this process send: has the plugins `fetch`, `axios`, `supertest` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();

setUpNodeTest(collector);
