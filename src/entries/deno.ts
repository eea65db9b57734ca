/**
 * Coverage of what tests of Deno send: a module that is loaded before them, run by `covtool run`.
 *
 * ```sh
 * covtool run openapi.yaml --fail-under 80 -- deno test -A --preload=jsr:@covtool/covtool/deno
 * ```
 *
 * It tracks the global `fetch`, and tells which test and which step sends what; other clients and handlers are tracked
 * with the {@linkcode collector}. Where no run of covtool is under way it does nothing.
 *
 * @module
 */
import { setUpDeno } from "../runners/set_up_deno.ts";
import { TrafficCollector } from "../runners/traffic_collector.ts";

export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of this process send: has the plugins `fetch`, `handler`, `axios` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();

setUpDeno(collector);
