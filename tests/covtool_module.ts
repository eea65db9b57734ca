import { bundleProgram } from "../scripts/build.ts";
import { once } from "./once.ts";

/**
 * The module that tests start as covtool in a process: TEST_PROGRAM, a bundle that scripts/run_tests.ts makes once
 * because it starts in half the time, or the sources.
 */
export const COVTOOL_MODULE: string = Deno.env.get("TEST_PROGRAM") ??
  decodeURIComponent(new URL("../cli.ts", import.meta.url).pathname);

/** The released program as bundled modules: those of TEST_PROGRAM, or bundled by this process. */
export const bundledProgram: () => Promise<string> = once(async () => {
  if (COVTOOL_MODULE.endsWith(".js")) return COVTOOL_MODULE;
  const folder = await Deno.makeTempDir({ prefix: "covtool-program-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  return await bundleProgram(`${folder}/program`);
});
