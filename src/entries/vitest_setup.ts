/**
 * Sets up each test file for the Vitest plugin. Only that plugin imports this module.
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
