/**
 * Coverage of the requests that Deno tests send: a module to preload, for `covtool run`.
 *
 * ```sh
 * covtool run openapi.yaml --fail-under 80 -- deno test -A --preload=jsr:@covtool/covtool/deno
 * ```
 *
 * The module tracks the global `fetch` and notes which test and which step sends each request. Track other clients and
 * handlers with the {@linkcode collector}. Outside a run of covtool, the module does nothing.
 *
 * @module
 */
import { setUpDeno } from "../runners/set_up_deno.ts";
import { TrafficCollector } from "../runners/traffic_collector.ts";

export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";

/** Collects what the tests of this process send. Has the plugins `fetch`, `handler`, `axios` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();

setUpDeno(collector);
