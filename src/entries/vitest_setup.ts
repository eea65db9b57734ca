/**
 * What the plugin for Vitest sets up each test file with; the plugin alone needs it.
 *
 * @module
 */
export { setUpVitest } from "../runners/set_up_vitest.ts";
export type {
  VitestFile,
  VitestHooks,
  VitestTask,
  VitestTestContext,
} from "../runners/set_up_vitest.ts";
