/**
 * Coverage of the requests that `node:test` tests send: `node --import covtool/node-test --test`, run by `covtool run`.
 *
 * ```sh
 * covtool run openapi.yaml --fail-under 80 -- node --import covtool/node-test --test
 * ```
 *
 * The module tracks the global `fetch` and notes which test sends each request. The {@linkcode collector} tracks other
 * clients. Outside a run of covtool, the module does nothing.
 *
 * @module
 */
import { setUpNodeTest } from "../runners/set_up_node_test.ts";
import { TrafficCollector } from "../runners/traffic_collector.ts";

export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of this process send. Has the plugins `fetch`, `axios`, `supertest` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();

setUpNodeTest(collector);
