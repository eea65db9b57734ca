/**
 * A setup file for Jest (`setupFilesAfterEnv`): tracks the global `fetch` and notes which test sends each request. It
 * does nothing if Jest's configuration lacks the reporter `@covtool/covtool/jest`.
 *
 * @module
 */
import { setUpJest } from "../runners/set_up_jest.ts";

setUpJest();
