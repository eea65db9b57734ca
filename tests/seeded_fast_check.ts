/**
 * fast-check with the seed of the run, so that no build fails by chance. deno.dev.json lets tests import it as
 * `fast-check`.
 *
 * @module
 */
import fc from "fast-check-library";
import { TEST_SEED } from "./test_seed.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED });

export * from "fast-check-library";
export default fc;
