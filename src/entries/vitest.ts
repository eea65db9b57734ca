/**
 * A plugin for Vitest that measures how much of an API the tests exercise.
 *
 * ```js ignore
 * // vitest.config.js
 * import { defineConfig } from "vitest/config";
 * import { covtool } from "@covtool/covtool/vitest";
 *
 * export default defineConfig({
 *   plugins: [covtool({ schema: "openapi.yaml", failUnder: 80 })],
 * });
 * ```
 *
 * Clients other than the global `fetch` are tracked in the test, with the {@linkcode collector}.
 *
 * @module
 */
import { TrafficCollector } from "../runners/traffic_collector.ts";
import { type VitestOptions, type VitestPlugin, vitestPlugin } from "../runners/vitest_plugin.ts";

export type { RunningTests } from "../runners/running_tests.ts";
export type { TrafficCollector } from "../runners/traffic_collector.ts";
export type { RunOptions } from "../runners/run_options.ts";
export type {
  VitestContext,
  VitestLike,
  VitestOptions,
  VitestPlugin,
  VitestProject,
} from "../runners/vitest_plugin.ts";

/**
 * A plugin for the configuration of Vitest. It collects what the tests of all workers send, prints the text report
 * after the run, writes the requested reports, and fails the run if a threshold isn't met. The global `fetch` is
 * tracked automatically; track other clients with the {@linkcode collector}.
 *
 * Without a description, the plugin does nothing outside of `covtool run` and `covtool mutate`. Inside them, it only
 * collects traffic: the outer command makes the reports.
 */
export function covtool(options: VitestOptions = {}): VitestPlugin {
  // The setup module is in the same folder, with the extension of this module: TypeScript, or compiled to JavaScript.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return vitestPlugin(options, new URL(`./vitest_setup.${extension}`, import.meta.url));
}

/** Collects what the tests of one file send. Has the plugins `fetch`, `axios`, `supertest` and the others. */
export const collector: TrafficCollector = TrafficCollector.shared();
