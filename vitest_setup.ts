/**
 * What the plugin for Vitest sets up each test file with; it is not to be imported.
 *
 * @module
 */
import { setUpVitest } from "./src/runners/set_up_vitest.ts";

await setUpVitest();
