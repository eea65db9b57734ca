/**
 * A setup file for Jest (`setupFilesAfterEnv`): tracks the global `fetch`, and tells which test sends what. It does
 * nothing in a run whose configuration lacks the reporter `@covtool/covtool/jest`.
 *
 * @module
 */
import { setUpJest } from "../runners/set_up_jest.ts";

setUpJest();
